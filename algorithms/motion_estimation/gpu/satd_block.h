// SPDX-License-Identifier: Apache-2.0

// Samples packed two to a word, and the SATD of 4x4 blocks of them.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_SATD_BLOCK_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_SATD_BLOCK_H_

#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/backends/gpu/api.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Two neighbouring samples, or values derived from them, a and b, as a + 65536 b modulo 2^32: sums,
// differences and multiples of pairs are those of both. If each is 0 to 65535 they are the word's
// halves.
using Pair = std::uint32_t;

MILLRACE_FUNCTION constexpr Pair pair_of(std::uint32_t both) { return both * 0x10001; }

// Four samples of a row.
struct SampleRow {
  Pair pairs[2];
};

struct SampleBlock {
  SampleRow rows[4];
};

// Loads a block that is inside a plane; `x` is a multiple of 4.
template <class Sample>
MILLRACE_FUNCTION SampleBlock block_at(const WordPlane<Sample>& plane, int x, int y) {
  using Plane = WordPlane<Sample>;
  constexpr int kWords = 4 / Plane::kWordSamples;
  SampleBlock block;
  for (int row = 0; row < 4; ++row) {
    std::uint32_t words[kWords];
    for (int i = 0; i < kWords; ++i) {
      words[i] = plane.word(plane.row(y + row), x + i * Plane::kWordSamples);
    }
    for (int i = 0; i < 2; ++i) block.rows[row].pairs[i] = Plane::pair(words, i);
  }
  return block;
}

// Returns the rounded means of the samples of two blocks' rows.
template <class Sample>
MILLRACE_FUNCTION SampleBlock mean_of(const SampleRow* a, const SampleRow* b) {
  SampleBlock means;
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 2; ++i) {
      means.rows[row].pairs[i] = (a[row].pairs[i] + b[row].pairs[i] + pair_of(1)) >> 1 &
                                 pair_of(motion::kLargestSample<Sample>);
    }
  }
  return means;
}

// A 4x4 block of the current picture, prepared for comparisons.
template <class Sample>
class SatdBlock {
 public:
  MILLRACE_FUNCTION explicit SatdBlock(const SampleBlock& samples) : samples_(samples) {
    samples_.rows[0].pairs[0] += kBias;
  }

  // Returns motion::satd_4x4 of the difference. It is half the sum of the transform's magnitudes,
  // and |a + b| + |a - b| = 2 max(|a|, |b|), so the transform's last step is not needed. The
  // difference in the block's corner, which counts positively in every coefficient, is raised by
  // kBias. So all coefficients are positive, and pairs of them are halves of words.
  MILLRACE_FUNCTION std::uint32_t satd(const SampleBlock& block) const {
    Pair rows[4][2];
    for (int i = 0; i < 2; ++i) {
      const Pair d0 = samples_.rows[0].pairs[i] - block.rows[0].pairs[i];
      const Pair d1 = samples_.rows[1].pairs[i] - block.rows[1].pairs[i];
      const Pair d2 = samples_.rows[2].pairs[i] - block.rows[2].pairs[i];
      const Pair d3 = samples_.rows[3].pairs[i] - block.rows[3].pairs[i];
      const Pair s01 = d0 + d1;
      const Pair d01 = d0 - d1;
      const Pair s23 = d2 + d3;
      const Pair d23 = d2 - d3;
      rows[0][i] = s01 + s23;
      rows[1][i] = s01 - s23;
      rows[2][i] = d01 + d23;
      rows[3][i] = d01 - d23;
    }
    Pair sum = 0;
    for (const auto& row : rows) sum += larger_magnitudes(row[0] + row[1], row[0] - row[1]);
    return (sum & 0xffff) + (sum >> 16) - 8 * kBiasOfOne;
  }

 private:
  // Exceeds the largest magnitude, 8 differences; eight times twice as much fit into a half.
  static constexpr std::uint32_t kBiasOfOne = 8 * (motion::kLargestSample<Sample> + 1);
  static constexpr Pair kBias = pair_of(kBiasOfOne);

  // Returns max(|first|, |second|) of two biased pairs, biased too.
  MILLRACE_FUNCTION static Pair larger_magnitudes(Pair a, Pair b) {
    const Pair first = permute_bytes<0x5410>(a, b);
    const Pair second = permute_bytes<0x7632>(a, b);
    return max_halves(max_halves(first, second), 2 * kBias - min_halves(first, second));
  }

  SampleBlock samples_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_SATD_BLOCK_H_
