// SPDX-License-Identifier: Apache-2.0

// Device side: the indices of a thread, barriers and collectives.
#ifndef MILLRACE_BACKENDS_SIMT_DEVICE_CALLS_H_
#define MILLRACE_BACKENDS_SIMT_DEVICE_CALLS_H_

#include <millrace/backends/simt/host/devices.h>
#include <millrace/backends/simt/launch/kernel_run.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <string>
#include <type_traits>

namespace millrace::simt_backend {

inline int thread_index() { return simt::this_thread->index; }
inline int block_threads() { return simt::this_thread->run->block_threads(); }
inline int block_index() { return simt::this_thread->block->index; }
inline int grid_blocks() { return simt::this_thread->run->grid_blocks(); }
inline int warp_width() { return simt::this_thread->run->warp_width(); }
inline int lane_index() { return simt::this_thread->lane; }

inline char* shared_memory() { return simt::this_thread->block->shared.get(); }

inline void sync_block(std::source_location location = std::source_location::current()) {
  simt::this_thread->run->sync_block(location);
}

inline void sync_warp(std::source_location location = std::source_location::current()) {
  simt::this_thread->run->sync_warp(location);
}

inline gpu::LaneMask ballot(bool predicate,
                            std::source_location location = std::source_location::current()) {
  return simt::this_thread->run->ballot(predicate, location);
}

// Programmatic dependent launch is not supported, so these do nothing.
inline void wait_for_previous_kernel() {}
inline void launch_dependents() {}

[[noreturn]] inline void exit_thread() { simt::this_thread->run->exit_thread(); }

}  // namespace millrace::simt_backend

namespace millrace::simt {

// `source` is the lane that is read, or the caller's own if the shuffle keeps the value.
template <class T>
T shuffle_value(Collective collective, T value, int source, const std::source_location& location) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
  KernelRun& run = *this_thread->run;
  if (source < 0 || source >= run.warp_width()) {
    run.fail(describe_bad_source(collective, source, location));
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = run.exchange(collective, bits, source, location);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace millrace::simt

namespace millrace::simt_backend {

template <class T>
T shuffle(T value, int lane, std::source_location location = std::source_location::current()) {
  return simt::shuffle_value(simt::Collective::kShuffle, value, lane, location);
}

// The last lanes, which have no lane to read from, get their own values.
template <class T>
T shuffle_down(T value, int delta,
               std::source_location location = std::source_location::current()) {
  const bool has_source = delta < 0 || lane_index() + delta < warp_width();
  return simt::shuffle_value(simt::Collective::kShuffleDown, value,
                             lane_index() + (has_source ? delta : 0), location);
}

template <class T>
T shuffle_xor(T value, int mask, std::source_location location = std::source_location::current()) {
  return simt::shuffle_value(simt::Collective::kShuffleXor, value, lane_index() ^ mask, location);
}

// ---- Arithmetic on words of several numbers.

template <unsigned kSelector>
std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const unsigned from = kSelector >> (4 * byte) & 7;
    result |= static_cast<std::uint32_t>(both >> (8 * from) & 0xff) << (8 * byte);
  }
  return result;
}

inline std::uint32_t min_halves(std::uint32_t a, std::uint32_t b) {
  return std::min(a >> 16, b >> 16) << 16 | std::min(a & 0xffff, b & 0xffff);
}

inline std::uint32_t max_halves(std::uint32_t a, std::uint32_t b) {
  return std::max(a >> 16, b >> 16) << 16 | std::max(a & 0xffff, b & 0xffff);
}

template <class Sample>
std::uint32_t sum_absolute_differences(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(Sample)) {
    const auto of_a = static_cast<Sample>(a >> shift);
    const auto of_b = static_cast<Sample>(b >> shift);
    sum += static_cast<std::uint32_t>(of_a < of_b ? of_b - of_a : of_a - of_b);
  }
  return sum;
}

}  // namespace millrace::simt_backend

#endif  // MILLRACE_BACKENDS_SIMT_DEVICE_CALLS_H_
