// SPDX-License-Identifier: Apache-2.0

// The whole samples around a 4x4 block that interpolation reads.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_SAMPLE_PATCH_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_SAMPLE_PATCH_H_

#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/algorithms/motion_estimation/gpu/satd_block.h>
#include <millrace/backends/gpu/api.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The 10 x 10 whole samples that interpolation reads for a block, row by row.
template <class Sample>
class SamplePatch {
 public:
  static constexpr int kSize = 10;
  static constexpr int kPairs = kSize / 2;
  static constexpr int kBefore = 3;  // Rows above the block and columns left of it.

  using Row = Pair[kPairs];

  // (x, y) is the block's first sample.
  MILLRACE_FUNCTION SamplePatch(const WordPlane<Sample>& plane, int x, int y) {
    const int first = (x - kBefore) & ~(Plane::kWordSamples - 1);
    shift_ = Plane::kSampleBits * ((x - kBefore) & (Plane::kWordSamples - 1));
    if (plane.has_words(first, kWords) && y >= kBefore && y - kBefore + kSize <= plane.height()) {
      const Sample* row = plane.row(y - kBefore);
      for (Words& words : rows_) {
        for (int i = 0; i < kWords; ++i) {
          words[i] = plane.inside_word(row, first + i * Plane::kWordSamples);
        }
        row += plane.stride();
      }
    } else {
      for_constants<kSize>([&](auto row) {
        const Sample* const samples = plane.row(y - kBefore + row);
        for (int i = 0; i < kWords; ++i) {
          rows_[row][i] = plane.word(samples, first + i * Plane::kWordSamples);
        }
      });
    }
  }

  MILLRACE_FUNCTION void get(int row, Row& pairs) const {
    Words words;
    for (int i = 0; i + 1 < kWords; ++i) {
      words[i] = funnel_shift(rows_[row][i], rows_[row][i + 1], shift_);
    }
    for (int i = 0; i < kPairs; ++i) pairs[i] = Plane::pair(words, i);
  }

 private:
  using Plane = WordPlane<Sample>;
  static constexpr int kWords = kSize / Plane::kWordSamples + (sizeof(Sample) == 1 ? 2 : 1);

  using Words = std::uint32_t[kWords];

  int shift_;
  Words rows_[kSize];
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_SAMPLE_PATCH_H_
