// SPDX-License-Identifier: Apache-2.0

// Device side: where a thread is, and what threads of a warp or block do together.
#ifndef MILLRACE_BACKENDS_SIMT_DEVICE_CALLS_H_
#define MILLRACE_BACKENDS_SIMT_DEVICE_CALLS_H_

#include <cstdint>
#include <cstring>
#include <source_location>
#include <string>
#include <type_traits>

#include <millrace/backends/simt/host/devices.h>
#include <millrace/backends/simt/launch/kernel_run.h>

namespace millrace::simt_backend {

inline int thread_index() { return simt::this_thread->index; }
inline int block_threads() { return simt::this_thread->run->block_threads(); }
inline int block_index() { return simt::this_thread->block->index; }
inline int grid_blocks() { return simt::this_thread->run->grid_blocks(); }
inline int warp_width() { return simt::this_thread->run->warp_width(); }
inline int lane_index() { return simt::this_thread->lane; }

inline char* shared_memory() { return simt::this_thread->block->shared.get(); }

inline void sync_block(std::source_location place = std::source_location::current()) {
  simt::this_thread->run->sync_block(place);
}

inline void sync_warp(std::source_location place = std::source_location::current()) {
  simt::this_thread->run->sync_warp(place);
}

inline gpu::LaneMask ballot(bool predicate,
                            std::source_location place = std::source_location::current()) {
  return simt::this_thread->run->ballot(predicate, place);
}

// No launch begins early.
inline void wait_for_kernel_before() {}
inline void let_next_begin() {}

[[noreturn]] inline void exit_thread() { simt::this_thread->run->exit_thread(); }

}  // namespace millrace::simt_backend

namespace millrace::simt {

// `source` is the lane read; the caller's own where a shuffle leaves the value as it is.
template <class T>
T shuffle_value(Meeting meeting, T value, int source, const std::source_location& place) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
  KernelRun& run = *this_thread->run;
  if (source < 0 || source >= run.warp_width()) {
    run.fail(describe_bad_source(meeting, source, place));
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = run.exchange(meeting, bits, source, place);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace millrace::simt

namespace millrace::simt_backend {

template <class T>
T shuffle(T value, int lane, std::source_location place = std::source_location::current()) {
  return simt::shuffle_value(simt::Meeting::kShuffle, value, lane, place);
}

// The last lanes, which have none below them to read, get their own value back.
template <class T>
T shuffle_down(T value, int delta, std::source_location place = std::source_location::current()) {
  const bool has_source = delta < 0 || lane_index() + delta < warp_width();
  return simt::shuffle_value(simt::Meeting::kShuffleDown, value,
                             lane_index() + (has_source ? delta : 0), place);
}

template <class T>
T shuffle_xor(T value, int mask, std::source_location place = std::source_location::current()) {
  return simt::shuffle_value(simt::Meeting::kShuffleXor, value, lane_index() ^ mask, place);
}

}  // namespace millrace::simt_backend

#endif  // MILLRACE_BACKENDS_SIMT_DEVICE_CALLS_H_
