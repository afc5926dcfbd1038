// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/cpu/reconstruct_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/h264/reconstruction/cpu/reconstruct_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <hwy/highway.h>
#include <millrace/algorithms/h264/reconstruction/cpu/deblocking_inl.h>
#include <millrace/algorithms/h264/reconstruction/cpu/intra_prediction_inl.h>
#include <millrace/algorithms/h264/reconstruction/cpu/prediction_inl.h>
#include <millrace/algorithms/h264/reconstruction/cpu/residual_inl.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_view.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

using Kernels = ScalarKernels;

#else

// Has the functions of its base in SIMD.
struct Kernels : ScalarKernels {
  void predict_luma(SampleRows from, int x, int y, int width, int height, std::uint8_t* to,
                    std::ptrdiff_t stride) const {
    switch (width) {
      case 16: predict_luma_block<16>(from, x, y, height, to, stride); break;
      case 8: predict_luma_block<8>(from, x, y, height, to, stride); break;
      default: predict_luma_block<4>(from, x, y, height, to, stride); break;
    }
  }

  void predict_chroma(SampleRows from, int x, int y, int width, int height, std::uint8_t* to,
                      std::ptrdiff_t stride) const {
    switch (width) {
      case 8: predict_chroma_block<8>(from, x, y, height, to, stride); break;
      case 4: predict_chroma_block<4>(from, x, y, height, to, stride); break;
      default: ScalarKernels::predict_chroma(from, x, y, width, height, to, stride); break;
    }
  }

  void weigh(const BlockWeights& weights, int list, int width, int height, std::uint8_t* to,
             std::ptrdiff_t stride) const {
    switch (width) {
      case 16: weigh_block<16>(weights, list, height, to, stride); break;
      case 8: weigh_block<8>(weights, list, height, to, stride); break;
      case 4: weigh_block<4>(weights, list, height, to, stride); break;
      default: ScalarKernels::weigh(weights, list, width, height, to, stride); break;
    }
  }

  void combine(const BlockWeights& weights, const std::uint8_t* second, int width, int height,
               std::uint8_t* to, std::ptrdiff_t stride) const {
    switch (width) {
      case 16: combine_blocks<16>(weights, second, height, to, stride); break;
      case 8: combine_blocks<8>(weights, second, height, to, stride); break;
      case 4: combine_blocks<4>(weights, second, height, to, stride); break;
      default: ScalarKernels::combine(weights, second, width, height, to, stride); break;
    }
  }

  template <int n>
  void predict_intra(const IntraEdge<n>& edge, int mode, std::uint8_t* block,
                     std::ptrdiff_t stride) const {
    predict_intra_rows(edge, mode, block, stride);
  }

  template <int n, int pitch>
  void add_residual(const std::int16_t* coefficients, std::uint8_t* block,
                    std::ptrdiff_t stride) const {
    if constexpr (n == 4) {
      add_residual_4x4(coefficients, pitch, block, stride);
    } else {
      add_residual_8x8(coefficients, block, stride);
    }
  }

  void filter_luma(const EdgeFilter& filter, std::uint8_t* first, std::ptrdiff_t across,
                   std::ptrdiff_t along) const {
    if (across == 1) {
      filter_luma_columns(filter, first, along);
    } else {
      filter_luma_rows(filter, first, across);
    }
  }

  void filter_chroma(const EdgeFilter& filter, std::uint8_t* first, std::ptrdiff_t across,
                     std::ptrdiff_t along) const {
    if (across == 1) {
      filter_chroma_columns(filter, first, along);
    } else {
      filter_chroma_rows(filter, first, across);
    }
  }
};

#endif

void reconstruct(const PictureView& picture) { reconstruct_view<Kernels>(picture); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::h264 {

HWY_EXPORT(reconstruct);

void reconstruct_picture_simd(const ParsedPicture& picture, const FindPicture& find,
                              SamplePicture& output) {
  const ReconstructionInput input(picture, find);
  HWY_DYNAMIC_DISPATCH(reconstruct)(input.view(output));
}

}  // namespace millrace::h264
#endif  // HWY_ONCE
