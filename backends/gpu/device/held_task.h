// SPDX-License-Identifier: Apache-2.0

// A task that a lane keeps in registers.
//
// Where a persistent worker's tasks are small, of one type and one a lane, each lane holds one
// of the tasks that it spawns for its next step, and only others go to the worker's stack: a step
// in which every lane spawns one takes no shared memory.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_HELD_TASK_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_HELD_TASK_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/worker.h>

namespace millrace::MILLRACE_GPU {

// Larger tasks take too many registers.
inline constexpr std::size_t kMostHeldBytes = 32;

// Whether lanes hold tasks. Waves run nothing that they have spawned: their stacks are no rings.
template <class Set, class Queues>
inline constexpr bool kHoldsTasks =
    Queues::kHaveRings&& Set::kSpawns&& Set::kTypes == 1 &&
    width_of<typename Set::template Type<0>>() == TaskWidth::kLane&& Set::kSlotBytes
                                                      <= kMostHeldBytes;

// Bits of the lanes before this one of its warp.
MILLRACE_FUNCTION inline gpu::LaneMask lanes_below() {
  return (gpu::LaneMask{1} << lane_index()) - 1;
}

template <class T>
class HeldTask {
 public:
  MILLRACE_FUNCTION bool is_held() const { return is_held_ != 0; }

  MILLRACE_FUNCTION void hold(const T& task) {
    memcpy(&room_.task, &task, sizeof(T));
    is_held_ = 1;
  }

  // What is held.
  MILLRACE_FUNCTION const T& task() const { return room_.task; }
  MILLRACE_FUNCTION T take() {
    is_held_ = 0;
    return room_.task;
  }

 private:
  // T need not have a default constructor.
  union Room {
    MILLRACE_FUNCTION Room() {}
    T task;
  };

  Room room_;
  std::uint32_t is_held_ = 0;  // A truth value that takes fewer instructions than a bool.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_HELD_TASK_H_
