// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/coding_order.h>
#include <millrace/algorithms/motion_estimation/median_predictor.h>
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/algorithms/motion_estimation/mode_partitions.h>

namespace millrace::motion {
namespace {

class CodingOrder {
 public:
  CodingOrder(int columns, int rows, const EstimateSource& source, const CodedMotion& motion,
              const SearchOptions& options)
      : columns_(columns),
        source_(source),
        motion_(motion),
        options_(options),
        grid_(columns, rows) {}

  void code(std::size_t macroblock) {
    macroblock_ = macroblock;
    x_ = static_cast<int>(macroblock) % columns_;
    y_ = static_cast<int>(macroblock) / columns_;
    estimate_whole();
    estimate_halves(PartitionSize::k16x8);
    estimate_halves(PartitionSize::k8x16);
    for (int quarter = 0; quarter < 4; ++quarter) estimate_quarter(quarter);
    grid_.clear(x_, y_, partition_at(0));
    choose();
  }

 private:
  std::size_t index(int partition) const { return MotionField::index(macroblock_, partition); }

  std::uint32_t estimate(int partition) {
    const PartitionNeighbours neighbours = grid_.neighbours(x_, y_, partition_at(partition));
    const MotionVector predictor = limited_predictor(median_predictor(partition, neighbours));
    const MotionEstimate found = source_.estimate(macroblock_, partition, predictor);
    motion_.field.vectors[index(partition)] = found.vector;
    motion_.field.costs[index(partition)] = found.cost;
    return found.cost;
  }

  // Enters a partition's vector in the grid, for the partitions after it.
  void set(int partition) {
    grid_.set(x_, y_, partition_at(partition), {motion_.field.vectors[index(partition)], 0});
  }

  void estimate_whole() {
    const PartitionNeighbours neighbours = grid_.neighbours(x_, y_, partition_at(0));
    motion_.skip_vectors[macroblock_] =
        skip_vector(median_skip_vector(neighbours), options_.precision);
    estimate(0);
  }

  void estimate_halves(PartitionSize size) {
    const int first = first_partition(size);
    estimate(first);
    set(first);
    estimate(first + 1);
    grid_.clear(x_, y_, partition_at(0));
  }

  // Leaves the cheapest shape in the grid, which is the one that ModeChoice takes.
  void estimate_quarter(int quarter) {
    ModePartitions best;
    std::uint32_t best_cost = 0;
    for (const QuarterShape shape :
         {QuarterShape::k8x8, QuarterShape::k8x4, QuarterShape::k4x8, QuarterShape::k4x4}) {
      const ModePartitions partitions = partitions_of(shape, quarter);
      std::uint32_t cost = 0;
      for (const int partition : partitions) {
        cost += estimate(partition);
        set(partition);
      }
      if (best.count == 0 || cost < best_cost) {
        best = partitions;
        best_cost = cost;
      }
      grid_.clear(x_, y_, partition_at(first_partition(PartitionSize::k8x8) + quarter));
    }
    for (const int partition : best) set(partition);
  }

  void choose() {
    const MotionVector& skip = motion_.skip_vectors[macroblock_];
    const ReferenceFields fields{{motion_.field}, 1};
    const MacroblockMode mode = ModeChoice(fields, macroblock_, options_.lambda)
                                    .choose(source_.skip_distortion(macroblock_, skip));
    motion_.modes[macroblock_] = mode;
    if (mode.shape == MacroblockShape::kSkip) {
      grid_.set(x_, y_, partition_at(0), {skip, 0});
    } else {
      for (const int partition : partitions_of(mode)) set(partition);
    }
  }

  const int columns_;
  const EstimateSource& source_;
  const CodedMotion& motion_;
  const SearchOptions& options_;
  MotionGrid grid_;
  std::size_t macroblock_ = 0;
  int x_ = 0;
  int y_ = 0;
};

}  // namespace

void estimate_in_coding_order(int columns, int rows, const EstimateSource& source,
                              const CodedMotion& motion, const SearchOptions& options) {
  CodingOrder order(columns, rows, source, motion, options);
  const std::size_t macroblocks = static_cast<std::size_t>(columns) * rows;
  for (std::size_t macroblock = 0; macroblock < macroblocks; ++macroblock) order.code(macroblock);
}

}  // namespace millrace::motion
