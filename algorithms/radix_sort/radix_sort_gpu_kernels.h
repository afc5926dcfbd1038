// Kernels of Millrace's own that sorting on GPUs is made of.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_GPU_KERNELS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_GPU_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <millrace/algorithms/radix_sort/host_sort_steps.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/target_function.h>

namespace millrace::MILLRACE_GPU {

using radix_sort::kSplitTile;

// In kernels of records without values.
struct NoValue {};

// Where this thread, or its warp, is in the grid.
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

MILLRACE_FUNCTION inline gpu::LaneMask lower_lanes() {
  return (gpu::LaneMask{1} << lane_index()) - 1;
}

// A pass by a digit: count_digits, scan of the counts, scatter_digits. Each warp has a range of
// records, and a count of each digit; counts are in the order of digits, then of warps.
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
  MILLRACE_FUNCTION std::size_t least(std::size_t place) const {
    return place < count ? place : count;
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

// The sum of `value` of all lower lanes of the warp and of this one.
MILLRACE_FUNCTION inline std::uint32_t warp_inclusive_sum(std::uint32_t value) {
  for (int distance = 1; distance < warp_width(); distance *= 2) {
    const int source = lane_index() - distance;
    const std::uint32_t lower = shuffle(value, source < 0 ? lane_index() : source);
    if (source >= 0) value += lower;
  }
  return value;
}

// One block: each word becomes the sum of those before it; words[count] the sum of all. Of each
// `group` words the first's sum goes to `starts`, unless that is null.
static MILLRACE_KERNEL void scan_words(std::uint32_t* words, std::size_t count, std::size_t group,
                                       std::uint32_t* starts) {
  auto* const warp_sums = reinterpret_cast<std::uint32_t*>(shared_memory());
  const int warps = block_threads() / warp_width();
  std::uint32_t before = 0;
  for (std::size_t first = 0; first < count; first += block_threads()) {
    const std::size_t i = first + thread_index();
    const std::uint32_t own = i < count ? words[i] : 0;
    const std::uint32_t through_own = warp_inclusive_sum(own);
    if (lane_index() == warp_width() - 1) warp_sums[warp_index()] = through_own;
    sync_block();
    std::uint32_t sum = before + through_own - own;
    for (int w = 0; w < warps; ++w) {
      if (w < warp_index()) sum += warp_sums[w];
      before += warp_sums[w];
    }
    sync_block();
    if (i < count) {
      words[i] = sum;
      if (starts != nullptr && i % group == 0) starts[i / group] = sum;
    }
  }
  if (thread_index() == 0) words[count] = before;
}

// The lanes whose `digit` is this lane's.
MILLRACE_FUNCTION inline gpu::LaneMask lanes_alike(std::uint32_t digit, int bits) {
  gpu::LaneMask alike = ~gpu::LaneMask{0};
  for (int b = 0; b < bits; ++b) {
    const bool is_set = (digit >> b & 1) != 0;
    const gpu::LaneMask set = ballot(is_set);
    alike &= is_set ? set : ~set;
  }
  return alike;
}

// `Value` is NoValue or what `values` are.
template <class Bits, class Value>
MILLRACE_KERNEL void scatter_digits(PassRange range, const Bits* keys, const Value* values,
                                    Bits* keys_out, Value* values_out,
                                    const std::uint32_t* first_places) {
  std::uint32_t* const next = range.words();
  const std::uint32_t digits = 1U << range.bits;
  for (std::uint32_t d = lane_index(); d < digits; d += warp_width()) {
    next[d] = first_places[d * grid_warps() + grid_warp()];
  }
  sync_warp();
  const std::size_t end = range.end();
  for (std::size_t first = range.begin(); first < end; first += warp_width()) {
    const std::size_t i = first + lane_index();
    const Bits key = i < end ? keys[i] : Bits{0};
    const std::uint32_t digit = range.digit(key);
    const gpu::LaneMask there = ballot(i < end);
    const gpu::LaneMask alike = lanes_alike(digit, range.bits) & there;
    const std::uint32_t rank = count_ones(alike & lower_lanes());
    const std::uint32_t place = next[digit] + rank;
    if (i < end) {
      keys_out[place] = key;
      if constexpr (!std::is_same_v<Value, NoValue>) values_out[place] = values[i];
    }
    sync_warp();
    if (i < end && rank == 0) next[digit] = place + count_ones(alike);
    sync_warp();
  }
}

// How many of the first `diagonal` outputs of a merge are from `a`.
template <class Bits>
MILLRACE_FUNCTION std::size_t outputs_from_a(const Bits* a, std::size_t a_count, const Bits* b,
                                             std::size_t b_count, std::size_t diagonal) {
  std::size_t low = diagonal > b_count ? diagonal - b_count : 0;
  std::size_t high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (b[diagonal - 1 - middle] < a[middle]) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Two sorted runs, to be merged.
template <class Bits, class Value>
struct Runs {
  const Bits* a;
  const Value* a_values;
  std::size_t a_count;
  const Bits* b;
  const Value* b_values;
  std::size_t b_count;

  MILLRACE_FUNCTION std::size_t count() const { return a_count + b_count; }
};

// Outputs of a thread of merge_runs; odd, so that threads next to each other use other banks of
// shared memory.
inline constexpr int kMergedByThread = 15;

// Shared memory that merge_runs needs: a tile of keys, and where each was.
template <class Bits>
constexpr std::size_t merge_shared_bytes(int threads) {
  return threads * kMergedByThread * (sizeof(Bits) + sizeof(std::uint16_t)) +
         2 * sizeof(std::size_t);
}

// A block writes a tile of outputs: it loads their inputs, which each thread merges a part of.
// (CUB's merge does not promise that equal keys keep their order.)
template <class Bits, class Value>
MILLRACE_KERNEL void merge_runs(Runs<Bits, Value> runs, Bits* out, Value* out_values) {
  const int tile = block_threads() * kMergedByThread;
  auto* const from_a = reinterpret_cast<std::size_t*>(shared_memory());
  auto* const keys = reinterpret_cast<Bits*>(from_a + 2);
  auto* const places = reinterpret_cast<std::uint16_t*>(keys + tile);
  const std::size_t step = static_cast<std::size_t>(grid_blocks()) * tile;
  for (std::size_t first = static_cast<std::size_t>(block_index()) * tile; first < runs.count();
       first += step) {
    const int count = runs.count() - first < static_cast<std::size_t>(tile)
                          ? static_cast<int>(runs.count() - first)
                          : tile;
    if (thread_index() < 2) {
      from_a[thread_index()] = outputs_from_a(runs.a, runs.a_count, runs.b, runs.b_count,
                                              first + (thread_index() == 0 ? 0 : count));
    }
    sync_block();
    const std::size_t a_first = from_a[0];
    const std::size_t b_first = first - a_first;
    const int a_count = static_cast<int>(from_a[1] - a_first);
    for (int i = thread_index(); i < count; i += block_threads()) {
      keys[i] = i < a_count ? runs.a[a_first + i] : runs.b[b_first + (i - a_count)];
    }
    sync_block();
    const int begin = thread_index() * kMergedByThread;
    int a_next = 0;
    if (begin < count) {
      a_next = static_cast<int>(outputs_from_a(
          keys, static_cast<std::size_t>(a_count), keys + a_count,
          static_cast<std::size_t>(count - a_count), static_cast<std::size_t>(begin)));
    }
    int b_next = a_count + begin - a_next;
    Bits merged[kMergedByThread];
    for (int j = 0; j < kMergedByThread; ++j) {
      if (begin + j >= count) continue;
      const bool takes_a = b_next == count || (a_next < a_count && !(keys[b_next] < keys[a_next]));
      const int place = takes_a ? a_next++ : b_next++;
      merged[j] = keys[place];
      places[begin + j] = static_cast<std::uint16_t>(place);
    }
    sync_block();
    for (int j = 0; j < kMergedByThread; ++j) {
      if (begin + j < count) keys[begin + j] = merged[j];
    }
    sync_block();
    for (int i = thread_index(); i < count; i += block_threads()) {
      out[first + i] = keys[i];
      if constexpr (!std::is_same_v<Value, NoValue>) {
        const int place = places[i];
        out_values[first + i] = place < a_count ? runs.a_values[a_first + place]
                                                : runs.b_values[b_first + (place - a_count)];
      }
    }
    sync_block();
  }
}

template <class Bits>
MILLRACE_KERNEL void map_bits(radix_sort::KeyBits<Bits> map, bool to_ordered, const Bits* from,
                              Bits* to, std::size_t count) {
  for (std::size_t i = grid_thread(); i < count; i += grid_threads()) {
    to[i] = to_ordered ? map.ordered(from[i]) : map.raw(from[i]);
  }
}

template <class Index>
MILLRACE_KERNEL void number_places(Index* indices, std::size_t first, std::size_t count) {
  for (std::size_t i = grid_thread(); i < count; i += grid_threads()) {
    indices[i] = static_cast<Index>(first + i);
  }
}

template <class Value>
MILLRACE_KERNEL void gather_values(const Value* values, const std::uint32_t* indices, Value* out,
                                   std::size_t count) {
  for (std::size_t i = grid_thread(); i < count; i += grid_threads()) out[i] = values[indices[i]];
}

// See SortSteps::mark_early. A warp takes a tile; warps have 32 or 64 lanes.
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

// See SortSteps::gather_part.
template <class Value>
MILLRACE_KERNEL void gather_tiles(const Value* values, const std::uint32_t* indices,
                                  std::size_t count, std::uint32_t limit,
                                  const std::uint32_t* tile_starts, bool early,
                                  std::size_t first_tile, std::size_t end_tile, Value* out) {
  for (std::size_t tile = first_tile + grid_warp(); tile < end_tile; tile += grid_warps()) {
    const std::size_t start = tile_starts[tile];
    std::size_t place = early ? start : tile * kSplitTile - start;
    for (std::size_t step = 0; step < kSplitTile; step += warp_width()) {
      const std::size_t i = tile * kSplitTile + step + lane_index();
      const std::uint32_t index = i < count ? indices[i] : 0;
      const bool is_wanted = i < count && (index < limit) == early;
      const gpu::LaneMask wanted = ballot(is_wanted);
      if (is_wanted) out[place + count_ones(wanted & lower_lanes())] = values[index];
      place += count_ones(wanted);
    }
  }
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_GPU_KERNELS_H_
