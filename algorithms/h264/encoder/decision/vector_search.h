// SPDX-License-Identifier: Apache-2.0

// Searches the vector of one partition among a small number of candidates, once its neighbours are
// known.
//
//   VectorSearch<Kernels> search(kernels, block, predictor);
//   search.evaluate(vector_of_neighbour);
//   search.move(hexagon_steps(), 16);
//   search.refine();
//   search.vector();
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_VECTOR_SEARCH_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_VECTOR_SEARCH_H_

#include <millrace/algorithms/h264/encoder/macroblock/composed_kernels.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// A partition and the reference that it is searched in. (x, y) is its first sample in the picture.
struct SearchedBlock {
  const PictureCoding& coding;
  const ReferenceView& reference;
  SampleRows source;
  int x, y, width, height;
};

// A step between candidates, in whole samples.
struct WholeStep {
  std::int8_t x, y;
};

// Steps around a candidate, in the order of their trial.
template <int count>
struct StepPattern {
  WholeStep steps[count];
};

MILLRACE_FUNCTION constexpr StepPattern<6> hexagon_steps() {
  return {{{-2, 0}, {-1, -2}, {1, -2}, {2, 0}, {1, 2}, {-1, 2}}};
}
MILLRACE_FUNCTION constexpr StepPattern<8> square_steps() {
  return {{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
}
MILLRACE_FUNCTION constexpr StepPattern<4> diamond_steps() {
  return {{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
}

// Costs are motion::motion_cost() with SAD at whole samples and SATD after refine().
template <class Kernels>
class VectorSearch {
 public:
  MILLRACE_FUNCTION VectorSearch(const Kernels& kernels, const SearchedBlock& block,
                                 MotionVector predictor)
      : kernels_(kernels), block_(block), predictor_(predictor) {}

  MILLRACE_FUNCTION MotionVector vector() const { return best_; }
  MILLRACE_FUNCTION std::uint32_t cost() const { return cost_; }

  // Evaluates the whole sample nearest to a vector, if it is inside the search range.
  MILLRACE_FUNCTION void evaluate(MotionVector near) {
    evaluate_whole((near.x + 2) >> 2, (near.y + 2) >> 2);
  }

  // Follows a pattern to the best candidate until its middle is the best one.
  template <int count>
  MILLRACE_FUNCTION void move(const StepPattern<count>& pattern, int most_moves) {
    for (int i = 0; i < most_moves; ++i) {
      const MotionVector middle = best_;
      for (const WholeStep& step : pattern.steps) {
        evaluate_whole((middle.x >> 2) + step.x, (middle.y >> 2) + step.y);
      }
      if (best_ == middle) return;
    }
  }

  // Moves on to half and then quarter samples, by SATD, from the best vector so far and from the
  // predictor.
  MILLRACE_FUNCTION void refine() {
    const MotionVector whole = best_;
    cost_ = ~0u;
    evaluate_fraction(whole);
    if (predictor_ != whole) evaluate_fraction(predictor_);
    const StepPattern<4> diamond = diamond_steps();
    for (int distance = 2; distance > 0; --distance) {
      for (int i = 0; i < kMostRefinements; ++i) {
        const MotionVector middle = best_;
        for (const WholeStep& step : diamond.steps) {
          evaluate_fraction({static_cast<std::int16_t>(middle.x + distance * step.x),
                             static_cast<std::int16_t>(middle.y + distance * step.y)});
        }
        if (best_ == middle) break;
      }
    }
  }

 private:
  static constexpr int kMostRefinements = 2;

  MILLRACE_FUNCTION bool is_in_range(int x, int y) const {
    const int range = 4 * block_.coding.range;
    const int limit = block_.coding.limits.vertical;
    const int dx = x - predictor_.x;
    const int dy = y - predictor_.y;
    return dx >= -range && dx <= range && dy >= -range && dy <= range && y >= -limit && y < limit &&
           x >= -motion::kMostPredictor && x < motion::kMostPredictor;
  }

  MILLRACE_FUNCTION std::uint32_t rate(MotionVector vector) const {
    return motion::motion_cost(0, block_.coding.lambda, vector.x - predictor_.x,
                               vector.y - predictor_.y);
  }

  MILLRACE_FUNCTION void take(MotionVector vector, std::uint32_t cost) {
    if (cost >= cost_) return;
    cost_ = cost;
    best_ = vector;
  }

  MILLRACE_NOINLINE_FUNCTION void evaluate_whole(int x, int y) {
    if (!is_in_range(4 * x, 4 * y)) return;
    const PictureView& view = block_.coding.view;
    const MotionVector vector = {static_cast<std::int16_t>(4 * x),
                                 static_cast<std::int16_t>(4 * y)};
    const std::uint32_t bits = rate(vector);
    if (bits >= cost_) return;
    const SampleRows rows =
        rows_at(kernels_, block_.reference.planes[0], view.width(0), view.height(0),
                {block_.x + x, block_.y + y, block_.width, block_.height});
    take(vector, 32 * kernels_.sad(block_.source, rows, block_.width, block_.height) + bits);
  }

  MILLRACE_NOINLINE_FUNCTION void evaluate_fraction(MotionVector vector) {
    if (!is_in_range(vector.x, vector.y)) return;
    const std::uint32_t bits = rate(vector);
    if (bits >= cost_) return;
    const std::uint32_t distortion = kernels_.predicted_satd(
        block_.coding.view, block_.reference,
        {0, block_.x, block_.y, block_.width, block_.height, vector}, block_.source);
    take(vector, 32 * distortion + bits);
  }

  const Kernels& kernels_;
  const SearchedBlock& block_;
  const MotionVector predictor_;
  MotionVector best_ = {};
  std::uint32_t cost_ = ~0u;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DECISION_VECTOR_SEARCH_H_
