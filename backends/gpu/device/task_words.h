// SPDX-License-Identifier: Apache-2.0

// Tasks of one type laid out word by word: word w of task i of a group is at words[w * group + i].
// Lanes that take neighbouring tasks therefore access neighbouring words, which is coalesced in
// device memory and free of bank conflicts in shared memory.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_TASK_WORDS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_TASK_WORDS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace::MILLRACE_GPU {

template <class T>
struct TaskWords {
  static constexpr std::uint32_t kWords = (sizeof(T) + 3) / 4;

  MILLRACE_FUNCTION static void store(std::uint32_t* words, std::uint32_t group,
                                      std::uint32_t index, const T& task) {
    std::uint32_t copy[kWords] = {};
    memcpy(copy, &task, sizeof(T));
    for (std::uint32_t w = 0; w < kWords; ++w) words[w * group + index] = copy[w];
  }

  MILLRACE_FUNCTION static T load(const std::uint32_t* words, std::uint32_t group,
                                  std::uint32_t index) {
    std::uint32_t copy[kWords];
    for (std::uint32_t w = 0; w < kWords; ++w) copy[w] = words[w * group + index];
    Storage storage;
    memcpy(&storage.task, copy, sizeof(T));
    return storage.task;
  }

 private:
  // Storage without initialization: T need not have a default constructor.
  union Storage {
    MILLRACE_FUNCTION Storage() {}
    T task;
  };
};

// Words of the largest task of the set.
template <class Set>
inline constexpr std::uint32_t kMaxTaskWords = (Set::kSlotBytes + 3) / 4;

// Returns TaskWords<T>::kWords of the type with this tag.
template <class Set>
MILLRACE_FUNCTION std::uint32_t task_words(TaskTag tag) {
  std::uint32_t words = 0;
  visit_type<Set>(tag, [&words]<class T>() { words = TaskWords<T>::kWords; });
  return words;
}

// An array of tasks in device memory, in groups of kGroup. Accesses are coalesced for both warp
// widths.
template <class T>
class TaskArray {
 public:
  static constexpr std::uint32_t kGroup = 32;

  MILLRACE_FUNCTION explicit TaskArray(std::uint32_t* words) : words_(words) {}

  MILLRACE_FUNCTION void store(std::uint64_t index, const T& task) const {
    TaskWords<T>::store(group(index), kGroup, index % kGroup, task);
  }
  MILLRACE_FUNCTION T load(std::uint64_t index) const {
    return TaskWords<T>::load(group(index), kGroup, index % kGroup);
  }

 private:
  MILLRACE_FUNCTION std::uint32_t* group(std::uint64_t index) const {
    return words_ + index / kGroup * (kGroup * TaskWords<T>::kWords);
  }

  std::uint32_t* words_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_TASK_WORDS_H_
