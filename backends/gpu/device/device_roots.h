// SPDX-License-Identifier: Apache-2.0

// Roots as kernels see them.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_DEVICE_ROOTS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_DEVICE_ROOTS_H_

#include <cstddef>

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/task_list.h>

namespace millrace::MILLRACE_GPU {

// A TaskList in memory the device reads; not owned.
template <class SetType>
struct DeviceList {
  using Set = SetType;

  const TaskSlot<Set>* slots;
  const TaskTag* tags;

  template <class T>
  static constexpr bool kIsRoot = true;

  MILLRACE_FUNCTION TaskTag tag(std::size_t index) const {
    if constexpr (Set::kTypes > 1) return tags[index];
    return 0;
  }
  template <class T>
  MILLRACE_FUNCTION T get(std::size_t index) const {
    return slots[index].template get<T>();
  }
};

// The kernels' form of each kind of roots.
template <class Roots>
struct DeviceRootsOf;
template <class Set>
struct DeviceRootsOf<TaskList<Set>> {
  using Type = DeviceList<Set>;
};
template <class Set>
struct DeviceRootsOf<IndexedTasks<Set>> {
  using Type = IndexedTasks<Set>;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_DEVICE_ROOTS_H_
