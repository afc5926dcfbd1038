// SPDX-License-Identifier: Apache-2.0

// Outputs of a gather that are downloaded before the others.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_EARLY_OUTPUTS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_EARLY_OUTPUTS_H_

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

// Outputs of a tile; the last tile may be shorter.
inline constexpr std::size_t kSplitTile = 1024;

// An output is early if its index is below `limit`. Bit i % 32 of mask[i / 32] is set if output i
// is early; bits behind the last output are 0. tile_starts[t] is the number of early outputs before
// tile t, and, behind the last tile, of all. Both arrays are in device or pinned memory.
struct EarlyOutputs {
  const std::uint32_t* indices = nullptr;
  std::size_t count = 0;
  std::uint32_t limit = 0;
  std::uint32_t* mask = nullptr;
  std::uint32_t* tile_starts = nullptr;
};

// Gathers the values of early outputs, or of the others, of whole tiles [first_tile, end_tile).
// `out` begins with the first of all such outputs.
struct TileGatherStep {
  std::size_t value_bytes = 4;
  const void* values = nullptr;
  EarlyOutputs outputs;  // After mark_early.
  bool early = true;
  std::size_t first_tile = 0;
  std::size_t end_tile = 0;
  void* out = nullptr;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_EARLY_OUTPUTS_H_
