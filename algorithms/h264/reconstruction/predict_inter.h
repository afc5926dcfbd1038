// SPDX-License-Identifier: Apache-2.0

// Inter prediction of a macroblock, from its vectors and reference indices alone (ITU-T H.264
// clause 8.4.2).
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_PREDICT_INTER_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_PREDICT_INTER_H_

#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/lane_inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/algorithms/h264/reconstruction/weighted_prediction.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace::h264 {

// The prediction of one rectangle into the planes of the picture.
template <class Kernels>
class RectanglePrediction {
 public:
  MILLRACE_FUNCTION RectanglePrediction(const Kernels& kernels, const PictureView& picture,
                                        const SliceView& slice, const Macroblock& macroblock,
                                        int column, int row)
      : kernels_(kernels),
        picture_(picture),
        slice_(slice),
        macroblock_(macroblock),
        column_(column),
        row_(row) {}

  MILLRACE_NOINLINE_FUNCTION void operator()(const MotionBlock& block) const {
    MILLRACE_SMALL_LOOP
    for (int plane = 0; plane < 3; ++plane) predict(block, plane);
  }

 private:
  MILLRACE_FUNCTION void predict(const MotionBlock& block, int plane) const {
    const int scale = plane == 0 ? 4 : 2;
    const int x = scale * (4 * column_ + block.x);
    const int y = scale * (4 * row_ + block.y);
    const int width = scale * block.width;
    const int height = scale * block.height;
    const int quarter = 2 * (block.y / 2) + block.x / 2;
    const int references[2] = {reference_index(slice_, macroblock_, 0, quarter),
                               reference_index(slice_, macroblock_, 1, quarter)};
    const std::ptrdiff_t stride = picture_.stride(plane);
    std::uint8_t* const to = picture_.planes[plane] + y * stride + x;

    const auto from_list = [&](int list, std::uint8_t* samples, std::ptrdiff_t samples_stride) {
      const PredictedBlock predicted = {
          plane, x, y, width, height, macroblock_.vectors[list][4 * block.y + block.x]};
      predict_from(kernels_, picture_, slice_.references[list][references[list]], predicted,
                   samples, samples_stride);
    };
    const BlockWeights weights = block_weights(slice_, plane, references);
    const BlockSamples written = {
        .samples = to, .stride = stride, .width = width, .height = height};
    if (references[0] < 0 || references[1] < 0) {
      const int list = references[0] < 0 ? 1 : 0;
      from_list(list, to, stride);
      if (!weights.is_default) kernels_.weigh(weights, list, written);
    } else {
      std::uint8_t* const second = kernels_.memory().prediction.second;
      from_list(0, to, stride);
      from_list(1, second, 16);
      kernels_.combine(weights, second, written);
    }
  }

  const Kernels& kernels_;
  const PictureView& picture_;
  const SliceView& slice_;
  const Macroblock& macroblock_;
  const int column_, row_;
};

// Returns true if both blocks of a macroblock, in raster order, have the same references and
// vectors.
MILLRACE_FUNCTION inline bool have_same_motion(const Macroblock& macroblock, int a, int b) {
  const int a8 = 2 * (a / 8) + a % 4 / 2;
  const int b8 = 2 * (b / 8) + b % 4 / 2;
  for (int list = 0; list < 2; ++list) {
    if (macroblock.references[list][a8] != macroblock.references[list][b8]) return false;
    const MotionVector va = macroblock.vectors[list][a];
    const MotionVector vb = macroblock.vectors[list][b];
    if (va.x != vb.x || va.y != vb.y) return false;
  }
  return true;
}

// Returns true if all blocks of a macroblock have the same references and vectors.
MILLRACE_FUNCTION inline bool has_one_motion(const Macroblock& macroblock) {
  std::uint64_t difference = 0;
  for (int list = 0; list < 2; ++list) {
    const std::int8_t* const references = macroblock.references[list];
    for (int i = 1; i < 4; ++i) difference |= references[i] != references[0] ? 1 : 0;
    const MotionVector first[2] = {macroblock.vectors[list][0], macroblock.vectors[list][0]};
    std::uint64_t first_word;
    memcpy(&first_word, first, sizeof(first_word));
    for (int i = 0; i < 16; i += 2) {
      std::uint64_t word;
      memcpy(&word, &macroblock.vectors[list][i], sizeof(word));
      difference |= word ^ first_word;
    }
  }
  return difference == 0;
}

// Calls predict(MotionBlock) for rectangles that cover a square of `side` x `side` 4x4 blocks at
// block (x, y). Prediction of a sample depends on its own vector alone, so partitions do not
// matter: blocks of equal motion are predicted at once, whatever made it equal.
template <int side, class Predict>
MILLRACE_NOINLINE_FUNCTION inline void for_each_motion(const Macroblock& macroblock, int x, int y,
                                                       const Predict& predict) {
  bool rows_are_equal = true;     // Each row has one motion.
  bool columns_are_equal = true;  // Each column has one motion.
  const int first = 4 * y + x;
  for (int i = 0; i < side; ++i) {
    for (int j = 1; j < side; ++j) {
      rows_are_equal =
          rows_are_equal && have_same_motion(macroblock, first + 4 * i, first + 4 * i + j);
      columns_are_equal =
          columns_are_equal && have_same_motion(macroblock, first + i, first + 4 * j + i);
    }
  }
  if (rows_are_equal && columns_are_equal) {
    predict(MotionBlock{x, y, side, side});
    return;
  }
  constexpr int kHalf = side / 2;
  const auto halves_are_equal = [&](int step) {
    for (int half = 0; half < 2; ++half) {
      for (int i = 1; i < kHalf; ++i) {
        const int begin = first + half * kHalf * step;
        if (!have_same_motion(macroblock, begin, begin + i * step)) return false;
      }
    }
    return true;
  };
  if (rows_are_equal && halves_are_equal(4)) {
    predict(MotionBlock{x, y, side, kHalf});
    predict(MotionBlock{x, y + kHalf, side, kHalf});
  } else if (columns_are_equal && halves_are_equal(1)) {
    predict(MotionBlock{x, y, kHalf, side});
    predict(MotionBlock{x + kHalf, y, kHalf, side});
  } else {
    MILLRACE_SMALL_LOOP
    for (int i = 0; i < 4; ++i) {
      const int left = x + i % 2 * kHalf;
      const int top = y + i / 2 * kHalf;
      if constexpr (side == 4) {
        for_each_motion<kHalf>(macroblock, left, top, predict);
      } else {
        predict(MotionBlock{left, top, 1, 1});
      }
    }
  }
}

// Predicts macroblock (column, row) of a slice into the planes of the picture.
// Several lanes share it by samples, one lane predicts rectangles of equal motion.
template <class Kernels>
MILLRACE_FUNCTION inline void predict_inter(const Kernels& kernels, const PictureView& picture,
                                            const SliceView& slice, const Macroblock& macroblock,
                                            int column, int row) {
  const bool is_whole = macroblock.type == MacroblockType::kInter16x16 ||
                        (macroblock.type == MacroblockType::kSkip && !slice.is_b);
  if (kernels.lanes() > 1) {
    LaneInterPrediction<Kernels>(kernels, picture, slice, macroblock, column, row)(is_whole);
    return;
  }
  const RectanglePrediction<Kernels> predict(kernels, picture, slice, macroblock, column, row);
  if (is_whole || has_one_motion(macroblock)) {
    predict(MotionBlock{0, 0, 4, 4});
  } else if (macroblock.type == MacroblockType::kInter16x8) {
    predict(MotionBlock{0, 0, 4, 2});
    predict(MotionBlock{0, 2, 4, 2});
  } else if (macroblock.type == MacroblockType::kInter8x16) {
    predict(MotionBlock{0, 0, 2, 4});
    predict(MotionBlock{2, 0, 2, 4});
  } else {
    for_each_motion<4>(macroblock, 0, 0, predict);
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_PREDICT_INTER_H_
