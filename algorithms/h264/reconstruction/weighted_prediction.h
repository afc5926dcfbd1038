// SPDX-License-Identifier: Apache-2.0

// Weighted sample prediction (ITU-T H.264 clause 8.4.2.3).
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_WEIGHTED_PREDICTION_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_WEIGHTED_PREDICTION_H_

#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Weights of a prediction from one or two references.
struct BlockWeights {
  int shift = 0;  // logWD
  int weight[2] = {1, 1};
  int offset[2] = {0, 0};
  bool is_default = true;  // The sample itself, or the mean of two.
};

// Returns the weights of plane `plane` for the reference indices of both lists; a negative one is
// not used.
MILLRACE_FUNCTION inline BlockWeights block_weights(const SliceView& slice, int plane,
                                                    const int (&references)[2]) {
  BlockWeights weights;
  const bool is_bi = references[0] >= 0 && references[1] >= 0;
  if (slice.weighting == Weighting::kExplicit) {
    weights.shift = slice.weight_shifts[plane];
    for (int list = 0; list < 2; ++list) {
      if (references[list] < 0) continue;
      const PredictionWeight& weight = slice.weights[list][references[list]];
      weights.weight[list] = weight.weight[plane];
      weights.offset[list] = weight.offset[plane];
      // The weight 1, which encoders give most references of such slices.
      const bool is_one = weights.weight[list] == 1 << weights.shift && weights.offset[list] == 0;
      weights.is_default = weights.is_default && is_one;
    }
  } else if (slice.weighting == Weighting::kImplicit && is_bi) {
    const int second = slice.implicit_weights[slice.counts[1] * references[0] + references[1]];
    weights.shift = 5;
    weights.weight[0] = 64 - second;
    weights.weight[1] = second;
    weights.is_default = second == 32;
  }
  return weights;
}

MILLRACE_FUNCTION constexpr std::uint8_t mean_sample(int first, int second) {
  return static_cast<std::uint8_t>((first + second + 1) >> 1);
}

// Returns a sample predicted from the reference of list `list` alone.
MILLRACE_FUNCTION inline std::uint8_t weighted_sample(const BlockWeights& weights, int list,
                                                      int sample) {
  const int product = sample * weights.weight[list];
  const int rounded =
      weights.shift > 0 ? (product + (1 << (weights.shift - 1))) >> weights.shift : product;
  return clip_sample(rounded + weights.offset[list]);
}

// Returns a sample predicted from two references.
MILLRACE_FUNCTION inline std::uint8_t weighted_sample_of_two(const BlockWeights& weights, int first,
                                                             int second) {
  const int sum = first * weights.weight[0] + second * weights.weight[1];
  return clip_sample(((sum + (1 << weights.shift)) >> (weights.shift + 1)) +
                     ((weights.offset[0] + weights.offset[1] + 1) >> 1));
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_WEIGHTED_PREDICTION_H_
