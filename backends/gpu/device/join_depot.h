// SPDX-License-Identifier: Apache-2.0

// The depot holds free records of joins that a worker of a launch does not need, for all others.
//
// A magazine is an array of record indices, which one worker at a time fills or empties. The depot
// has a list of full magazines and one of empty ones, linked by their indices. A third list has
// single records, linked through their words.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_JOIN_DEPOT_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_JOIN_DEPOT_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/join_lists.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/join_memory.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// All members may be called by any lane. Those that take return kNone if there is nothing.
template <class Set>
class JoinDepot {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  MILLRACE_FUNCTION JoinDepot(const JoinMemory& memory, RunControl& control)
      : memory_(memory), lists_(control.join_lists) {}

  // The calling lane has written the record indices, or has passed a Worker::sync since others did.
  MILLRACE_FUNCTION void give_full(std::uint32_t magazine) const {
    give(lists_.full, magazine, &memory_.links[magazine]);
  }
  MILLRACE_FUNCTION std::uint32_t take_full() const {
    return take(lists_.full, [this](std::uint32_t magazine) { return &memory_.links[magazine]; });
  }

  MILLRACE_FUNCTION void give_empty(std::uint32_t magazine) const {
    give(lists_.empty, magazine, &memory_.links[magazine]);
  }
  // Takes one that has been given, or one that no worker has had.
  MILLRACE_FUNCTION std::uint32_t take_empty() const {
    const std::uint32_t given =
        take(lists_.empty, [this](std::uint32_t magazine) { return &memory_.links[magazine]; });
    if (given != kNone) return given;
    const std::uint64_t next =
        memory_.first_magazine +
        atomic_add<kDevice, gpu::Order::kRelaxed>(&lists_.used_magazines, std::uint64_t{1});
    return next < memory_.magazine_count ? static_cast<std::uint32_t>(next) : kNone;
  }

  MILLRACE_FUNCTION void give_record(std::uint32_t record_index) const {
    give(lists_.records, record_index, link_of(record_index));
  }
  MILLRACE_FUNCTION std::uint32_t take_record() const {
    return take(lists_.records,
                [this](std::uint32_t record_index) { return link_of(record_index); });
  }

 private:
  static constexpr auto kDevice = gpu::Scope::kDevice;

  // The link of a free record is the word that holds the tag of an open join. A lane that loses a
  // race for a record reads it when a join may be open there again, so all accesses are atomic.
  MILLRACE_FUNCTION std::uint32_t* link_of(std::uint32_t record_index) const {
    return memory_.template record<Set>(record_index) + JoinMemory::kTag;
  }

  // The word of a list: the first item plus 1, and above it a count of changes, without which an
  // item that was taken and given back in between would not be noticed.
  MILLRACE_FUNCTION static std::uint64_t after(std::uint64_t word, std::uint32_t first) {
    return ((word >> 32) + 1) << 32 | first;
  }

  MILLRACE_FUNCTION static void give(std::uint64_t& list, std::uint32_t item, std::uint32_t* link) {
    std::uint64_t word = atomic_load<kDevice, gpu::Order::kRelaxed>(&list);
    for (;;) {
      atomic_store<kDevice, gpu::Order::kRelaxed>(link, static_cast<std::uint32_t>(word));
      const std::uint64_t found = atomic_compare_exchange<kDevice, gpu::Order::kRelease>(
          &list, word, after(word, item + 1));
      if (found == word) return;
      word = found;
    }
  }

  // The exchange releases nothing: it continues the release sequences of those who gave. The load
  // acquires what give() has stored in the link. No test notices it without, because links are
  // atomic and simulated devices store in order.
  template <class LinkOf>
  MILLRACE_FUNCTION static std::uint32_t take(std::uint64_t& list, const LinkOf& link_of) {
    std::uint64_t word = atomic_load<kDevice, gpu::Order::kAcquire>(&list);
    for (;;) {
      const auto first = static_cast<std::uint32_t>(word);
      if (first == 0) return kNone;
      const std::uint32_t next = atomic_load<kDevice, gpu::Order::kRelaxed>(link_of(first - 1));
      const std::uint64_t found =
          atomic_compare_exchange<kDevice, gpu::Order::kAcquire>(&list, word, after(word, next));
      if (found == word) return first - 1;
      word = found;
    }
  }

  const JoinMemory& memory_;
  JoinLists& lists_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_JOIN_DEPOT_H_
