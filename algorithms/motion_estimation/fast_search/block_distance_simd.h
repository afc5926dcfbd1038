// SPDX-License-Identifier: Apache-2.0

// Distances between blocks on one CPU thread with the processor's best SIMD instructions, chosen at
// run time.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_SIMD_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_SIMD_H_

#include <cstddef>
#include <cstdint>

namespace millrace::motion {

// A view of samples; rows are at a distance of `stride` samples.
template <class Sample>
struct Samples {
  const Sample* data = nullptr;
  std::ptrdiff_t stride = 0;
};

// Width and height in samples: 4, 8 or 16 each.
struct BlockSize {
  int width = 0;
  int height = 0;
};

// A row of candidates for a block, side by side, the first at `first`.
template <class Sample>
struct CandidateRow {
  Samples<Sample> first;
  int count = 0;
  const std::uint32_t* rates = nullptr;

  // Number of candidates after the last that are evaluated too. Their samples must be readable, and
  // their rates so large that they never cost least.
  static constexpr int kExtra = 31;
  static constexpr std::uint32_t kExtraRate = std::uint32_t{1} << 30;
};

// Pure functions; any thread may call them.
template <class Sample>
struct BlockDistance {
  // Returns the sum of absolute differences.
  std::uint32_t (*sad)(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size);

  // Returns the sum of satd_4x4 (quarter_sample.h) of the 4x4 blocks.
  std::uint32_t (*satd)(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size);

  // Writes (a + b + 1) >> 1 of each sample to dense rows of 16 samples.
  void (*average)(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size,
                  Sample* out);

  // Writes 32 * SAD + rate of each candidate to `costs`, which has kExtra more elements than
  // candidates, and returns the least.
  std::uint32_t (*row_costs)(const Samples<Sample>& block, const BlockSize& size,
                             const CandidateRow<Sample>& row, std::uint32_t* costs);
};

// Returns the functions for std::uint8_t or std::uint16_t (10 bits).
template <class Sample>
const BlockDistance<Sample>& block_distance();

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_SIMD_H_
