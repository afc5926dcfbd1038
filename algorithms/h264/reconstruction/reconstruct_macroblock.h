// SPDX-License-Identifier: Apache-2.0

// Prediction and residual of one macroblock (ITU-T H.264 clauses 8.3 to 8.5), before deblocking.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_MACROBLOCK_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_MACROBLOCK_H_

#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/intra_availability.h>
#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>
#include <millrace/algorithms/h264/reconstruction/predict_inter.h>
#include <millrace/algorithms/h264/reconstruction/residual.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

template <class Kernels>
class MacroblockReconstruction {
 public:
  MILLRACE_FUNCTION MacroblockReconstruction(const Kernels& kernels, const PictureView& picture,
                                             const Macroblock& macroblock, int column, int row,
                                             const MacroblockCoefficients* coefficients)
      : kernels_(kernels),
        picture_(picture),
        column_(column),
        row_(row),
        macroblock_(macroblock),
        coefficients_(coefficients) {}

  MILLRACE_FUNCTION void operator()() const {
    switch (macroblock_.type) {
      case MacroblockType::kLost: conceal(); return;
      case MacroblockType::kPcm: copy_pcm(); return;
      case MacroblockType::kIntra4x4:
        reconstruct_intra_blocks<4>();
        predict_chroma();
        add_residual(kLumaBlocks);
        return;
      case MacroblockType::kIntra8x8:
        reconstruct_intra_blocks<8>();
        predict_chroma();
        add_residual(kLumaBlocks);
        return;
      case MacroblockType::kIntra16x16:
        predict_luma_16x16();
        predict_chroma();
        break;
      default:
        predict_inter(kernels_, picture_, picture_.slices[macroblock_.slice], macroblock_, column_,
                      row_);
    }
    add_residual(0);
  }

 private:
  static constexpr int kLumaBlocks = 16;  // 4x4 blocks; those of Cb and Cr follow.
  static constexpr int kBlocks = 24;

  MILLRACE_FUNCTION std::uint8_t* samples(int plane) const {
    return picture_.planes[plane] + picture_.offset(plane, column_, row_);
  }

  MILLRACE_NOINLINE_FUNCTION void conceal() const {
    MILLRACE_SMALL_LOOP
    for (int plane = 0; plane < 3; ++plane) {
      const int side = plane == 0 ? 16 : 8;
      const std::ptrdiff_t stride = picture_.stride(plane);
      const std::uint8_t* const from =
          picture_.concealment[plane] + picture_.offset(plane, column_, row_);
      std::uint8_t* const to = samples(plane);
      kernels_.for_each_sample(side, side,
                               [=](int y, int x) { to[y * stride + x] = from[y * stride + x]; });
    }
  }

  MILLRACE_NOINLINE_FUNCTION void copy_pcm() const {
    MILLRACE_SMALL_LOOP
    for (int plane = 0; plane < 3; ++plane) {
      const int side = plane == 0 ? 16 : 8;
      const std::ptrdiff_t stride = picture_.stride(plane);
      std::uint8_t* const to = samples(plane);
      kernels_.for_each_sample(
          side, side, [&](int y, int x) { to[y * stride + x] = pcm_sample(plane, side * y + x); });
    }
  }

  MILLRACE_FUNCTION std::uint8_t pcm_sample(int plane, int at) const {
    if (coefficients_ == nullptr) return 128;
    return static_cast<std::uint8_t>(plane == 0 ? coefficients_->luma[at]
                                                : coefficients_->chroma[plane - 1][at]);
  }

  // Predicts and completes one block after another, in the order of Figure 6-10.
  template <int n>
  MILLRACE_NOINLINE_FUNCTION void reconstruct_intra_blocks() const {
    const IntraAvailability available = macroblock_availability(picture_, column_, row_);
    const std::ptrdiff_t stride = picture_.stride(0);
    MILLRACE_SMALL_LOOP
    for (int i = 0; i < 256 / (n * n); ++i) {
      const int x = n == 8 ? i % 2 : i % 2 + i / 4 % 2 * 2;
      const int y = n == 8 ? i / 2 : i / 2 % 2 + i / 8 * 2;
      std::uint8_t* const block = samples(0) + n * (y * stride + x);
      const IntraEdge<n>* edge =
          &kernels_.template load_edge<n>(block, stride, block_availability<n>(available, x, y));
      if constexpr (n == 8) edge = &kernels_.filter_edge(*edge);
      kernels_.predict_intra(*edge, macroblock_.intra_modes[n / 4 * (4 * y + x)], block, stride);
      if (has_luma_residual<n>(x, y)) {
        kernels_.sync();
        if (kernels_.lane() == 0) add_luma_block<n>(x, y);
      }
      kernels_.sync();
    }
  }

  MILLRACE_FUNCTION void predict_luma_16x16() const {
    IntraAvailability available = macroblock_availability(picture_, column_, row_);
    available.top_right = false;  // Not used, nor inside the picture everywhere.
    const std::ptrdiff_t stride = picture_.stride(0);
    predict_intra_16x16(kernels_, kernels_.template load_edge<16>(samples(0), stride, available),
                        macroblock_.intra_modes[0], samples(0), stride);
  }

  MILLRACE_NOINLINE_FUNCTION void predict_chroma() const {
    IntraAvailability available = macroblock_availability(picture_, column_, row_);
    available.top_right = false;
    MILLRACE_SMALL_LOOP
    for (int plane = 1; plane < 3; ++plane) {
      const std::ptrdiff_t stride = picture_.stride(plane);
      predict_intra_chroma(kernels_,
                           kernels_.template load_edge<8>(samples(plane), stride, available),
                           macroblock_.intra_chroma_mode, samples(plane), stride);
    }
  }

  // Adds the residual of blocks from `first` on, each in one lane.
  MILLRACE_NOINLINE_FUNCTION void add_residual(int first) const {
    if (coefficients_ == nullptr || !may_have_residual()) return;
    kernels_.sync();
    const int blocks = macroblock_.coded_block_pattern >> 4 == 0 ? kLumaBlocks : kBlocks;
    MILLRACE_SMALL_LOOP
    for (int i = first + kernels_.lane(); i < blocks; i += kernels_.lanes()) {
      if (i >= kLumaBlocks) {
        add_chroma_block(i - kLumaBlocks);
      } else if (!macroblock_.has_8x8_transform) {
        if (has_luma_residual<4>(i % 4, i / 4)) add_luma_block<4>(i % 4, i / 4);
      } else if (i < 4) {
        if (has_luma_residual<8>(i % 2, i / 2)) add_luma_block<8>(i % 2, i / 2);
      }
    }
  }

  MILLRACE_FUNCTION bool may_have_residual() const {
    return (macroblock_.coded_blocks & 0xffff) != 0 ||
           macroblock_.type == MacroblockType::kIntra16x16 ||
           macroblock_.coded_block_pattern >> 4 != 0;
  }

  // Returns true if n x n block (x, y) has coefficients. The DC of kIntra16x16 does not count as
  // one of the block's own.
  template <int n>
  MILLRACE_FUNCTION bool has_luma_residual(int x, int y) const {
    if (coefficients_ == nullptr) return false;
    if ((macroblock_.coded_blocks >> (n / 4 * (4 * y + x)) & 1) != 0) return true;
    return macroblock_.type == MacroblockType::kIntra16x16 && *luma_block<n>(x, y) != 0;
  }

  template <int n>
  MILLRACE_FUNCTION const std::int16_t* luma_block(int x, int y) const {
    return coefficients_->luma + n * (kLumaPitch * y + x);
  }

  template <int n>
  MILLRACE_FUNCTION void add_luma_block(int x, int y) const {
    const std::ptrdiff_t stride = picture_.stride(0);
    kernels_.template add_residual<n, kLumaPitch>(luma_block<n>(x, y),
                                                  samples(0) + n * (y * stride + x), stride);
  }

  // Adds the residual of block `block`, 0 to 3 of Cb and 4 to 7 of Cr, if it has one.
  MILLRACE_FUNCTION void add_chroma_block(int block) const {
    const int plane = 1 + block / 4;
    const int x = 4 * (block % 2);
    const int y = 4 * (block % 4 / 2);
    const std::int16_t* const first = coefficients_->chroma[plane - 1] + kChromaPitch * y + x;
    const bool is_coded = macroblock_.coded_blocks >> (kLumaBlocks + block) & 1;
    if (!is_coded && first[0] == 0) return;
    const std::ptrdiff_t stride = picture_.stride(plane);
    kernels_.template add_residual<4, kChromaPitch>(first, samples(plane) + y * stride + x, stride);
  }

  const Kernels& kernels_;
  const PictureView& picture_;
  const int column_, row_;
  const Macroblock& macroblock_;
  const MacroblockCoefficients* const coefficients_;
};

// Reconstructs a macroblock of the picture, at (column, row). Those to its left, upper left, above
// and upper right must be reconstructed, and not deblocked where they touch it. `coefficients` are
// all of the macroblock's, whose list in the picture is not read; null: all are 0, and PCM is grey.
// All lanes of the kernels call it; what it writes is seen by a lane after sync().
template <class Kernels>
MILLRACE_FUNCTION inline void reconstruct_macroblock(const Kernels& kernels,
                                                     const PictureView& picture,
                                                     const Macroblock& macroblock, int column,
                                                     int row,
                                                     const MacroblockCoefficients* coefficients) {
  MacroblockReconstruction<Kernels>(kernels, picture, macroblock, column, row, coefficients)();
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCT_MACROBLOCK_H_
