// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/motion_statistics.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace millrace::h264 {
namespace {

constexpr double kVarianceFloor = 1e-5;

class Moments {
 public:
  void add(double value) {
    sum_ += value;
    squares_ += value * value;
  }

  MeanAndDeviation over(std::int64_t count) const {
    if (count == 0) return {};
    const double mean = sum_ / static_cast<double>(count);
    const double variance = squares_ / static_cast<double>(count) - mean * mean;
    return {mean, std::sqrt(kVarianceFloor + std::max(variance, 0.0))};
  }

  double root_mean_square(std::int64_t count) const {
    return count == 0 ? 0 : std::sqrt(kVarianceFloor + squares_ / static_cast<double>(count));
  }

 private:
  double sum_ = 0;
  double squares_ = 0;
};

struct Sums {
  std::int64_t blocks = 0;
  Moments length, x, y, difference;
};

// Returns the factor of vectors that refer to an entry of a list; 0 for an entry that is not there.
double vector_scale(const ParsedPicture& picture, const Slice& slice, int list, int index,
                    int step) {
  const auto& references = slice.references[list];
  if (index < 0 || static_cast<std::size_t>(index) >= references.size()) return 0;
  const Reference& reference = references[static_cast<std::size_t>(index)];
  if (reference.picture < 0) return 0;
  return 0.5 / output_distance(picture.picture_order, reference.picture_order, step);
}

double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

void add_block(const ParsedPicture& picture, const Slice& slice, const Macroblock& macroblock,
               int block, int step, Sums& sums) {
  const int part = 2 * (block / 8) + block % 4 / 2;  // The 8x8 block.
  double length = 0, x = 0, y = 0, difference = 0;
  int lists = 0;
  for (int list = 0; list < 2; ++list) {
    const int index = macroblock.references[list][part];
    if (index < 0) continue;
    ++lists;
    const double scale = vector_scale(picture, slice, list, index, step);
    const MotionVector vector = macroblock.vectors[list][block];
    const MotionVector coded = macroblock.differences[list][block];
    length += scale * length_of(vector.x, vector.y);
    x += scale * std::abs(vector.x);
    y += scale * std::abs(vector.y);
    difference += length_of(coded.x, coded.y);
  }
  if (lists == 0) return;
  sums.length.add(length / lists);
  sums.x.add(x / lists);
  sums.y.add(y / lists);
  sums.difference.add(difference / lists);
}

}  // namespace

double output_distance(int picture_order, int reference_order, int picture_order_step) {
  const std::int64_t distance = std::abs(std::int64_t{picture_order} - reference_order);
  return std::max(1.0, static_cast<double>(distance) / picture_order_step);
}

MotionStatistics measure_motion(const ParsedPicture& picture, int picture_order_step) {
  constexpr int kBlocks = 16;
  Sums sums;
  for (const Macroblock& macroblock : picture.macroblocks) {
    const MacroblockType type = macroblock.type;
    if (is_intra(type) || type == MacroblockType::kSkip || type == MacroblockType::kLost ||
        macroblock.slice >= picture.slices.size()) {
      continue;
    }
    sums.blocks += kBlocks;
    if (type == MacroblockType::kDirect) continue;
    for (int block = 0; block < kBlocks; ++block) {
      add_block(picture, picture.slices[macroblock.slice], macroblock, block, picture_order_step,
                sums);
    }
  }
  return {.blocks = sums.blocks,
          .length = sums.length.over(sums.blocks),
          .x = sums.x.over(sums.blocks),
          .y = sums.y.over(sums.blocks),
          .difference = sums.difference.over(sums.blocks),
          .root_mean_square_difference = sums.difference.root_mean_square(sums.blocks)};
}

}  // namespace millrace::h264
