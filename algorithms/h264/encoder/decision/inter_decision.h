// SPDX-License-Identifier: Apache-2.0

// Chooses partitions and vectors of a macroblock among those that a search has found, once the
// vectors of its neighbours are known, and with them the bits that vectors take.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_INTER_DECISION_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_INTER_DECISION_H_

#include <millrace/algorithms/h264/encoder/decision/sub_partition_shape.h>
#include <millrace/algorithms/h264/encoder/decision/vector_search.h>
#include <millrace/algorithms/h264/encoder/macroblock/composed_kernels.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/sample_area.h>
#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/entropy/vector_prediction.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/predict_inter.h>
#include <millrace/algorithms/motion_estimation/macroblock_mode.h>
#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// The vector of one partition, and its cost J: motion::motion_cost() plus the bits of the reference
// index.
struct PartitionChoice {
  MotionVector vector = {};
  int reference = 0;
  std::uint32_t cost = ~0u;
};

// Largest number of refinement steps after a full search; only the vector of the whole macroblock
// is refined. `millrace bench rd` shows the effect on the rate.
inline constexpr int kRefinementSteps = 4;

template <class Kernels>
class InterDecision {
 public:
  // Sets the vectors of the macroblock in the picture. `before` is the vector at this position in
  // the previous picture.
  MILLRACE_FUNCTION InterDecision(const Kernels& kernels, const PictureCoding& coding, int column,
                                  int row, MotionVector before = {})
      : kernels_(kernels),
        coding_(coding),
        column_(column),
        row_(row),
        index_(coding.view.index(column, row)),
        macroblock_(coding.macroblocks[index_]),
        around_(coding.neighbours(column, row)),
        before_(before) {}

  // Vector of P_Skip.
  MILLRACE_FUNCTION MotionVector skip() const { return skip_vector(around_); }

  // Each returns the least cost expected of two halves after a full search, mb_type included: the
  // least distortions found plus the fewest bits that vectors can have.
  MILLRACE_FUNCTION std::uint32_t least_16x8() {
    find_least_partitions();
    return bits(3) + least_partition(1) + least_partition(2);
  }
  MILLRACE_FUNCTION std::uint32_t least_8x16() {
    find_least_partitions();
    return bits(3) + least_partition(3) + least_partition(4);
  }

  // Each sets type, partitions, references and vectors of the macroblock, and returns its cost,
  // mb_type included.
  MILLRACE_FUNCTION std::uint32_t choose_16x16() {
    begin(MacroblockType::kInter16x16);
    return bits(1) + choose_partition(0, {0, 0, 4, 4});
  }
  MILLRACE_FUNCTION std::uint32_t choose_16x8() {
    begin(MacroblockType::kInter16x8);
    const std::uint32_t upper = choose_partition(1, {0, 0, 4, 2});
    return bits(3) + upper + choose_partition(2, {0, 2, 4, 2});
  }
  MILLRACE_FUNCTION std::uint32_t choose_8x16() {
    begin(MacroblockType::kInter8x16);
    const std::uint32_t left = choose_partition(3, {0, 0, 2, 4});
    return bits(3) + left + choose_partition(4, {2, 0, 2, 4});
  }
  // `most_vectors` is at least 4. After a full search, returns ~0u and leaves the macroblock
  // unfinished if the cost is not expected to be below `most_cost`.
  MILLRACE_NOINLINE_FUNCTION std::uint32_t choose_8x8(int most_vectors,
                                                      std::uint32_t most_cost = ~0u) {
    begin(MacroblockType::kInter8x8);
    const bool is_full = coding_.search == EncoderSearch::kFull;
    std::uint32_t least[4] = {};
    std::uint32_t rest = 0;  // The least cost of the quarters that are not chosen yet.
    if (is_full) find_least_partitions();
    for (int quarter = 0; quarter < 4 && is_full; ++quarter) {
      least[quarter] = least_quarter(quarter);
      rest += least[quarter];
    }
    std::uint32_t cost = bits(5);
    int vectors = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      if (cost + rest >= most_cost) return ~0u;
      rest -= least[quarter];
      // Each later quarter takes at least one vector.
      const int most = most_vectors - vectors - (3 - quarter);
      cost += choose_quarter(quarter, most, vectors);
    }
    return cost;
  }

  // Predicts the macroblock of the picture into an area.
  MILLRACE_NOINLINE_FUNCTION void predict(SampleArea& area) const {
    const auto predict_block = [&](const MotionBlock& block) {
      const int at = 2 * (block.y / 2) + block.x / 2;
      const ReferenceView& reference = slice().reference(0, macroblock_.references[0][at]);
      for (int plane = 0; plane < 3; ++plane) {
        const int scale = plane == 0 ? 4 : 2;
        const PredictedBlock predicted = {plane,
                                          scale * (4 * column_ + block.x),
                                          scale * (4 * row_ + block.y),
                                          scale * block.width,
                                          scale * block.height,
                                          macroblock_.vectors[0][4 * block.y + block.x]};
        kernels_.predict(coding_.view, reference, predicted,
                         area.samples(plane) + scale * (block.y * SampleArea::kStride + block.x),
                         SampleArea::kStride);
      }
    };
    for_each_motion<4>(macroblock_, 0, 0, predict_block);
  }

  // Returns the SATD of the whole macroblock predicted by a vector from the first reference.
  MILLRACE_FUNCTION std::uint32_t distortion(MotionVector vector) {
    known_vector_ = vector;
    known_distortion_ = satd(0, vector, {0, 0, 4, 4});
    return known_distortion_;
  }

  // Sets the macroblock to one vector from the first reference.
  MILLRACE_FUNCTION void set_whole(MacroblockType type, MotionVector vector) {
    begin(type);
    set({0, 0, 4, 4}, {vector, 0, 0});
  }

 private:
  MILLRACE_FUNCTION const SliceView& slice() const {
    return coding_.view.slices[macroblock_.slice];
  }
  MILLRACE_FUNCTION std::uint32_t bits(int count) const {
    return static_cast<std::uint32_t>(coding_.lambda * count);
  }

  MILLRACE_FUNCTION void begin(MacroblockType type) {
    macroblock_.type = type;
    for (SubPartition& partition : macroblock_.sub_partitions) partition = SubPartition::k8x8;
    for (std::int8_t& reference : macroblock_.references[0]) reference = 0;
  }

  MILLRACE_FUNCTION void set(MotionBlock block, const PartitionChoice& choice) {
    const auto [x, y, width, height] = block;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const int left = 2 * (quarter % 2);
      const int top = 2 * (quarter / 2);
      if (left + 2 <= x || x + width <= left || top + 2 <= y || y + height <= top) continue;
      macroblock_.references[0][quarter] = static_cast<std::int8_t>(choice.reference);
    }
    fill_vectors(macroblock_.vectors[0] + 4 * y + x, width, height, choice.vector);
  }

  MILLRACE_NOINLINE_FUNCTION std::uint32_t satd(int reference, MotionVector vector,
                                                MotionBlock block) const {
    const auto [x, y, width, height] = block;
    SampleRows source = coding_.source_rows(0, column_, row_);
    source.samples += 4 * (y * source.stride + x);
    const PredictedBlock predicted = {
        0, 4 * (4 * column_ + x), 4 * (4 * row_ + y), 4 * width, 4 * height, vector};
    return kernels_.predicted_satd(coding_.view, slice().reference(0, reference), predicted,
                                   source);
  }

  MILLRACE_FUNCTION bool is_within_limits(MotionVector vector) const {
    const int limit = coding_.limits.vertical;
    return vector.y >= -limit && vector.y < limit && vector.x >= -kMostHorizontal &&
           vector.x < kMostHorizontal;
  }

  MILLRACE_FUNCTION std::uint32_t vector_bits(MotionVector vector, MotionVector predictor) const {
    return motion::motion_cost(0, coding_.lambda, vector.x - predictor.x, vector.y - predictor.y);
  }

  // Chooses vector and reference of a partition, which is `block`. References are those from
  // `first` to `last`.
  MILLRACE_NOINLINE_FUNCTION PartitionChoice choose(int partition, MotionBlock block, int first,
                                                    int last) {
    PartitionChoice best;
    for (int reference = first; reference <= last; ++reference) {
      const MotionVector predictor = predicted_vector(0, reference, around_, block);
      PartitionChoice choice = coding_.search == EncoderSearch::kFull
                                   ? choose_searched(partition, block, reference, predictor)
                                   : search(partition, block, reference, predictor);
      // No candidate is within the limits.
      if (choice.cost == ~0u) {
        choice.vector = {};
        choice.cost = 32 * satd(reference, {}, block) + vector_bits({}, predictor);
      }
      choice.reference = reference;
      choice.cost += bits(motion::reference_bits(reference, coding_.references));
      if (choice.cost < best.cost) best = choice;
    }
    return best;
  }

  // Chooses among the vector that a search has found and those near it. The cost excludes the
  // reference.
  MILLRACE_NOINLINE_FUNCTION PartitionChoice choose_searched(int partition, MotionBlock block,
                                                             int reference,
                                                             MotionVector predictor) const {
    PartitionChoice best;
    const auto take = [&](MotionVector vector, std::uint32_t distortion) {
      const std::uint32_t cost = 32 * distortion + vector_bits(vector, predictor);
      if (cost < best.cost) best = {vector, reference, cost};
    };
    const MotionVector found = searched_vector(reference, partition);
    if (is_within_limits(found)) take(found, searched_distortion(reference, partition));
    if (found != predictor && is_within_limits(predictor)) {
      const bool is_known = partition == 0 && reference == 0 && predictor == known_vector_ &&
                            known_distortion_ != ~0u;
      take(predictor, is_known ? known_distortion_ : satd(reference, predictor, block));
    }
    if (partition != 0) return best;
    // This predictor differs from that of the search, so a vector near the best one may cost less.
    // A vector is evaluated once: again it would not cost less than the best one.
    constexpr int kSteps = 4;
    MotionVector evaluated[2 + kSteps * kRefinementSteps] = {found, predictor};
    int count = 2;
    const auto is_new = [&](MotionVector vector) {
      for (int k = 0; k < count; ++k) {
        if (evaluated[k] == vector) return false;
      }
      return true;
    };
    const StepPattern<kSteps> diamond = diamond_steps();
    for (int i = 0; i < kRefinementSteps; ++i) {
      const MotionVector middle = best.vector;
      for (const WholeStep& step : diamond.steps) {
        const MotionVector vector = {static_cast<std::int16_t>(middle.x + step.x),
                                     static_cast<std::int16_t>(middle.y + step.y)};
        if (!is_within_limits(vector) || !is_new(vector)) continue;
        evaluated[count++] = vector;
        take(vector, satd(reference, vector, block));
      }
      if (best.vector == middle) break;
    }
    return best;
  }

  // Searches from the predictor and from vectors of neighbours, or of the whole macroblock.
  MILLRACE_NOINLINE_FUNCTION PartitionChoice search(int partition, MotionBlock block, int reference,
                                                    MotionVector predictor) {
    const auto [x, y, width, height] = block;
    SampleRows source = coding_.source_rows(0, column_, row_);
    source.samples += 4 * (y * source.stride + x);
    const SearchedBlock searched = {coding_,
                                    slice().reference(0, reference),
                                    source,
                                    4 * (4 * column_ + x),
                                    4 * (4 * row_ + y),
                                    4 * width,
                                    4 * height};
    VectorSearch<Kernels> search(kernels_, searched, predictor);
    search.evaluate(predictor);
    if (partition == 0) {
      search.evaluate({});
      search.evaluate(before_);
      for (const Macroblock* const neighbour : {around_.left, around_.above, around_.above_right}) {
        if (neighbour != nullptr) search.evaluate(neighbour->vectors[0][0]);
      }
      if (coding_.search == EncoderSearch::kHexagon) search.move(hexagon_steps(), kMostMoves);
    } else {
      search.evaluate(whole_[reference]);
    }
    if (coding_.search == EncoderSearch::kHexagon) {
      search.move(square_steps(), 1);
    } else {
      search.move(diamond_steps(), partition == 0 ? kMostMoves : 2);
    }
    search.refine();
    if (partition == 0) whole_[reference] = search.vector();
    return {search.vector(), reference, search.cost()};
  }

  MILLRACE_FUNCTION std::size_t field_index(int partition) const {
    return motion::MotionField::index(static_cast<std::size_t>(index_), partition);
  }
  MILLRACE_FUNCTION MotionVector searched_vector(int reference, int partition) const {
    return coding_.searched[reference].field.vectors[field_index(partition)];
  }
  // Returns the SATD: the cost that the search has stored, less the bits from its own predictor.
  MILLRACE_FUNCTION std::uint32_t searched_distortion(int reference, int partition) const {
    const SearchedReference& searched = coding_.searched[reference];
    const MotionVector predictor = search_predictor(reference);
    const std::size_t at = field_index(partition);
    return (searched.field.costs[at] - vector_bits(searched.field.vectors[at], predictor)) / 32;
  }

  // Returns the predictor that the costs of the search in a reference are based on.
  MILLRACE_FUNCTION MotionVector search_predictor(int reference) const {
    const SearchedReference& searched = coding_.searched[reference];
    return motion::limited_predictor(
        searched.predictors[static_cast<std::ptrdiff_t>(index_) * searched.predictor_stride]);
  }

  // Finds the least cost expected of each partition: the least distortion found plus the fewest
  // bits of a vector, without the bits of the reference.
  MILLRACE_NOINLINE_FUNCTION void find_least_partitions() {
    if (has_least_partitions_) return;
    has_least_partitions_ = true;
    const std::size_t first = field_index(0);
    for (int reference = 0; reference < coding_.references; ++reference) {
      const motion::MotionField& field = coding_.searched[reference].field;
      std::uint32_t distortions[motion::kPartitions];
      kernels_.searched_distortions(field.costs + first, field.vectors + first,
                                    search_predictor(reference), coding_.lambda, distortions);
      for (int i = 0; i < motion::kPartitions; ++i) {
        const std::uint32_t cost = 32 * distortions[i] + vector_bits({}, {});
        if (reference == 0 || cost < least_partitions_[i]) least_partitions_[i] = cost;
      }
    }
  }

  MILLRACE_FUNCTION std::uint32_t least_partition(int partition) const {
    return least_partitions_[partition];
  }
  MILLRACE_FUNCTION std::uint32_t least_shape(const SubPartitionShape& shape, int quarter) const {
    std::uint32_t cost = bits(shape.bits);
    for (int sub_partition = 0; sub_partition < shape.count; ++sub_partition) {
      cost += least_partition(shape.partition(quarter, sub_partition));
    }
    return cost;
  }
  MILLRACE_FUNCTION std::uint32_t least_quarter(int quarter) const {
    std::uint32_t least =
        bits(1) + least_partition(first_partition(motion::PartitionSize::k8x8) + quarter);
    for (int i = 0; i < kSubPartitionShapes; ++i) {
      const std::uint32_t cost = least_shape(sub_partition_shape(i), quarter);
      if (cost < least) least = cost;
    }
    return least;
  }

  MILLRACE_FUNCTION std::uint32_t choose_partition(int partition, MotionBlock block) {
    const PartitionChoice choice = choose(partition, block, 0, coding_.references - 1);
    set(block, choice);
    return choice.cost;
  }

  // Chooses the partitions of an 8x8 block that take `most` vectors at most, and adds their number
  // to `vectors`.
  MILLRACE_NOINLINE_FUNCTION std::uint32_t choose_quarter(int quarter, int most, int& vectors) {
    using motion::PartitionSize;
    const int x = quarter % 2;
    const int y = quarter / 2;
    const PartitionChoice whole = choose(first_partition(PartitionSize::k8x8) + quarter,
                                         {2 * x, 2 * y, 2, 2}, 0, coding_.references - 1);
    std::uint32_t best = whole.cost + bits(1);
    SubPartition best_shape = SubPartition::k8x8;
    MotionVector best_vectors[4] = {whole.vector, whole.vector, whole.vector, whole.vector};
    for (int i = 0; i < kSubPartitionShapes; ++i) {
      if (coding_.search != EncoderSearch::kFull) break;
      const SubPartitionShape shape = sub_partition_shape(i);
      if (shape.count > most || least_shape(shape, quarter) >= best) continue;
      macroblock_.references[0][quarter] = static_cast<std::int8_t>(whole.reference);
      std::uint32_t cost = bits(shape.bits);
      for (int sub_partition = 0; sub_partition < shape.count; ++sub_partition) {
        const MotionBlock block = {2 * x + shape.x(sub_partition), 2 * y + shape.y(sub_partition),
                                   shape.width, shape.height};
        const PartitionChoice choice = choose(shape.partition(quarter, sub_partition), block,
                                              whole.reference, whole.reference);
        set(block, choice);
        cost += choice.cost;
      }
      // Each sub-partition has counted the reference index, which is coded once for all.
      cost -= static_cast<std::uint32_t>(shape.count - 1) *
              bits(motion::reference_bits(whole.reference, coding_.references));
      if (cost >= best) continue;
      best = cost;
      best_shape = shape.partition_type;
      for (int block = 0; block < 4; ++block) {
        best_vectors[block] = macroblock_.vectors[0][4 * (2 * y + block / 2) + 2 * x + block % 2];
      }
    }
    macroblock_.sub_partitions[quarter] = best_shape;
    macroblock_.references[0][quarter] = static_cast<std::int8_t>(whole.reference);
    for (int i = 0; i < 4; ++i) {
      macroblock_.vectors[0][4 * (2 * y + i / 2) + 2 * x + i % 2] = best_vectors[i];
    }
    vectors += best_shape == SubPartition::k8x8 ? 1 : best_shape == SubPartition::k4x4 ? 4 : 2;
    return best;
  }

  static constexpr int kMostMoves = 16;
  static constexpr int kMostHorizontal = 8192;  // Quarter samples (Table A-1).

  const Kernels& kernels_;
  const PictureCoding& coding_;
  const int column_, row_, index_;
  Macroblock& macroblock_;
  const Neighbours around_;
  const MotionVector before_;
  MotionVector whole_[motion::kMostReferences] = {};  // The whole macroblock's, by reference.
  // Argument and result of the last call of distortion(), if there was one.
  MotionVector known_vector_ = {};
  std::uint32_t known_distortion_ = ~0u;
  bool has_least_partitions_ = false;
  std::uint32_t least_partitions_[motion::kPartitions];  // Set by find_least_partitions().
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_INTER_DECISION_H_
