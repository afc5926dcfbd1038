// SPDX-License-Identifier: Apache-2.0

// Free places for joins that workers have in excess: a list of chains, linked through the records
// of the places.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_JOIN_CHAINS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_JOIN_CHAINS_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/join_memory.h>
#include <millrace/backends/gpu/device/run_control.h>
#include <millrace/runtime/tasks/join.h>

namespace millrace::MILLRACE_GPU {

// All members may be called by any lane.
template <class Set>
class JoinChains {
 public:
  // Sets the place that follows in the chain, or Join<>::kNone.
  MILLRACE_FUNCTION static void link(const JoinMemory& memory, std::uint32_t place,
                                     std::uint32_t next) {
    memory.template record<Set>(place)[kNext] = next;
  }
  MILLRACE_FUNCTION static std::uint32_t next(const JoinMemory& memory, std::uint32_t place) {
    return memory.template record<Set>(place)[kNext];
  }

  // Gives a chain away, by its first place. The calling lane has linked its places, or has passed a
  // Worker::sync since others did.
  MILLRACE_FUNCTION static void give(const JoinMemory& memory, Control& control,
                                     std::uint32_t chain) {
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

  // Takes a chain and returns its first place, or Join<>::kNone if there is none.
  MILLRACE_FUNCTION static std::uint32_t take(const JoinMemory& memory, Control& control) {
    constexpr auto kDevice = gpu::Scope::kDevice;
    std::uint64_t word = atomic_load<kDevice, gpu::Order::kAcquire>(&control.free_joins);
    for (;;) {
      const auto first = static_cast<std::uint32_t>(word);
      if (first == 0) return Join<>::kNone;
      const std::uint32_t next = atomic_load<kDevice, gpu::Order::kRelaxed>(
          memory.template record<Set>(first - 1) + kNextChain);
      const std::uint64_t found = atomic_compare_exchange<kDevice, gpu::Order::kAcquireRelease>(
          &control.free_joins, word, after(word, next));
      if (found == word) return first - 1;
      word = found;
    }
  }

 private:
  // Words of the record of a free place: the next chain, where the tag of an open join is, and the
  // next place of its chain. Lanes that lose a race for a chain read the former of a place that may
  // be open again, so it is read and written by atomic operations alone.
  static constexpr std::uint32_t kNextChain = JoinMemory::kTag;
  static constexpr std::uint32_t kNext = JoinMemory::kContinuation;

  // The word of the list: the first place of the first chain plus 1, and above it a count of
  // changes, without which a chain that was taken and given back in between would not be noticed.
  MILLRACE_FUNCTION static std::uint64_t after(std::uint64_t word, std::uint32_t first) {
    return ((word >> 32) + 1) << 32 | first;
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_JOIN_CHAINS_H_
