// SPDX-License-Identifier: Apache-2.0

// The kernels that merge two sorted runs in device memory.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GPU_MERGE_KERNELS_GPU_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GPU_MERGE_KERNELS_GPU_H_

#include <millrace/algorithms/radix_sort/gpu/sort_kernels_gpu.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/warp_scan.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace millrace::MILLRACE_GPU {

// Returns the number of the first `diagonal` outputs of a merge that are from `a`.
template <class Bits>
MILLRACE_FUNCTION int outputs_from_a(const Bits* a, int a_count, const Bits* b, int b_count,
                                     int diagonal) {
  int low = diagonal > b_count ? diagonal - b_count : 0;
  int high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (b[diagonal - 1 - middle] < a[middle]) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Returns the same for runs of any length. All lanes of a warp call it with the same arguments, and
// each tests one position at a time.
template <class Bits>
MILLRACE_FUNCTION std::size_t outputs_from_a_by_warp(const Bits* a, std::size_t a_count,
                                                     const Bits* b, std::size_t b_count,
                                                     std::size_t diagonal) {
  std::size_t low = diagonal > b_count ? diagonal - b_count : 0;
  std::size_t high = diagonal < a_count ? diagonal : a_count;
  const auto lane = static_cast<std::size_t>(lane_index());
  const auto lanes = static_cast<std::size_t>(warp_width());
  while (low < high) {
    const std::size_t step = (high - low + lanes - 1) / lanes;
    const std::size_t position = low + lane * step;
    // If it is true at a position, it is true at all before it.
    const bool is_from_a = position < high && !(b[diagonal - 1 - position] < a[position]);
    const auto from_a = static_cast<std::size_t>(lanes_in(ballot(is_from_a)));
    if (from_a == 0) return low;
    low += (from_a - 1) * step + 1;
    high = low - 1 + step < high ? low - 1 + step : high;
  }
  return low;
}

// Two sorted runs, inputs of a merge.
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

// Outputs of a thread of MergeKernel; odd, so that neighbouring threads use different banks of
// shared memory.
inline constexpr int kMergedByThread = 15;

// Returns the bytes of shared memory that MergeKernel needs: a tile of keys, and the index of each
// in the inputs.
template <class Bits>
constexpr std::size_t merge_shared_bytes(int threads) {
  return threads * kMergedByThread * (sizeof(Bits) + sizeof(std::uint16_t));
}

// Outputs of a merge in tiles.
struct MergeRange {
  std::size_t first;
  std::size_t count;
  std::size_t tile;  // Outputs of a tile.

  MILLRACE_FUNCTION std::size_t tiles() const { return (count + tile - 1) / tile; }
  MILLRACE_FUNCTION std::size_t begin(std::size_t t) const {
    return first + (t < tiles() ? t * tile : count);
  }
};

// Sets from_a[t] to the number of outputs before tile t that are from `a`, for all tiles and behind
// the last.
template <class Bits, class Value>
MILLRACE_KERNEL void split_merge(Runs<Bits, Value> runs, MergeRange range, std::size_t* from_a) {
  const auto width = static_cast<std::size_t>(warp_width());
  for (std::size_t t = grid_thread() / width; t <= range.tiles(); t += grid_threads() / width) {
    const std::size_t from =
        outputs_from_a_by_warp(runs.a, runs.a_count, runs.b, runs.b_count, range.begin(t));
    if (lane_index() == 0) from_a[t] = from;
  }
}

// A tile of a merge: outputs that one block writes.
template <class Bits, class Value>
struct MergeTile {
  // Inputs are counted together: those of `a`, then those of `b`.
  const Bits* a;
  const Bits* b;  // b[a_count] is its first input.
  const Value* a_values;
  const Value* b_values;
  int a_count;
  int count;
  Bits* out;
  Value* out_values;
  Bits* keys;             // Shared: the inputs' keys, then the outputs'.
  std::uint16_t* inputs;  // Shared: the index of the input that each output is.

  // Calls work(j, i) for each index i of the tile that this thread loads or stores; neighbouring
  // threads have neighbouring indices.
  template <class Work>
  MILLRACE_FUNCTION void for_striped(const Work& work) const {
    for (int j = 0; j < kMergedByThread; ++j) {
      const int i = thread_index() + j * block_threads();
      if (i < count) work(j, i);
    }
  }

  MILLRACE_FUNCTION void load() const {
    Bits loaded[kMergedByThread];
    for_striped([&](int j, int i) { loaded[j] = (i < a_count ? a : b)[i]; });
    for_striped([&](int j, int i) { keys[i] = loaded[j]; });
  }

  // Each thread merges the inputs of kMergedByThread outputs that follow each other.
  MILLRACE_FUNCTION void merge() const {
    const int begin = thread_index() * kMergedByThread;
    const int end = begin + kMergedByThread < count ? begin + kMergedByThread : count;
    int a_next =
        begin < count ? outputs_from_a(keys, a_count, keys + a_count, count - a_count, begin) : 0;
    int b_next = a_count + begin - a_next;
    Bits merged[kMergedByThread];
    for (int j = 0; j < kMergedByThread; ++j) {
      if (begin + j < end) {
        const bool takes_a =
            b_next == count || (a_next < a_count && !(keys[b_next] < keys[a_next]));
        const int input = takes_a ? a_next++ : b_next++;
        merged[j] = keys[input];
        inputs[begin + j] = static_cast<std::uint16_t>(input);
      }
    }
    sync_block();
    for (int j = 0; j < kMergedByThread; ++j) {
      if (begin + j < end) keys[begin + j] = merged[j];
    }
  }

  MILLRACE_FUNCTION void store() const {
    for_striped([&](int, int i) { out[i] = keys[i]; });
    if constexpr (!std::is_same_v<Value, NoValue>) {
      Value moved[kMergedByThread];
      for_striped([&](int j, int i) {
        const int input = inputs[i];
        moved[j] = (input < a_count ? a_values : b_values)[input];
      });
      for_striped([&](int j, int i) { out_values[i] = moved[j]; });
    }
  }
};

// The kernel, as a body (api.h). CUB's merge does not promise that equal keys keep their order.
template <class Bits, class Value>
struct MergeKernel {
  static constexpr int kMaxThreads = 256;
  // With more blocks, registers would spill to memory.
  static constexpr int kTargetBlocks =
      std::is_same_v<Value, NoValue> || sizeof(Bits) == sizeof(Value) ? 3 : 2;

  Runs<Bits, Value> runs;
  MergeRange range;
  const std::size_t* from_a;
  Bits* out;
  Value* out_values;

  MILLRACE_FUNCTION void operator()() const {
    auto* const keys = reinterpret_cast<Bits*>(shared_memory());
    auto* const inputs = reinterpret_cast<std::uint16_t*>(keys + range.tile);
    for (std::size_t t = block_index(); t < range.tiles(); t += grid_blocks()) {
      const std::size_t first = range.begin(t);
      const std::size_t a_first = from_a[t];
      const auto a_count = static_cast<int>(from_a[t + 1] - a_first);
      // Shifted so that the inputs of `b` are counted behind those of `a`.
      const auto b_first = static_cast<std::ptrdiff_t>(first - a_first) - a_count;
      const MergeTile<Bits, Value> tile{runs.a + a_first,
                                        runs.b + b_first,
                                        moved(runs.a_values, static_cast<std::ptrdiff_t>(a_first)),
                                        moved(runs.b_values, b_first),
                                        a_count,
                                        static_cast<int>(range.begin(t + 1) - first),
                                        out + first,
                                        moved(out_values, static_cast<std::ptrdiff_t>(first)),
                                        keys,
                                        inputs};
      tile.load();
      sync_block();
      tile.merge();
      sync_block();
      tile.store();
      sync_block();
    }
  }

 private:
  // Returns null if there are no values.
  template <class T>
  MILLRACE_FUNCTION static T* moved(T* data, std::ptrdiff_t by) {
    if constexpr (std::is_same_v<Value, NoValue>) return nullptr;
    return data + by;
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GPU_MERGE_KERNELS_GPU_H_
