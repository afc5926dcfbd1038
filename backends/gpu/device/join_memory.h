// SPDX-License-Identifier: Apache-2.0

// The records of a run's joins (runtime/tasks/join.h), in device memory: a state word, the
// continuation's tag, and the continuation.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_JOIN_MEMORY_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_JOIN_MEMORY_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/task_words.h>
#include <millrace/runtime/tasks/join.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace::MILLRACE_GPU {

// The state word of a record: 0 if it is free; the number of missing arrivals plus 1 while
// the join is open; 1 while the last arrival takes the continuation; kHeld and the number of the
// launch once the join has ended in that launch. Records whose joins have ended in an earlier
// launch are free, because the lists that held them ended with it.
struct JoinState {
  static constexpr std::uint32_t kHeld = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kMaxArrivals = kHeld - 2;

  MILLRACE_FUNCTION static constexpr std::uint32_t open(std::uint32_t missing) {
    return missing + 1;
  }
  MILLRACE_FUNCTION static constexpr bool is_open(std::uint32_t state) {
    return state > 1 && state < kHeld;
  }
  MILLRACE_FUNCTION static constexpr std::uint32_t missing(std::uint32_t state) {
    return state - 1;
  }
  MILLRACE_FUNCTION static constexpr bool is_free(std::uint32_t state, std::uint32_t launch) {
    return state == 0 || (state >= kHeld && state != (kHeld | launch));
  }
};

// The memory of the records, and of magazines of free records (join_depot.h). A kernel's argument.
struct JoinMemory {
  std::uint32_t* words = nullptr;
  std::uint32_t* magazines = nullptr;  // kMagazineLines lines each, of a record index per lane.
  std::uint32_t* links = nullptr;      // One of each magazine.
  std::uint32_t magazine_count = 0;
  std::uint32_t first_magazine = 0;  // Workers begin with two of those before it.
  std::uint32_t capacity = 0;        // Records.
  std::uint32_t range = 0;           // Records that a worker takes for itself at a time.
  std::uint32_t launch = 0;          // Number of the launch, below JoinState::kHeld.
  bool are_all_free = false;         // True if no join was open when the launch began.
  JoinHome home;                     // Home of the joins that this launch opens.

  static constexpr std::uint32_t kMagazineLines = 32;

  // The words of a record, which is aligned to 8 bytes.
  static constexpr std::uint32_t kTag = 1;
  static constexpr std::uint32_t kContinuation = 2;
  template <class Set>
  static constexpr std::uint32_t kRecordWords = (kContinuation + kMaxTaskWords<Set> + 1) / 2 * 2;

  // Returns true if the join with this index is of this device. Sets that do not travel have no
  // other joins. The next two functions convert between its index and that of its record.
  template <class Set>
  MILLRACE_FUNCTION bool owns(std::uint32_t index) const {
    if constexpr (Set::kTravels) return home.owns(index);
    return true;
  }
  template <class Set>
  MILLRACE_FUNCTION std::uint32_t record_index_of(std::uint32_t index) const {
    if constexpr (Set::kTravels) return home.record_index_of(index);
    return index;
  }
  template <class Set>
  MILLRACE_FUNCTION std::uint32_t index_of(std::uint32_t record_index) const {
    if constexpr (Set::kTravels) return home.index_of(record_index);
    return record_index;
  }

  template <class Set>
  MILLRACE_FUNCTION std::uint32_t* record(std::uint32_t record_index) const {
    return words + std::size_t{record_index} * kRecordWords<Set>;
  }
};

// Stores a continuation in its record, and reads it back, by 8 bytes at a time.
template <class C>
struct JoinContinuation {
  MILLRACE_FUNCTION static void store(std::uint32_t* record, const C& continuation) {
    std::uint64_t copy[kWords] = {};
    memcpy(copy, &continuation, sizeof(C));
    for (std::size_t i = 0; i < kWords; ++i) words_of(record)[i] = copy[i];
  }

  MILLRACE_FUNCTION static C load(std::uint32_t* record) {
    std::uint64_t copy[kWords];
    for (std::size_t i = 0; i < kWords; ++i) copy[i] = words_of(record)[i];
    Storage storage;
    memcpy(&storage.continuation, copy, sizeof(C));
    return storage.continuation;
  }

 private:
  static constexpr std::size_t kWords = (sizeof(C) + 7) / 8;

  // Storage without initialization: C need not have a default constructor.
  union Storage {
    MILLRACE_FUNCTION Storage() {}
    C continuation;
  };

  MILLRACE_FUNCTION static std::uint64_t* words_of(std::uint32_t* record) {
    return reinterpret_cast<std::uint64_t*>(record + JoinMemory::kContinuation);
  }
};

// Stores a value at a byte of a continuation, whose words are aligned to 8 bytes.
template <class V>
MILLRACE_FUNCTION void store_value(std::uint32_t* continuation, std::uint32_t offset,
                                   const V& value) {
  if constexpr (sizeof(V) % 8 == 0 && alignof(V) % 8 == 0) {
    std::uint64_t copy[sizeof(V) / 8];
    memcpy(copy, &value, sizeof(V));
    auto* const target = reinterpret_cast<std::uint64_t*>(continuation) + offset / 8;
    for (std::size_t i = 0; i < sizeof(V) / 8; ++i) target[i] = copy[i];
  } else if constexpr (sizeof(V) % 4 == 0 && alignof(V) % 4 == 0) {
    std::uint32_t copy[sizeof(V) / 4];
    memcpy(copy, &value, sizeof(V));
    for (std::size_t i = 0; i < sizeof(V) / 4; ++i) continuation[offset / 4 + i] = copy[i];
  } else {
    memcpy(reinterpret_cast<char*>(continuation) + offset, &value, sizeof(V));
  }
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_JOIN_MEMORY_H_
