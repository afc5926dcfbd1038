// SPDX-License-Identifier: Apache-2.0

// Millrace's own kernels for sorting on GPUs.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GPU_SORT_KERNELS_GPU_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GPU_SORT_KERNELS_GPU_H_

#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/algorithms/radix_sort/steps/records.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/warp_scan.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace millrace::MILLRACE_GPU {

using radix_sort::kSplitTile;
using radix_sort::NoValue;

// Indices of this thread and its warp in the grid, and their numbers.
MILLRACE_FUNCTION inline std::size_t grid_thread() {
  return static_cast<std::size_t>(block_index()) * block_threads() + thread_index();
}
MILLRACE_FUNCTION inline std::size_t grid_threads() {
  return static_cast<std::size_t>(grid_blocks()) * block_threads();
}
MILLRACE_FUNCTION inline int warp_index() { return thread_index() / warp_width(); }
MILLRACE_FUNCTION inline std::size_t grid_warp() { return grid_thread() / warp_width(); }
MILLRACE_FUNCTION inline std::size_t grid_warps() { return grid_threads() / warp_width(); }

MILLRACE_FUNCTION constexpr std::uint32_t count_ones(gpu::LaneMask mask) {
  mask -= mask >> 1 & 0x5555555555555555;
  mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333);
  mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<std::uint32_t>(mask * 0x0101010101010101 >> 56);
}

// A pass by a digit runs count_digits, a scan of the counts, and scatter_digits. Each warp has a
// range of records and a count of each digit; counts are ordered by digit, then by warp.
struct PassRange {
  int first_bit;
  int bits;
  std::size_t count;
  std::size_t warp_count;  // Records of a warp, a multiple of its width.

  template <class Bits>
  MILLRACE_FUNCTION std::uint32_t digit(Bits key) const {
    return static_cast<std::uint32_t>(key >> first_bit) & ((1U << bits) - 1);
  }
  MILLRACE_FUNCTION std::size_t begin() const { return least(grid_warp() * warp_count); }
  MILLRACE_FUNCTION std::size_t end() const { return least((grid_warp() + 1) * warp_count); }

  // This warp's words in shared memory, one a digit.
  MILLRACE_FUNCTION std::uint32_t* words() const {
    return reinterpret_cast<std::uint32_t*>(shared_memory()) +
           (std::size_t{1} << bits) * warp_index();
  }

 private:
  MILLRACE_FUNCTION std::size_t least(std::size_t index) const {
    return index < count ? index : count;
  }
};

template <class Bits>
MILLRACE_KERNEL void count_digits(PassRange range, const Bits* keys, std::uint32_t* counts) {
  std::uint32_t* const found = range.words();
  const std::uint32_t digits = 1U << range.bits;
  for (std::uint32_t d = lane_index(); d < digits; d += warp_width()) found[d] = 0;
  sync_warp();
  const std::size_t end = range.end();
  for (std::size_t i = range.begin() + lane_index(); i < end; i += warp_width()) {
    atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&found[range.digit(keys[i])], 1U);
  }
  sync_warp();
  for (std::uint32_t d = lane_index(); d < digits; d += warp_width()) {
    counts[d * grid_warps() + grid_warp()] = found[d];
  }
}

// Words that a thread of scan_words sums at a time.
inline constexpr int kScannedByThread = 8;

// Replaces each word by the sum of those before it, and words[count] by the sum of all. Writes the
// sum of the first of each `group` words to `starts`, unless that is null. Runs as one block.
static MILLRACE_KERNEL void scan_words(std::uint32_t* words, std::size_t count, std::size_t group,
                                       std::uint32_t* starts) {
  auto* const warp_sums = reinterpret_cast<std::uint32_t*>(shared_memory());
  const int warps = block_threads() / warp_width();
  const std::size_t step = static_cast<std::size_t>(block_threads()) * kScannedByThread;
  std::uint32_t before = 0;
  for (std::size_t first = 0; first < count; first += step) {
    const std::size_t begin = first + static_cast<std::size_t>(thread_index()) * kScannedByThread;
    std::uint32_t own[kScannedByThread];
    std::uint32_t sum_of_own = 0;
    for (int j = 0; j < kScannedByThread; ++j) {
      own[j] = begin + j < count ? words[begin + j] : 0;
      sum_of_own += own[j];
    }
    const std::uint32_t through_own = inclusive_sum(sum_of_own);
    if (lane_index() == warp_width() - 1) warp_sums[warp_index()] = through_own;
    sync_block();
    std::uint32_t sum = before + through_own - sum_of_own;
    for (int w = 0; w < warps; ++w) {
      if (w < warp_index()) sum += warp_sums[w];
      before += warp_sums[w];
    }
    sync_block();
    for (int j = 0; j < kScannedByThread; ++j) {
      const std::size_t i = begin + j;
      if (i < count) {
        words[i] = sum;
        if (starts != nullptr && i % group == 0) starts[i / group] = sum;
      }
      sum += own[j];
    }
  }
  if (thread_index() == 0) words[count] = before;
}

// Returns the lanes with the same `digit` as this lane.
MILLRACE_FUNCTION inline gpu::LaneMask lanes_alike(std::uint32_t digit, int bits) {
  gpu::LaneMask alike = ~gpu::LaneMask{0};
  for (int b = 0; b < bits; ++b) {
    const bool is_set = (digit >> b & 1) != 0;
    const gpu::LaneMask set = ballot(is_set);
    alike &= is_set ? set : ~set;
  }
  return alike;
}

// `Value` is NoValue or the type of `values`.
template <class Bits, class Value>
MILLRACE_KERNEL void scatter_digits(PassRange range, const Bits* keys, const Value* values,
                                    Bits* keys_out, Value* values_out,
                                    const std::uint32_t* first_indices) {
  std::uint32_t* const next = range.words();
  const std::uint32_t digits = 1U << range.bits;
  for (std::uint32_t d = lane_index(); d < digits; d += warp_width()) {
    next[d] = first_indices[d * grid_warps() + grid_warp()];
  }
  sync_warp();
  const std::size_t end = range.end();
  for (std::size_t first = range.begin(); first < end; first += warp_width()) {
    const std::size_t i = first + lane_index();
    const Bits key = i < end ? keys[i] : Bits{0};
    const std::uint32_t digit = range.digit(key);
    const gpu::LaneMask there = ballot(i < end);
    const gpu::LaneMask alike = lanes_alike(digit, range.bits) & there;
    const std::uint32_t rank = count_ones(alike & lanes_below());
    const std::uint32_t index = next[digit] + rank;
    if (i < end) {
      keys_out[index] = key;
      if constexpr (!std::is_same_v<Value, NoValue>) values_out[index] = values[i];
    }
    sync_warp();
    if (i < end && rank == 0) next[digit] = index + count_ones(alike);
    sync_warp();
  }
}

template <class Bits>
MILLRACE_KERNEL void map_bits(radix_sort::KeyBits<Bits> map, bool to_ordered, const Bits* from,
                              Bits* to, std::size_t count) {
  for (std::size_t i = grid_thread(); i < count; i += grid_threads()) {
    to[i] = to_ordered ? map.ordered(from[i]) : map.raw(from[i]);
  }
}

// Bits is std::uint8_t or std::uint16_t.
template <class Bits>
MILLRACE_KERNEL void widen_bits(radix_sort::KeyBits<Bits> map, const Bits* from, std::uint32_t* to,
                                std::size_t count) {
  for (std::size_t i = grid_thread(); i < count; i += grid_threads()) to[i] = map.ordered(from[i]);
}

// The inverse.
template <class Bits>
MILLRACE_KERNEL void narrow_bits(radix_sort::KeyBits<Bits> map, const std::uint32_t* from, Bits* to,
                                 std::size_t count) {
  for (std::size_t i = grid_thread(); i < count; i += grid_threads()) {
    to[i] = map.raw(static_cast<Bits>(from[i]));
  }
}

template <class Index>
MILLRACE_KERNEL void write_indices(Index* indices, std::size_t first, std::size_t count) {
  for (std::size_t i = grid_thread(); i < count; i += grid_threads()) {
    indices[i] = static_cast<Index>(first + i);
  }
}

template <class Value>
MILLRACE_KERNEL void gather_values(const Value* values, const std::uint32_t* indices, Value* out,
                                   std::size_t count) {
  for (std::size_t i = grid_thread(); i < count; i += grid_threads()) out[i] = values[indices[i]];
}

// See DeviceSortSteps::gather_within.
template <class Value>
MILLRACE_KERNEL void gather_values_within(const Value* values, const std::uint32_t* indices,
                                          std::size_t first, std::size_t end, Value* out,
                                          std::size_t count) {
  for (std::size_t i = grid_thread(); i < count; i += grid_threads()) {
    const std::uint32_t index = indices[i];
    if (index >= first && index < end) out[i] = values[index];
  }
}

// See PositionStep. A thread takes a limit.
template <class Bits>
MILLRACE_KERNEL void find_key_positions(const Bits* keys, std::size_t count,
                                        const radix_sort::KeyLimit* limits, std::size_t limit_count,
                                        std::uint64_t* positions) {
  for (std::size_t i = grid_thread(); i < limit_count; i += grid_threads()) {
    const radix_sort::KeyLimit limit = limits[i];
    std::size_t begin = 0;
    std::size_t end = count;
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      const std::uint64_t key = keys[middle];
      if (key < limit.key || (key == limit.key && limit.is_behind != 0)) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    positions[i] = begin;
  }
}

// See EarlyOutputs. A warp takes a tile; warps have 32 or 64 lanes.
static MILLRACE_KERNEL void mark_indices(const std::uint32_t* indices, std::size_t count,
                                         std::uint32_t limit, std::uint32_t* mask,
                                         std::uint32_t* tile_counts) {
  const std::size_t tiles = (count + kSplitTile - 1) / kSplitTile;
  for (std::size_t tile = grid_warp(); tile < tiles; tile += grid_warps()) {
    std::uint32_t marked_before = 0;
    for (std::size_t step = 0; step < kSplitTile; step += warp_width()) {
      const std::size_t i = tile * kSplitTile + step + lane_index();
      const gpu::LaneMask marked = ballot(i < count && indices[i] < limit);
      if (lane_index() % 32 == 0 && i < count) {
        mask[i / 32] = static_cast<std::uint32_t>(marked >> lane_index());
      }
      marked_before += count_ones(marked);
    }
    if (lane_index() == 0) tile_counts[tile] = marked_before;
  }
}

// See TileGatherStep.
template <class Value>
struct TileGather {
  const Value* values;
  const std::uint32_t* indices;
  std::size_t count;
  std::uint32_t limit;
  const std::uint32_t* tile_starts;
  bool early;
  std::size_t first_tile;
  std::size_t end_tile;
  Value* out;
};

// A warp takes a tile.
template <class Value>
MILLRACE_KERNEL void gather_in_tiles(TileGather<Value> gather) {
  const std::size_t first = gather.first_tile + grid_warp();
  for (std::size_t tile = first; tile < gather.end_tile; tile += grid_warps()) {
    const std::size_t start = gather.tile_starts[tile];
    std::size_t position = gather.early ? start : tile * kSplitTile - start;
    for (std::size_t step = 0; step < kSplitTile; step += warp_width()) {
      const std::size_t i = tile * kSplitTile + step + lane_index();
      const std::uint32_t index = i < gather.count ? gather.indices[i] : 0;
      const bool is_wanted = i < gather.count && (index < gather.limit) == gather.early;
      const gpu::LaneMask wanted = ballot(is_wanted);
      if (is_wanted) {
        gather.out[position + count_ones(wanted & lanes_below())] = gather.values[index];
      }
      position += count_ones(wanted);
    }
  }
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GPU_SORT_KERNELS_GPU_H_
