// SPDX-License-Identifier: Apache-2.0

// The samples around a 4x4 block that its refined vectors read.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_BLOCK_HALF_SAMPLES_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_BLOCK_HALF_SAMPLES_H_

#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/algorithms/motion_estimation/gpu/sample_patch.h>
#include <millrace/algorithms/motion_estimation/gpu/satd_block.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/backends/gpu/api.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Size of BlockHalfSamples in shared memory: 67 words per thread, the last of which is read, but
// not used.
template <int kThreads>
inline constexpr std::size_t kRefinementBytes = 67 * kThreads * sizeof(std::uint32_t);

// Whole and half samples around a 4x4 block, as far as refined vectors reach, in the caller's range
// of shared memory. For the first kThreads threads of a block. Positions (x, y) are in half samples
// from the block's first, -2 to 8 each.
template <class Sample, int kThreads>
class BlockHalfSamples {
 public:
  // A thread's words are at a distance of kThreads, so that lanes have no bank conflicts, wherever
  // they read.
  MILLRACE_FUNCTION explicit BlockHalfSamples(std::uint32_t* block_words)
      : words_(block_words + thread_index()) {}

  // Computes H.264's equations 8-241 to 8-248: b between columns, h between rows, j between both.
  MILLRACE_FUNCTION void interpolate(const SamplePatch<Sample>& patch) {
    Rows whole = {};
    Rows between = {};  // Biased and unrounded.
    for_constants<Patch::kSize>([&](auto row) {
      typename Patch::Row pairs;
      patch.get(row, pairs);
      constexpr int kNewest = row % kTaps;
      for (int i = 0; i < kPairs; ++i) whole[kNewest][i] = pairs[i + 1];
      filter_row(pairs, between[kNewest]);
      constexpr int kOfBlock = row - (Patch::kBefore - 1);
      if constexpr (kOfBlock >= 0 && kOfBlock < kWholeRows) {
        for (int i = 0; i < kPairs; ++i) {
          put(kWhole + kOfBlock, i, whole[kNewest][i]);
          put(kBetweenColumns + kOfBlock, i, rounded(between[kNewest][i]));
        }
      }
      constexpr int kBetween = row - (kTaps - 1);
      if constexpr (kBetween >= 0) {
        for (int i = 0; i < kPairs; ++i) {
          const auto tap = [&](const Rows& rows, int j) { return rows[(kBetween + j) % kTaps][i]; };
          put(kBetweenRows + kBetween, i,
              rounded(kRounding + six_taps(tap(whole, 0), tap(whole, 1), tap(whole, 2),
                                           tap(whole, 3), tap(whole, 4), tap(whole, 5))));
          const Pair taps[kTaps] = {tap(between, 0), tap(between, 1), tap(between, 2),
                                    tap(between, 3), tap(between, 4), tap(between, 5)};
          Pair both = middle(taps, 0);
          if (i + 1 < kPairs) both |= middle(taps, 16) << 16;  // There is no sixth column.
          put(kBetweenBoth + kBetween, i, both);
        }
      }
    });
  }

  // Returns four rows of four samples from (x, y) on; rows, and samples in them, are at a distance
  // of two half samples.
  MILLRACE_FUNCTION SampleBlock block(int x, int y) const {
    SampleBlock block;
    get(x, y, block.rows);
    return block;
  }

  template <int kRows>
  MILLRACE_FUNCTION void get(int x, int y, SampleRow (&rows)[kRows]) const {
    const int column = (x >> 1) + 1;
    const int kind = (y & 1) != 0 ? ((x & 1) != 0 ? kBetweenBoth : kBetweenRows)
                                  : ((x & 1) != 0 ? kBetweenColumns : kWhole);
    const std::uint32_t* const words =
        words_ + ((kind + (y >> 1) + 1) * kPairs + (column >> 1)) * kThreads;
    const int shift = 16 * (column & 1);
    for (int row = 0; row < kRows; ++row) {
      const Pair middle = words[(row * kPairs + 1) * kThreads];
      rows[row] = {{funnel_shift(words[row * kPairs * kThreads], middle, shift),
                    funnel_shift(middle, words[(row * kPairs + 2) * kThreads], shift)}};
    }
  }

 private:
  using Patch = SamplePatch<Sample>;
  static constexpr int kTaps = 6;
  static constexpr int kPairs = 3;
  static constexpr int kWholeRows = 6;      // Rows -1 to 4.
  static constexpr int kBetweenRowsOf = 5;  // Rows -1 to 3, and a half.

  // First row of each kind.
  static constexpr int kWhole = 0;
  static constexpr int kBetweenColumns = kWhole + kWholeRows;
  static constexpr int kBetweenRows = kBetweenColumns + kWholeRows;
  static constexpr int kBetweenBoth = kBetweenRows + kBetweenRowsOf;

  using Rows = Pair[kTaps][kPairs];

  // Exceeds the largest negative sum of six taps, and is a multiple of 32, so that it can be
  // subtracted after the division.
  static constexpr int kBias = 10 * (motion::kLargestSample<Sample> + 1);
  static constexpr Pair kRounding = pair_of(kBias + 16);

  MILLRACE_FUNCTION static constexpr Pair six_taps(Pair a, Pair b, Pair c, Pair d, Pair e, Pair f) {
    return a + f + 20 * (c + d) - 5 * (b + e);
  }

  MILLRACE_FUNCTION static void filter_row(const typename Patch::Row& pairs, Pair (&out)[kPairs]) {
    Pair odd[Patch::kPairs];  // Pairs that begin at the second sample of each pair.
    for (int i = 0; i < Patch::kPairs; ++i) {
      odd[i] = funnel_shift(pairs[i], i + 1 < Patch::kPairs ? pairs[i + 1] : 0, 16);
    }
    for (int i = 0; i < kPairs; ++i) {
      out[i] = kRounding +
               six_taps(pairs[i], odd[i], pairs[i + 1], odd[i + 1], pairs[i + 2], odd[i + 2]);
    }
  }

  // Returns the samples of sums that contain kRounding.
  MILLRACE_FUNCTION static Pair rounded(Pair sums) {
    constexpr Pair kZero = pair_of(kBias / 32);
    constexpr Pair kMost = pair_of(kBias / 32 + motion::kLargestSample<Sample>);
    const Pair samples = sums >> 5 & pair_of(0xffff >> 5);
    return min_halves(max_halves(samples, kZero), kMost) - kZero;
  }

  // Filters six unrounded sums in a column, in one half of pairs that contain kRounding, which also
  // rounds the result.
  MILLRACE_FUNCTION static Pair middle(const Pair (&taps)[kTaps], int shift) {
    const auto of = [&](int i) { return static_cast<int>(taps[i] >> shift & 0xffff); };
    const int sum = motion::six_taps(of(0), of(1), of(2), of(3), of(4), of(5)) - 32 * kBias;
    return static_cast<Pair>(motion::clip_sample<Sample>(sum >> 10));
  }

  MILLRACE_FUNCTION void put(int row, int pair, Pair value) {
    words_[(row * kPairs + pair) * kThreads] = value;
  }

  std::uint32_t* const words_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_BLOCK_HALF_SAMPLES_H_
