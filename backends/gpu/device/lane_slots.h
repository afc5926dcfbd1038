// SPDX-License-Identifier: Apache-2.0

// The slots of a lane's stack (lane_stack.h): a task or a continuation in each, a state word, and
// the index of a record for a join. Word by word, the slots of a worker's lanes are side by side in
// shared memory, so lanes have no bank conflicts.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_LANE_SLOTS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_LANE_SLOTS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/task_words.h>
#include <millrace/backends/gpu/device/worker.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace::MILLRACE_GPU {

// True if the set suits stacks of lanes: it opens joins, and its tasks are small, of at most 8
// types, and of lane width. Tasks of later levels would leave the lanes that spawn them. A lane
// keeps the records of the joins that a task may open in registers; with 16, nvcc 13.0 crashes.
// A task of 40 bytes has the values of two arrivals of 16 bytes each: by stacks, Fibonacci's 40th
// number takes 27.6 ms on an H200 with such values, and 70.7 ms without.
template <class Set>
inline constexpr bool kSuitsLaneStacks =
    Set::kOpensJoins&& Set::kMostJoins <= 4 && Set::kTypes > 1 && Set::kTypes <= 8 &&
    have_same_width<Set>() &&
    width_of<typename Set::template Type<0>>() == TaskWidth::kLane&& Set::kScratchBytes == 0 &&
    Set::kSlotBytes <= 40 && !Set::kHasLevels;

// The state word of a slot: the tag of the task, and the number of arrivals that it misses.
struct SlotState {
  static constexpr std::uint32_t kMoved = 0xff;  // A join that is in device memory now.
  static constexpr std::uint32_t kOneMissing = 0x100;
  static constexpr std::uint32_t kMaxMissing = 0xffffff;

  MILLRACE_FUNCTION static constexpr std::uint32_t task(std::uint32_t tag) { return tag; }
  MILLRACE_FUNCTION static constexpr std::uint32_t join(std::uint32_t tag, std::uint32_t missing) {
    return tag | missing * kOneMissing;
  }
  MILLRACE_FUNCTION static constexpr std::uint32_t tag(std::uint32_t state) { return state & 0xff; }
  MILLRACE_FUNCTION static constexpr std::uint32_t missing(std::uint32_t state) {
    return state / kOneMissing;
  }
  // Returns true if a task can run.
  MILLRACE_FUNCTION static constexpr bool is_ready(std::uint32_t state) { return state < kMoved; }
};

template <class Set>
struct LaneSlots {
  static constexpr std::uint32_t kTaskWords = kMaxTaskWords<Set>;
  static constexpr std::uint32_t kState = kTaskWords;
  static constexpr std::uint32_t kRecord = kTaskWords + 1;
  static constexpr std::uint32_t kWords = kTaskWords + 2;
  static constexpr std::uint32_t kNoRecord = 0xffffffff;

  // With 640 bytes a lane and the worker's stacks, eight workers fill the shared memory of an H200
  // multiprocessor. Fewer slots make more workers, but lanes move joins to device memory more
  // often: with half of the bytes, Fibonacci's 40th number takes twice the time.
  static constexpr std::uint32_t kSlots = 640 / (4 * kWords) < 8 ? 8 : 640 / (4 * kWords);
  static constexpr std::size_t kLaneBytes = std::size_t{4} * kWords * kSlots;

  MILLRACE_FUNCTION static std::uint32_t& word(std::uint32_t* slot, std::uint32_t index) {
    return slot[index * lanes()];
  }

  template <class T>
  MILLRACE_FUNCTION static void store(std::uint32_t* slot, const T& task) {
    TaskWords<T>::store(slot, lanes(), 0, task);
  }
  template <class T>
  MILLRACE_FUNCTION static T load(const std::uint32_t* slot) {
    return TaskWords<T>::load(slot, lanes(), 0);
  }

  // Stores a value at a byte of a task.
  template <class V>
  MILLRACE_FUNCTION static void store_at(std::uint32_t* slot, std::uint32_t offset,
                                         const V& value) {
    if constexpr (sizeof(V) % 4 == 0 && alignof(V) % 4 == 0) {
      std::uint32_t copy[sizeof(V) / 4];
      memcpy(copy, &value, sizeof(V));
      for (std::size_t i = 0; i < sizeof(V) / 4; ++i) word(slot, offset / 4 + i) = copy[i];
    } else {
      unsigned char copy[sizeof(V)];
      memcpy(copy, &value, sizeof(V));
      for (std::size_t i = 0; i < sizeof(V); ++i) {
        const auto at = static_cast<std::uint32_t>(offset + i);
        reinterpret_cast<unsigned char*>(&word(slot, at / 4))[at % 4] = copy[i];
      }
    }
  }

 private:
  MILLRACE_FUNCTION static std::uint32_t lanes() {
    return static_cast<std::uint32_t>(warp_width());
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_LANE_SLOTS_H_
