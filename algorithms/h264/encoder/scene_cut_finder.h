// SPDX-License-Identifier: Apache-2.0

// Finds where scenes of a clip begin.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SCENE_CUT_FINDER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SCENE_CUT_FINDER_H_

#include <millrace/algorithms/h264/sample_picture.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::h264 {

// Compares the means of 8x8 luma blocks of two consecutive pictures. A picture begins a scene if
// its means differ more from those of the previous picture than from neighbouring means, and either
// the histogram changes or the difference is a peak. So fades, noise and motion are not taken for
// cuts.
class SceneCutFinder {
 public:
  SceneCutFinder(int width_in_macroblocks, int height_in_macroblocks);

  // Returns true if the picture begins a scene, false for the first picture. Must be called for all
  // pictures of a clip, in order.
  bool begins_scene(const SamplePicture& picture);

 private:
  static constexpr int kBins = 32;
  using Histogram = std::array<int, kBins>;

  // Sums over blocks, and the number of blocks.
  struct Difference {
    std::int64_t sum = 0;
    std::int64_t blocks = 0;
  };
  // A displacement, counted in blocks.
  struct Shift {
    int x = 0;
    int y = 0;
  };
  // Blocks whose position after a shift is inside the picture.
  struct Overlap {
    int left, right, top, bottom;
  };

  // Values of blocks, and of a border of one block around them.
  using Grid = std::vector<std::int16_t>;

  // Returns the index of a block in a grid.
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y + 1) * static_cast<std::size_t>(columns_ + 2) +
           static_cast<std::size_t>(x + 1);
  }
  Overlap overlap(Shift shift) const;

  void sum_blocks(const SamplePicture& picture);
  void expect_from(const Grid& before);
  Histogram histogram() const;
  Difference difference_around(const Grid& others, Shift shift, bool has_centre);
  Shift likeliest_shift(const Grid& others) const;

  const int columns_, rows_;           // Counted in blocks.
  Grid sums_;                          // Sums of the samples of each block.
  Grid sums_before_;                   // The same of the previous picture.
  Grid expected_;                      // Sums expected if no scene begins.
  std::vector<std::int16_t> least_;    // Differences of a row of blocks.
  std::vector<std::uint16_t> column_;  // Sums of 8 samples of a row of blocks.
  Histogram histogram_before_ = {};
  bool has_before_ = false;
  std::int64_t difference_before_ = -1;  // Difference of the previous picture; -1: unknown.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SCENE_CUT_FINDER_H_
