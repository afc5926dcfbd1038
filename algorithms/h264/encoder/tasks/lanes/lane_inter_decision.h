// SPDX-License-Identifier: Apache-2.0

// InterDecision (inter_decision.h) of a full search, in lanes.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_INTER_DECISION_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_INTER_DECISION_H_

#include <millrace/algorithms/h264/encoder/decision/inter_decision.h>
#include <millrace/algorithms/h264/encoder/decision/sub_partition_shape.h>
#include <millrace/algorithms/h264/encoder/decision/vector_search.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_memory.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/entropy/vector_prediction.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/packed_block.h>
#include <millrace/algorithms/motion_estimation/macroblock_mode.h>
#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Returns motion_of() the block at (x, y) of a grid.
MILLRACE_FUNCTION inline NeighbourMotion motion_at(const LaneMotionGrid& grid, int x, int y) {
  const int at = LaneMotionGrid::index(x, y);
  return {grid.references[at], grid.vectors[at]};
}

// Returns motion_above_right() of a grid.
MILLRACE_FUNCTION inline NeighbourMotion motion_above_right(const LaneMotionGrid& grid, int x,
                                                            int y, int width) {
  const int right = x + width;
  const bool is_before = y == 0 || (right < 4 && block_order(right & 3, y - 1) < block_order(x, y));
  if (is_before) {
    const NeighbourMotion motion = motion_at(grid, right, y - 1);
    if (motion.reference != kNotAvailable) return motion;
  }
  return motion_at(grid, x - 1, y - 1);
}

// Returns predicted_vector() of a grid.
MILLRACE_NOINLINE_FUNCTION inline MotionVector predicted_vector(const LaneMotionGrid& grid,
                                                                int reference, int x, int y,
                                                                int width, int height) {
  const bool is_16x8 = width == 4 && height == 2;
  const bool is_8x16 = width == 2 && height == 4;
  const NeighbourMotion b = motion_at(grid, x, y - 1);
  if (is_16x8 && y == 0 && b.reference == reference) return b.vector;
  const NeighbourMotion a = motion_at(grid, x - 1, y);
  if (((is_16x8 && y != 0) || (is_8x16 && x == 0)) && a.reference == reference) return a.vector;
  const NeighbourMotion c = motion_above_right(grid, x, y, width);
  if (is_8x16 && x != 0 && c.reference == reference) return c.vector;
  return median_vector(reference, a, b, c);
}

// Returns skip_vector() of a grid.
MILLRACE_FUNCTION inline MotionVector skip_vector(const LaneMotionGrid& grid) {
  const NeighbourMotion a = motion_at(grid, -1, 0);
  const NeighbourMotion b = motion_at(grid, 0, -1);
  if (a.reference == kNotAvailable || b.reference == kNotAvailable) return {};
  const MotionVector zero = {};
  if ((a.reference == 0 && a.vector == zero) || (b.reference == 0 && b.vector == zero)) return zero;
  return median_vector(0, a, b, motion_above_right(grid, 0, 0, 4));
}

template <class Lanes>
class LaneInterDecision {
 public:
  // The memory's source and the grids' border are loaded.
  MILLRACE_FUNCTION explicit LaneInterDecision(const LaneSteps<Lanes>& steps)
      : steps_(steps), memory_(steps.memory), coding_(steps.coding) {}

  // The choice, whose vectors, references and partitions are in memory.best.
  MacroblockType type = MacroblockType::kInter16x16;
  std::uint32_t cost = ~0u;
  MotionVector skip = {};

  // Does the same as MacroblockEncoder::choose_inter() with a full search. `saved` is subtracted
  // from the cost of the P_Skip vector.
  MILLRACE_FUNCTION void choose(int most_vectors, std::uint32_t saved) {
    load();
    skip = skip_vector(memory_.grids[0]);
    set(0, 0, 4, 4, {skip, 0, 0});
    skip_distortion_ = satd(0, skip, 0, 0, 4, 4);
    cost = 32 * skip_distortion_;
    cost = cost > saved ? cost - saved : 0;
    take(MacroblockType::kInter16x16);
    const auto consider = [&](MacroblockType of, std::uint32_t its_cost) {
      if (its_cost >= cost) return;
      cost = its_cost;
      take(of);
    };
    // Partitions 0; 1 and 2; 3 and 4: of 16x16, 16x8 and 8x16 samples.
    MILLRACE_SMALL_LOOP
    for (int shape = 0; shape < 3; ++shape) {
      const int count = shape == 0 ? 1 : 2;
      const int first = shape == 0 ? 0 : 2 * shape - 1;
      const int width = shape == 2 ? 2 : 4;
      const int height = shape == 1 ? 2 : 4;
      const std::uint32_t* const least = memory_.least_partitions + first;
      std::uint32_t its_cost = bits(shape == 0 ? 1 : 3);
      if (shape > 0 && its_cost + least[0] + least[1] >= cost) continue;
      MILLRACE_SMALL_LOOP
      for (int i = 0; i < count; ++i) {
        its_cost += choose_partition(first + i, (4 - width) * i, (4 - height) * i, width, height);
      }
      consider(type_of_shape(shape), its_cost);
    }
    consider(MacroblockType::kInter8x8, choose_8x8(most_vectors));
    steps_.sync();
  }

 private:
  static constexpr int kMostHorizontal = 8192;  // Quarter samples (Table A-1).

  MILLRACE_FUNCTION std::uint32_t bits(int count) const { return steps_.bits(count); }

  MILLRACE_FUNCTION static MacroblockType type_of_shape(int shape) {
    return shape == 0   ? MacroblockType::kInter16x16
           : shape == 1 ? MacroblockType::kInter16x8
                        : MacroblockType::kInter8x16;
  }

  MILLRACE_FUNCTION LumaPlane plane(int reference) const {
    return {memory_.planes[reference][0], steps_.width, steps_.height};
  }

  // Loads what the search has found.
  MILLRACE_FUNCTION void load() const {
    const auto first = motion::MotionField::index(static_cast<std::size_t>(steps_.index), 0);
    MILLRACE_SMALL_LOOP
    for (int reference = 0; reference < steps_.references; ++reference) {
      const SearchedReference& searched = coding_.searched[reference];
      steps_.for_each(motion::kPartitions, [&](int i) {
        const std::size_t at = first + static_cast<std::size_t>(i);
        memory_.found[reference][i] = {searched.field.vectors[at], searched.field.costs[at]};
      });
      if (steps_.lanes.lane() == 0) {
        memory_.search_predictors[reference] = motion::limited_predictor(
            searched
                .predictors[static_cast<std::ptrdiff_t>(steps_.index) * searched.predictor_stride]);
      }
    }
    steps_.sync();
    steps_.for_each(motion::kPartitions,
                    [&](int i) { memory_.least_partitions[i] = least_partition(i); });
    steps_.for_each(3 * steps_.references, [&](int i) {
      const SliceView& slice = coding_.view.slices[memory_.macroblock.slice];
      memory_.planes[i / 3][i % 3] = slice.reference(0, i / 3).planes[i % 3];
    });
    steps_.sync();
    steps_.for_each(4, [&](int quarter) {
      const int whole = first_partition(motion::PartitionSize::k8x8) + quarter;
      std::uint32_t least = bits(1) + memory_.least_partitions[whole];
      MILLRACE_SMALL_LOOP
      for (int i = 0; i < kSubPartitionShapes; ++i) {
        const std::uint32_t its_cost = least_shape(sub_partition_shape(i), quarter);
        if (its_cost < least) least = its_cost;
      }
      memory_.least_quarters[quarter] = least;
    });
    steps_.sync();
  }

  // Returns InterDecision::least_partition().
  MILLRACE_FUNCTION std::uint32_t least_partition(int partition) const {
    std::uint32_t least = ~0u;
    MILLRACE_SMALL_LOOP
    for (int reference = 0; reference < steps_.references; ++reference) {
      const std::uint32_t distortion = found_distortion(reference, partition);
      if (distortion < least) least = distortion;
    }
    return 32 * least + vector_bits({}, {});
  }
  MILLRACE_FUNCTION std::uint32_t least_shape(const SubPartitionShape& shape, int quarter) const {
    std::uint32_t its_cost = bits(shape.bits);
    MILLRACE_SMALL_LOOP
    for (int sub_partition = 0; sub_partition < shape.count; ++sub_partition) {
      its_cost += memory_.least_partitions[shape.partition(quarter, sub_partition)];
    }
    return its_cost;
  }

  // Makes the motion of the first grid the best choice. The grid may be written after the next
  // sync().
  MILLRACE_FUNCTION void take(MacroblockType of) {
    type = of;
    steps_.for_each(16, [&](int i) {
      const int at = LaneMotionGrid::index(i % 4, i / 4);
      memory_.best.vectors[i] = memory_.grids[0].vectors[at];
      memory_.best.references[i] = memory_.grids[0].references[at];
    });
  }

  // Sets the motion of blocks in all grids.
  MILLRACE_FUNCTION void set(int x, int y, int width, int height,
                             const PartitionChoice& choice) const {
    steps_.sync();
    steps_.for_each(16 * LaneMemory::kGrids, [&](int i) {
      const int at_x = i % 4;
      const int at_y = i / 4 % 4;
      if (at_x < x || at_x >= x + width || at_y < y || at_y >= y + height) return;
      LaneMotionGrid& grid = memory_.grids[i / 16];
      const int at = LaneMotionGrid::index(at_x, at_y);
      grid.vectors[at] = choice.vector;
      grid.references[at] = static_cast<std::int8_t>(choice.reference);
    });
    steps_.sync();
  }

  MILLRACE_FUNCTION bool is_within_limits(MotionVector vector) const {
    const int limit = steps_.vertical_limit;
    return vector.y >= -limit && vector.y < limit && vector.x >= -kMostHorizontal &&
           vector.x < kMostHorizontal;
  }
  MILLRACE_FUNCTION std::uint32_t vector_bits(MotionVector vector, MotionVector predictor) const {
    return motion::motion_cost(0, steps_.lambda, vector.x - predictor.x, vector.y - predictor.y);
  }
  MILLRACE_FUNCTION std::uint32_t found_distortion(int reference, int partition) const {
    const auto& found = memory_.found[reference][partition];
    return (found.cost - vector_bits(found.vector, memory_.search_predictors[reference])) / 32;
  }

  // Returns the SATD of one 4x4 block, in one lane.
  MILLRACE_FUNCTION std::uint32_t block_satd(const LumaPlane& from, MotionVector vector, int x,
                                             int y) const {
    return predicted_block_satd(from, 4 * (4 * steps_.column + x), 4 * (4 * steps_.row + y), vector,
                                memory_.luma_source + 16 * y + x, 4, nullptr, 0);
  }

  // Returns the SATD of a partition.
  MILLRACE_FUNCTION std::uint32_t satd(int reference, MotionVector vector, int x, int y, int width,
                                       int height) const {
    const LumaPlane from = plane(reference);
    steps_.sync();
    steps_.for_each(width * height, [&](int i) {
      memory_.results[i] = block_satd(from, vector, x + i % width, y + i / width);
    });
    steps_.sync();
    return steps_.sum_of_results(0, width * height);
  }

  // Sets the SATDs of a partition by the four vectors around `middle`.
  MILLRACE_FUNCTION void satds_around(int reference, MotionVector middle, MotionBlock partition,
                                      std::uint32_t (&satds)[4]) const {
    const int x = partition.x, y = partition.y, width = partition.width;
    const LumaPlane from = plane(reference);
    const int count = width * partition.height;
    steps_.sync();
    steps_.for_each(4 * count, [&](int i) {
      const int block = i % count;
      memory_.results[i] =
          block_satd(from, beside(middle, i / count), x + block % width, y + block / width);
    });
    steps_.sync();
    steps_.for_each(4, [&](int i) {
      memory_.sums[i] = static_cast<std::int32_t>(steps_.sum_of_results(count * i, count));
    });
    steps_.sync();
    for (int i = 0; i < 4; ++i) satds[i] = static_cast<std::uint32_t>(memory_.sums[i]);
  }

  // Returns the vector a diamond_steps() step from another one, in quarter samples.
  MILLRACE_FUNCTION static MotionVector beside(MotionVector middle, int step) {
    const int x = step == 1 ? -1 : step == 2 ? 1 : 0;
    const int y = step == 0 ? -1 : step == 3 ? 1 : 0;
    return {static_cast<std::int16_t>(middle.x + x), static_cast<std::int16_t>(middle.y + y)};
  }

  MILLRACE_FUNCTION std::uint32_t choose_partition(int partition, int x, int y, int width,
                                                   int height) {
    const PartitionChoice choice = choose(partition, x, y, width, height);
    set(x, y, width, height, choice);
    return choice.cost;
  }

  // Does the same as InterDecision::choose() with all references.
  MILLRACE_FUNCTION PartitionChoice choose(int partition, int x, int y, int width,
                                           int height) const {
    PartitionChoice best;
    MILLRACE_SMALL_LOOP
    for (int reference = 0; reference < steps_.references; ++reference) {
      PartitionChoice choice = choose_searched(partition, x, y, width, height, reference);
      choice.cost += bits(motion::reference_bits(reference, steps_.references));
      if (choice.cost < best.cost) best = choice;
    }
    return best;
  }

  MILLRACE_FUNCTION PartitionChoice choose_searched(int partition, int x, int y, int width,
                                                    int height, int reference) const {
    const MotionVector predictor =
        predicted_vector(memory_.grids[0], reference, x, y, width, height);
    PartitionChoice best;
    best.reference = reference;
    const auto take_vector = [&](MotionVector vector, std::uint32_t distortion) {
      const std::uint32_t its_cost = 32 * distortion + vector_bits(vector, predictor);
      if (its_cost < best.cost) best = {vector, reference, its_cost};
    };
    const MotionVector found = memory_.found[reference][partition].vector;
    if (is_within_limits(found)) take_vector(found, found_distortion(reference, partition));
    if (found != predictor && is_within_limits(predictor)) {
      const bool is_skip = reference == 0 && partition == 0 && predictor == skip;
      take_vector(predictor,
                  is_skip ? skip_distortion_ : satd(reference, predictor, x, y, width, height));
    }
    MILLRACE_SMALL_LOOP
    for (int i = 0; i < kRefinementSteps && partition == 0; ++i) {
      const MotionVector middle = best.vector;
      std::uint32_t satds[4];
      satds_around(reference, middle, {x, y, width, height}, satds);
      for (int step = 0; step < 4; ++step) {
        const MotionVector vector = beside(middle, step);
        if (is_within_limits(vector)) take_vector(vector, satds[step]);
      }
      if (best.vector == middle) break;
    }
    if (best.cost == ~0u) take_vector({}, satd(reference, {}, x, y, width, height));
    return best;
  }

  // Does the same as InterDecision::choose_8x8() with the cost so far.
  MILLRACE_FUNCTION std::uint32_t choose_8x8(int most_vectors) {
    std::uint32_t rest = 0;
    for (int quarter = 0; quarter < 4; ++quarter) rest += memory_.least_quarters[quarter];
    std::uint32_t quarters = bits(5);
    int vectors = 0;
    MILLRACE_SMALL_LOOP
    for (int quarter = 0; quarter < 4; ++quarter) {
      if (quarters + rest >= cost) return ~0u;
      rest -= memory_.least_quarters[quarter];
      quarters += choose_quarter(quarter, most_vectors - vectors - (3 - quarter), vectors);
    }
    return quarters;
  }

  // Does the same as InterDecision::choose_quarter(). Each shape has a grid and four lanes.
  MILLRACE_FUNCTION std::uint32_t choose_quarter(int quarter, int most, int& vectors) {
    using motion::PartitionSize;
    const int x = 2 * (quarter % 2);
    const int y = quarter / 2 * 2;
    const PartitionChoice whole =
        choose(first_partition(PartitionSize::k8x8) + quarter, x, y, 2, 2);
    std::uint32_t best = whole.cost + bits(1);
    const int reference = whole.reference;
    const LumaPlane from = plane(reference);
    const int lane = steps_.lanes.lane();
    const int index = lane / 4;
    const SubPartitionShape shape = sub_partition_shape(index);
    const int block_x = lane % 4 & (shape.width - 1);
    const int block_y = lane % 4 >> (shape.width - 1);
    int shapes = 0;  // Bit set of the shapes to try.
    MILLRACE_SMALL_LOOP
    for (int i = 0; i < kSubPartitionShapes; ++i) {
      const SubPartitionShape other = sub_partition_shape(i);
      if (other.count <= most && least_shape(other, quarter) < best) shapes |= 1 << i;
    }
    const int sub_partitions = (shapes & 4) != 0 ? 4 : shapes != 0 ? 2 : 0;
    const bool is_tried = index < kSubPartitionShapes && (shapes >> index & 1) != 0;
    const bool has_block = is_tried && lane % 4 < shape.width * shape.height;
    std::uint32_t its_cost = bits(shape.bits);
    MILLRACE_SMALL_LOOP
    for (int sub_partition = 0; sub_partition < sub_partitions; ++sub_partition) {
      const bool has_sub_partition = is_tried && sub_partition < shape.count;
      const int sub_x = x + shape.x(sub_partition);
      const int sub_y = y + shape.y(sub_partition);
      MotionVector predictor = {}, found = {}, tried = {};
      PartitionChoice choice;
      steps_.sync();
      if (has_sub_partition) {
        const int partition = shape.partition(quarter, sub_partition);
        predictor = predicted_vector(memory_.grids[index], reference, sub_x, sub_y, shape.width,
                                     shape.height);
        found = memory_.found[reference][partition].vector;
        if (is_within_limits(found)) {
          choice.vector = found;
          choice.cost = 32 * found_distortion(reference, partition) + vector_bits(found, predictor);
        }
        const bool is_other = found != predictor && is_within_limits(predictor);
        const bool has_candidate = choice.cost != ~0u || is_other;
        // The zero vector is tried if no other one is allowed.
        if (has_candidate) tried = predictor;
        std::uint32_t result = ~0u;
        if (has_block && (is_other || !has_candidate)) {
          result = block_satd(from, tried, sub_x + block_x, sub_y + block_y);
        }
        memory_.results[lane] = result;
      }
      steps_.sync();
      if (has_sub_partition) {
        const int blocks = shape.width * shape.height;
        if (memory_.results[4 * index] != ~0u) {
          const std::uint32_t cost_of_other =
              32 * steps_.sum_of_results(4 * index, blocks) + vector_bits(tried, predictor);
          if (cost_of_other < choice.cost) {
            choice.vector = tried;
            choice.cost = cost_of_other;
          }
        }
        its_cost += choice.cost;
      }
      steps_.sync();
      if (has_sub_partition && has_block) {
        const int at = LaneMotionGrid::index(sub_x + block_x, sub_y + block_y);
        memory_.grids[index].vectors[at] = choice.vector;
        memory_.grids[index].references[at] = static_cast<std::int8_t>(reference);
      }
    }
    // Each sub-partition has the bits of the one reference index in InterDecision, which are then
    // taken off.
    its_cost += bits(motion::reference_bits(reference, steps_.references));
    // If no shape is tried, lanes may still be reading the results of the 8x8 partition.
    steps_.sync();
    if (lane % 4 == 0 && index < kSubPartitionShapes) {
      memory_.results[index] = is_tried ? its_cost : ~0u;
    }
    steps_.sync();
    int best_shape = -1;
    for (int i = 0; i < kSubPartitionShapes; ++i) {
      // InterDecision does not try a shape that the best one so far rules out.
      if (memory_.results[i] >= best || least_shape(sub_partition_shape(i), quarter) >= best)
        continue;
      best = memory_.results[i];
      best_shape = i;
    }
    const int cell = LaneMotionGrid::index(x + lane % 2, y + lane % 4 / 2);
    const MotionVector vector =
        best_shape < 0 ? whole.vector : memory_.grids[best_shape].vectors[cell];
    steps_.sync();
    if (index < kSubPartitionShapes) {
      memory_.grids[index].vectors[cell] = vector;
      memory_.grids[index].references[cell] = static_cast<std::int8_t>(reference);
    }
    const SubPartition partition =
        best_shape < 0 ? SubPartition::k8x8 : sub_partition_shape(best_shape).partition_type;
    if (lane == 0) memory_.macroblock.sub_partitions[quarter] = partition;
    steps_.sync();
    vectors += best_shape < 0 ? 1 : sub_partition_shape(best_shape).count;
    return best;
  }

  const LaneSteps<Lanes>& steps_;
  LaneMemory& memory_;
  const PictureCoding& coding_;
  std::uint32_t skip_distortion_ = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_INTER_DECISION_H_
