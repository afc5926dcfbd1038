// SPDX-License-Identifier: Apache-2.0

// The open joins (runtime/tasks/join.h) of a run, in device memory, and the free places for more.
//
// A record is a state word, the continuation's tag, and the continuation. Each lane keeps lists of
// free places, so that opening and ending a join take no atomic operation on shared words. A lane
// that ends more joins than it opens gives them away in chains of kBatch; a lane without places
// takes a chain or, where there is none, looks at the next kBatch records that no lane has looked
// at in this launch. A lane that finds no place does not run the task (UnitRunner): it sends it to
// the host, which makes the memory larger for the next launch.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_JOIN_PLACES_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_JOIN_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/run_control.h>
#include <millrace/backends/gpu/device/task_words.h>
#include <millrace/runtime/tasks/join.h>

namespace millrace::MILLRACE_GPU {

// The state word of a record: 0 if the place is free; the number of missing arrivals plus 1 while
// the join is open; 1 while the last arrival takes the continuation; kHeld and the number of the
// launch once the join has ended in that launch. Places that have ended in an earlier launch are
// free, because the lists that held them ended with it.
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

// The memory of the records. A kernel's argument.
struct JoinMemory {
  std::uint32_t* words = nullptr;
  std::uint32_t capacity = 0;  // Records.
  std::uint32_t launch = 0;    // Number of the launch, below JoinState::kHeld.

  // The words of a record: a JoinState, the tag, and the continuation, aligned to 8 bytes.
  static constexpr std::uint32_t kTag = 1;
  static constexpr std::uint32_t kContinuation = 2;
  template <class Set>
  static constexpr std::uint32_t kRecordWords = (kContinuation + kMaxTaskWords<Set> + 1) / 2 * 2;

  template <class Set>
  MILLRACE_FUNCTION std::uint32_t* record(std::uint32_t place) const {
    return words + std::size_t{place} * kRecordWords<Set>;
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

// A lane's free places. It stays in registers.
template <class Set>
class JoinPlaces {
 public:
  static constexpr std::uint32_t kBatch = 16;

  // Returns true if the lane has at least `count` places, at most kBatch, after it has looked for
  // more.
  MILLRACE_FUNCTION bool reserve(const JoinMemory& memory, Control& control, std::uint32_t count) {
    while (count_ + (full_ == kNone ? 0 : kBatch) < count) {
      if (!take_chain(memory, control) && !scan(memory, control)) return false;
    }
    return true;
  }

  // Takes a place that has been reserved, for a join.
  MILLRACE_FUNCTION std::uint32_t open(const JoinMemory& memory) {
    if (count_ == 0) {
      head_ = full_;
      full_ = kNone;
      count_ = kBatch;
    }
    const std::uint32_t place = head_;
    head_ = memory.template record<Set>(place)[kNext];
    --count_;
    ++opened_;
    return place;
  }

  // Puts a place, whose join has ended, on a list.
  MILLRACE_FUNCTION void end(const JoinMemory& memory, Control& control, std::uint32_t place) {
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(memory.template record<Set>(place),
                                                            JoinState::kHeld | memory.launch);
    --opened_;
    put(memory, control, place);
  }

  // Returns the number of joins that this lane has opened, less those that it has ended.
  MILLRACE_FUNCTION std::int32_t opened() const { return opened_; }

 private:
  static constexpr std::uint32_t kNone = Join<>::kNone;
  // Words of the record of a free place: the next chain, where the tag of an open join is, and the
  // next place of its list. Lanes that lose a race for a chain read the former of a place that may
  // be open again, so it is read and written by atomic operations alone.
  static constexpr std::uint32_t kNextChain = JoinMemory::kTag;
  static constexpr std::uint32_t kNext = JoinMemory::kContinuation;

  MILLRACE_FUNCTION void put(const JoinMemory& memory, Control& control, std::uint32_t place) {
    if (count_ == kBatch) {
      if (full_ != kNone) give_chain(memory, control, full_);
      full_ = head_;
      head_ = kNone;
      count_ = 0;
    }
    memory.template record<Set>(place)[kNext] = head_;
    head_ = place;
    ++count_;
  }

  // The word of the list of chains: the first place plus 1, and above it a count of changes,
  // without which a chain that was taken and given back in between would not be noticed.
  MILLRACE_FUNCTION static std::uint64_t after(std::uint64_t word, std::uint32_t first) {
    return ((word >> 32) + 1) << 32 | first;
  }

  MILLRACE_FUNCTION void give_chain(const JoinMemory& memory, Control& control,
                                    std::uint32_t chain) const {
    constexpr auto kDevice = gpu::Scope::kDevice;
    std::uint64_t word = atomic_load<kDevice, gpu::Order::kRelaxed>(&control.free_joins);
    for (;;) {
      atomic_store<kDevice, gpu::Order::kRelaxed>(memory.template record<Set>(chain) + kNextChain,
                                                  static_cast<std::uint32_t>(word));
      const std::uint64_t found = atomic_compare_exchange<kDevice, gpu::Order::kRelease>(
          &control.free_joins, word, after(word, chain + 1));
      if (found == word) return;
      word = found;
    }
  }

  // Called if full_ is empty.
  MILLRACE_FUNCTION bool take_chain(const JoinMemory& memory, Control& control) {
    constexpr auto kDevice = gpu::Scope::kDevice;
    std::uint64_t word = atomic_load<kDevice, gpu::Order::kAcquire>(&control.free_joins);
    for (;;) {
      const auto first = static_cast<std::uint32_t>(word);
      if (first == 0) return false;
      const std::uint32_t next = atomic_load<kDevice, gpu::Order::kRelaxed>(
          memory.template record<Set>(first - 1) + kNextChain);
      const std::uint64_t found = atomic_compare_exchange<kDevice, gpu::Order::kAcquireRelease>(
          &control.free_joins, word, after(word, next));
      if (found == word) {
        full_ = first - 1;
        return true;
      }
      word = found;
    }
  }

  // Looks at records until it finds free ones; returns false if all have been looked at.
  MILLRACE_FUNCTION bool scan(const JoinMemory& memory, Control& control) {
    constexpr auto kDevice = gpu::Scope::kDevice;
    for (;;) {
      const std::uint64_t begin =
          atomic_add<kDevice, gpu::Order::kRelaxed>(&control.scanned_joins, std::uint64_t{kBatch});
      if (begin >= memory.capacity) return false;
      const std::uint64_t end = begin + kBatch < memory.capacity ? begin + kBatch : memory.capacity;
      const std::uint32_t before = count_;
      for (std::uint64_t i = begin; i < end; ++i) {
        const auto place = static_cast<std::uint32_t>(i);
        const std::uint32_t state =
            atomic_load<kDevice, gpu::Order::kRelaxed>(memory.template record<Set>(place));
        if (JoinState::is_free(state, memory.launch)) put(memory, control, place);
      }
      if (count_ > before) return true;
    }
  }

  std::uint32_t head_ = kNone;  // A list of count_ places.
  std::uint32_t count_ = 0;
  std::uint32_t full_ = kNone;  // A list of kBatch places, or none.
  std::int32_t opened_ = 0;
};

// Of sets that open no joins.
struct NoJoinPlaces {};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_JOIN_PLACES_H_
