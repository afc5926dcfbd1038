// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/scene_cut_finder.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <utility>

namespace millrace::h264 {
namespace {

constexpr int kSamples = 64;  // Samples of a block.

// Least mean difference of blocks between two scenes, as a sum over a block. Fades of 12 pictures
// change less.
constexpr int kLeastDifference = 6 * kSamples;

// Least mean difference in brightness, in bins, between the histograms of two scenes.
constexpr int kLeastHistogramDistance = 1;

// Shifts of whole pictures that are tried, in blocks.
constexpr int kMostShiftX = 8;
constexpr int kMostShiftY = 4;

constexpr int kMostSum = 255 * kSamples;

// The border of a grid. It differs from sums by more than they differ from each other.
constexpr std::int16_t kOutside = -kMostSum - 1;

// Returns the size of a difference of sums, in 16 bits for vectors of many.
std::int16_t distance_of(std::int16_t a, std::int16_t b) {
  const auto difference = static_cast<std::int16_t>(a - b);
  return std::max(difference, static_cast<std::int16_t>(-difference));
}

}  // namespace

SceneCutFinder::SceneCutFinder(int width_in_macroblocks, int height_in_macroblocks)
    : columns_(2 * width_in_macroblocks),
      rows_(2 * height_in_macroblocks),
      sums_(at(columns_, rows_) + 1, kOutside),
      sums_before_(sums_),
      expected_(sums_),
      least_(static_cast<std::size_t>(columns_)),
      column_(static_cast<std::size_t>(8 * columns_)) {}

bool SceneCutFinder::begins_scene(const SamplePicture& picture) {
  sum_blocks(picture);
  const Histogram histogram = this->histogram();
  bool is_cut = false;
  if (has_before_) {
    expect_from(sums_before_);
    const Difference spatial = difference_around(sums_, {}, false);
    const auto is_large = [&](Difference temporal) {
      return temporal.sum > kLeastDifference * temporal.blocks &&
             4 * temporal.sum * spatial.blocks > 3 * spatial.sum * temporal.blocks;
    };
    const Difference temporal = difference_around(expected_, {}, true);
    const bool is_peak = difference_before_ >= 0 && temporal.sum > 2 * difference_before_;
    int distance = 0;
    int below = 0;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      below += histogram[bin] - histogram_before_[bin];
      distance += std::abs(below);
    }
    const bool is_unlike = distance > kLeastHistogramDistance * temporal.blocks;
    // A pan changes the mean, too, because new content enters the picture.
    const auto is_large_after_shift = [&](const Grid& others) {
      return is_large(difference_around(others, likeliest_shift(others), true));
    };
    is_cut = is_large(temporal) && (is_peak || is_unlike) && is_large_after_shift(expected_) &&
             is_large_after_shift(sums_before_);
    difference_before_ = is_cut ? -1 : temporal.sum;
  }
  histogram_before_ = histogram;
  std::swap(sums_, sums_before_);
  has_before_ = true;
  return is_cut;
}

SceneCutFinder::Overlap SceneCutFinder::overlap(Shift shift) const {
  return {std::max(0, -shift.x), std::min(columns_, columns_ - shift.x), std::max(0, -shift.y),
          std::min(rows_, rows_ - shift.y)};
}

void SceneCutFinder::sum_blocks(const SamplePicture& picture) {
  const std::uint8_t* row = picture.plane(0);
  std::uint16_t* const column = column_.data();
  const std::size_t width = column_.size();
  for (int y = 0; y < rows_; ++y) {
    std::ranges::fill(column_, std::uint16_t{0});
    for (int i = 0; i < 8; ++i, row += width) {
      for (std::size_t x = 0; x < width; ++x) {
        column[x] = static_cast<std::uint16_t>(column[x] + row[x]);
      }
    }
    std::int16_t* const sums = &sums_[at(0, y)];
    for (int x = 0; x < columns_; ++x) {
      int sum = 0;
      for (int i = 0; i < 8; ++i) sum += column[8 * x + i];
      sums[x] = static_cast<std::int16_t>(sum);
    }
  }
}

// Gives the picture before the mean and the contrast of this one, as a fade does.
void SceneCutFinder::expect_from(const Grid& before) {
  struct Statistics {
    std::int64_t mean = 0;
    std::int64_t deviation = 0;  // Sum of sizes.
  };
  const auto statistics_of = [&](const Grid& sums) {
    Statistics statistics;
    for (int y = 0; y < rows_; ++y) {
      for (int x = 0; x < columns_; ++x) statistics.mean += sums[at(x, y)];
    }
    statistics.mean /= std::int64_t{columns_} * rows_;
    for (int y = 0; y < rows_; ++y) {
      for (int x = 0; x < columns_; ++x) {
        statistics.deviation += std::abs(sums[at(x, y)] - statistics.mean);
      }
    }
    return statistics;
  };
  const Statistics from = statistics_of(before);
  const Statistics to = statistics_of(sums_);
  // A fraction of 16 bits. Sums of samples have 14.
  const std::int64_t gain = from.deviation == 0 ? 0 : (to.deviation << 16) / from.deviation;
  for (int y = 0; y < rows_; ++y) {
    for (int x = 0; x < columns_; ++x) {
      const std::int64_t deviation = before[at(x, y)] - from.mean;
      const std::int64_t expected = to.mean + (deviation * gain >> 16);
      expected_[at(x, y)] =
          static_cast<std::int16_t>(std::clamp<std::int64_t>(expected, 0, kMostSum));
    }
  }
}

SceneCutFinder::Histogram SceneCutFinder::histogram() const {
  Histogram histogram = {};
  for (int y = 0; y < rows_; ++y) {
    for (int x = 0; x < columns_; ++x) {
      ++histogram[static_cast<std::size_t>(sums_[at(x, y)] / (256 / kBins * kSamples))];
    }
  }
  return histogram;
}

// Returns the difference of blocks from the most similar of the nine blocks, or eight without the
// centre, around their position after the shift. Blocks whose position is outside the picture do
// not count.
SceneCutFinder::Difference SceneCutFinder::difference_around(const Grid& others, Shift shift,
                                                             bool has_centre) {
  const Overlap inside = overlap(shift);
  const int count = inside.right - inside.left;
  Difference difference;
  std::int16_t* const least = least_.data();
  for (int y = inside.top; y < inside.bottom; ++y) {
    const std::int16_t* const sums = &sums_[at(inside.left, y)];
    std::ranges::fill(least_, std::numeric_limits<std::int16_t>::max());
    for (int i = 0; i < 9; ++i) {
      if (i == 4 && !has_centre) continue;
      const std::int16_t* const other =
          &others[at(inside.left + shift.x + i % 3 - 1, y + shift.y + i / 3 - 1)];
      for (int x = 0; x < count; ++x) least[x] = std::min(least[x], distance_of(sums[x], other[x]));
    }
    int sum = 0;
    for (int x = 0; x < count; ++x) sum += least[x];
    difference.sum += sum;
    difference.blocks += count;
  }
  return difference;
}

SceneCutFinder::Shift SceneCutFinder::likeliest_shift(const Grid& others) const {
  const int most_x = std::min(kMostShiftX, columns_ / 4);
  const int most_y = std::min(kMostShiftY, rows_ / 4);
  Shift best;
  Difference best_difference;
  for (int dy = -most_y; dy <= most_y; ++dy) {
    for (int dx = -most_x; dx <= most_x; ++dx) {
      const Overlap inside = overlap({dx, dy});
      const int count = inside.right - inside.left;
      Difference difference;
      for (int y = inside.top; y < inside.bottom; ++y) {
        const std::int16_t* const sums = &sums_[at(inside.left, y)];
        const std::int16_t* const other = &others[at(inside.left + dx, y + dy)];
        int sum = 0;
        for (int x = 0; x < count; ++x) sum += distance_of(sums[x], other[x]);
        difference.sum += sum;
        difference.blocks += count;
      }
      if (best_difference.blocks > 0 &&
          difference.sum * best_difference.blocks >= best_difference.sum * difference.blocks) {
        continue;
      }
      best = {dx, dy};
      best_difference = difference;
    }
  }
  return best;
}

}  // namespace millrace::h264
