// SPDX-License-Identifier: Apache-2.0

// Inter prediction of a macroblock by the lanes of a warp (ITU-T H.264 clause 8.4.2), four samples
// in a word. Luma of a macroblock with one vector is predicted from a window that all lanes load
// (luma_window.h). Otherwise each lane predicts some samples by their own vectors, so that all
// partitions take the same time.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_LANE_INTER_PREDICTION_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_LANE_INTER_PREDICTION_H_

#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/luma_window.h>
#include <millrace/algorithms/h264/reconstruction/packed_block.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/algorithms/h264/reconstruction/weighted_prediction.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// The prediction of macroblock (column, row) into the planes of the picture, whose rows and memory
// are aligned to 4 bytes, as those of its references.
template <class Kernels>
class LaneInterPrediction {
 public:
  // The first four must outlive it.
  MILLRACE_FUNCTION LaneInterPrediction(const Kernels& kernels, const PictureView& picture,
                                        const SliceView& slice, const Macroblock& macroblock,
                                        int column, int row)
      : kernels_(kernels),
        picture_(picture),
        slice_(slice),
        macroblock_(macroblock),
        column_(column),
        row_(row) {}

  // All lanes call it. `is_whole`: all blocks of the macroblock have the same motion.
  MILLRACE_FUNCTION void operator()(bool is_whole) const {
    const int lane = kernels_.lane();
    const int lanes = kernels_.lanes();
    if (is_whole && lanes >= LumaWindow::kLeastLanes && !sources_of(0, 0).are_two()) {
      predict_whole_luma();
    } else {
      MILLRACE_SMALL_LOOP
      for (int i = lane; i < 32; i += lanes) predict_luma(i % 4, i / 4);
    }
    MILLRACE_SMALL_LOOP
    for (int i = lane; i < 32; i += lanes) predict_chroma(1 + i / 16, i % 16);
  }

 private:
  static constexpr int kRows = 2;  // Rows of luma that a lane predicts, four samples each.

  // A block of a plane is predicted from these: indices into both lists, where -1 is none. There
  // are no arrays here that a loop indexes, since registers have no addresses.
  struct Sources {
    int first, second;
    BlockWeights weights;

    MILLRACE_FUNCTION int index(int list) const { return list == 0 ? first : second; }
    MILLRACE_FUNCTION bool are_two() const { return first >= 0 && second >= 0; }
  };

  MILLRACE_FUNCTION Sources sources_of(int block, int plane) const {
    const int quarter = 2 * (block / 8) + block % 4 / 2;
    const int references[2] = {reference_index(slice_, macroblock_, 0, quarter),
                               reference_index(slice_, macroblock_, 1, quarter)};
    Sources sources = {references[0], references[1], block_weights(slice_, plane, references)};
    if (sources.first < 0) {
      sources.weights.weight[0] = sources.weights.weight[1];
      sources.weights.offset[0] = sources.weights.offset[1];
    }
    return sources;
  }

  // Predicts all luma by one vector.
  MILLRACE_NOINLINE_FUNCTION void predict_whole_luma() const {
    const Sources sources = sources_of(0, 0);
    const int list = sources.first < 0 ? 1 : 0;
    const LumaPlane plane = luma_of(list, sources.index(list));
    const MotionVector vector = macroblock_.vectors[list][0];
    const int x = 16 * column_;
    const int y = 16 * row_;
    const std::ptrdiff_t stride = picture_.stride(0);
    std::uint8_t* const to = picture_.planes[0] + y * stride + x;
    if (((vector.x | vector.y) & 3) == 0) {
      MILLRACE_SMALL_LOOP
      for (int i = kernels_.lane(); i < LumaWindow::kGroups; i += kernels_.lanes()) {
        const std::uint32_t samples =
            four_samples(plane, x + (vector.x >> 2) + 4 * (i % 4), y + (vector.y >> 2) + i / 4);
        *reinterpret_cast<std::uint32_t*>(to + i / 4 * stride + 4 * (i % 4)) =
            combined(sources, 0, samples);
      }
      return;
    }
    const LumaWindow window(kernels_, kernels_.memory().window, plane, x, y, vector);
    MILLRACE_SMALL_LOOP
    for (int i = kernels_.lane(); i < LumaWindow::kGroups; i += kernels_.lanes()) {
      *reinterpret_cast<std::uint32_t*>(to + i / 4 * stride + 4 * (i % 4)) =
          combined(sources, 0, window.samples(i / 4, i % 4));
    }
  }

  MILLRACE_FUNCTION LumaPlane luma_of(int list, int index) const {
    return {slice_.references[list][index].planes[0], picture_.width(0), picture_.height(0)};
  }

  // Predicts group (column, row) of luma: four columns and kRows rows.
  MILLRACE_NOINLINE_FUNCTION void predict_luma(int column, int row) const {
    const int block = 4 * (kRows * row / 4) + column;
    const int x = 16 * column_ + 4 * column;
    const int y = 16 * row_ + kRows * row;
    const Sources sources = sources_of(block, 0);
    std::uint32_t first[kRows] = {}, last[kRows] = {};
    MILLRACE_SMALL_LOOP
    for (int list = 0; list < 2; ++list) {
      const int index = sources.index(list);
      if (index < 0) continue;
      for (int i = 0; i < kRows; ++i) first[i] = last[i];
      const LumaPlane plane = luma_of(list, index);
      const MotionVector vector = macroblock_.vectors[list][block];
      if (((vector.x | vector.y) & 3) == 0) {
        for (int i = 0; i < kRows; ++i) {
          last[i] = four_samples(plane, x + (vector.x >> 2), y + i + (vector.y >> 2));
        }
      } else {
        const PackedRows<kRows> predicted = predict_packed<kRows>(plane, x, y, vector);
        for (int i = 0; i < kRows; ++i) last[i] = predicted.row(i);
      }
    }
    std::uint8_t* const to = picture_.planes[0] + y * picture_.stride(0) + x;
    for (int i = 0; i < kRows; ++i) {
      *reinterpret_cast<std::uint32_t*>(to + i * picture_.stride(0)) =
          combined(sources, first[i], last[i]);
    }
  }

  // Predicts the 2x2 samples of a plane of chroma that belong to 4x4 block `block` of luma.
  MILLRACE_NOINLINE_FUNCTION void predict_chroma(int plane, int block) const {
    const int x = 8 * column_ + 2 * (block % 4);
    const int y = 8 * row_ + 2 * (block / 4);
    const Sources sources = sources_of(block, plane);
    std::uint32_t first = 0, last = 0;
    MILLRACE_SMALL_LOOP
    for (int list = 0; list < 2; ++list) {
      const int index = sources.index(list);
      if (index < 0) continue;
      first = last;
      last = chroma_samples(plane, slice_.references[list][index].planes[plane], x, y,
                            macroblock_.vectors[list][block]);
    }
    const std::uint32_t samples = combined(sources, first, last);
    std::uint8_t* const to = picture_.planes[plane] + y * picture_.stride(plane) + x;
    *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(samples);
    *reinterpret_cast<std::uint16_t*>(to + picture_.stride(plane)) =
        static_cast<std::uint16_t>(samples >> 16);
  }

  // Returns 2x2 samples, the upper ones in the lower bytes.
  MILLRACE_FUNCTION std::uint32_t chroma_samples(int plane, const std::uint8_t* from, int x, int y,
                                                 MotionVector vector) const {
    const int left = x + (vector.x >> 3);
    const int top = y + (vector.y >> 3);
    std::uint8_t samples[9];
    for (int i = 0; i < 9; ++i) {
      const int at_x = clip(0, picture_.width(plane) - 1, left + i % 3);
      const int at_y = clip(0, picture_.height(plane) - 1, top + i / 3);
      samples[i] = from[at_y * picture_.stride(plane) + at_x];
    }
    std::uint32_t predicted = 0;
    for (int i = 0; i < 4; ++i) {
      const int sample =
          chroma_sample(samples + 3 * (i / 2) + i % 2, 3, vector.x & 7, vector.y & 7);
      predicted |= static_cast<std::uint32_t>(sample) << 8 * i;
    }
    return predicted;
  }

  // Returns four weighted samples, from both lists or from one. Those of one list are `last`, and
  // its weights have index 0.
  MILLRACE_FUNCTION static std::uint32_t combined(const Sources& sources, std::uint32_t first,
                                                  std::uint32_t last) {
    const BlockWeights& weights = sources.weights;
    const bool are_two = sources.are_two();
    if (weights.is_default) return are_two ? mean_bytes(first, last) : last;
    std::uint32_t samples = 0;
    MILLRACE_SMALL_LOOP
    for (int shift = 0; shift < 32; shift += 8) {
      const int a = static_cast<int>(first >> shift & 0xff);
      const int b = static_cast<int>(last >> shift & 0xff);
      const std::uint8_t sample =
          are_two ? weighted_sample_of_two(weights, a, b) : weighted_sample(weights, 0, b);
      samples |= std::uint32_t{sample} << shift;
    }
    return samples;
  }

  const Kernels& kernels_;
  const PictureView& picture_;
  const SliceView& slice_;
  const Macroblock& macroblock_;
  const int column_, row_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_LANE_INTER_PREDICTION_H_
