// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/mode_partitions.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/tools/benchmarks/workloads/motion/quality/motion_quality.h>
#include <millrace/tools/video/picture/quality.h>

#include <algorithm>
#include <cstddef>

namespace millrace::tools {
namespace {

using motion::kMacroblockWidth;
using motion::MotionVector;

double total_cost(const std::vector<motion::MacroblockMode>& modes) {
  double sum = 0;
  for (const motion::MacroblockMode& mode : modes) sum += mode.cost;
  return sum;
}

void predict_partition(const motion::HalfSamplePicture<std::uint8_t>& reference,
                       const motion::Partition& partition, const MotionVector& vector, int x, int y,
                       const PicturePlane& out) {
  std::uint8_t buffer[kMacroblockWidth * kMacroblockWidth];
  const int left = x + partition.x;
  const int top = y + partition.y;
  const motion::Samples<std::uint8_t> block = reference.block(
      4 * left + vector.x, 4 * top + vector.y, {partition.width, partition.height}, buffer);
  for (int row = 0; row < partition.height; ++row) {
    std::copy_n(block.data + row * block.stride, partition.width, out.row(top + row) + left);
  }
}

}  // namespace

MotionBuffers::MotionBuffers(std::size_t macroblocks)
    : vectors(macroblocks * motion::kPartitions),
      costs(vectors.size()),
      modes(macroblocks),
      skip_vectors(macroblocks) {}

motion::LumaPlane<std::uint8_t> padded_luma(const Picture& picture) {
  const ConstPicturePlane plane = picture.plane(0);
  return {plane.data, plane.stride, plane.padded_width, plane.padded_height};
}

void predict_luma(const motion::HalfSamplePicture<std::uint8_t>& reference,
                  const CodedMotion& motion, const PicturePlane& out) {
  std::size_t macroblock = 0;
  for (int y = 0; y < out.padded_height; y += kMacroblockWidth) {
    for (int x = 0; x < out.padded_width; x += kMacroblockWidth, ++macroblock) {
      const motion::MacroblockMode& mode = motion.modes[macroblock];
      for (const int partition : motion::partitions_of(mode)) {
        const MotionVector& vector =
            mode.shape == motion::MacroblockShape::kSkip
                ? motion.skip_vectors[macroblock]
                : motion.field.vectors[motion::MotionField::index(macroblock, partition)];
        predict_partition(reference, motion::partition_at(partition), vector, x, y, out);
      }
    }
  }
}

MotionQuality measure_quality(const std::vector<Picture>& pictures, const LumaSearch& search,
                              const SearchOptions& options) {
  const std::size_t macroblocks = padded_luma(pictures[0]).macroblock_count();
  MotionBuffers found(macroblocks);
  MotionBuffers coded(macroblocks);
  Picture prediction(pictures[0].width(), pictures[0].height());
  std::vector<MotionVector> predictors(macroblocks);
  MotionQuality sums;
  double squared_error = 0;
  for (std::size_t i = 1; i < pictures.size(); ++i) {
    const LumaFrame frame{padded_luma(pictures[i]), padded_luma(pictures[i - 1]),
                          predictors.data()};
    search.run(frame, options, found.view());
    sums.searched_cost += total_cost(found.modes);
    if (!search.is_in_coding_order) {
      motion::cost_in_coding_order(frame, found.view().field, coded.view(), options);
    }
    MotionBuffers& chosen = search.is_in_coding_order ? found : coded;
    sums.coded_cost += total_cost(chosen.modes);
    predict_luma(motion::HalfSamplePicture(frame.reference), chosen.view(), prediction.plane(0));
    squared_error += mean_squared_difference(pictures[i].plane(0), prediction.plane(0));
    for (std::size_t macroblock = 0; macroblock < macroblocks; ++macroblock) {
      predictors[macroblock] = found.vectors[motion::MotionField::index(macroblock, 0)];
    }
  }
  const auto searched = static_cast<double>(pictures.size() - 1);
  const double all_macroblocks = searched * static_cast<double>(macroblocks);
  return {sums.searched_cost / all_macroblocks, sums.coded_cost / all_macroblocks,
          psnr_db(squared_error / searched)};
}

}  // namespace millrace::tools
