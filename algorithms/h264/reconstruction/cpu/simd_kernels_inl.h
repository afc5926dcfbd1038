// SPDX-License-Identifier: Apache-2.0

// The loops of reconstruction in the vectors of the target being compiled, for sources that are
// compiled once per target.

#include <millrace/algorithms/h264/reconstruction/cpu/deblocking_inl.h>
#include <millrace/algorithms/h264/reconstruction/cpu/intra_prediction_inl.h>
#include <millrace/algorithms/h264/reconstruction/cpu/prediction_inl.h>
#include <millrace/algorithms/h264/reconstruction/cpu/residual_inl.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_SIMD_KERNELS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_SIMD_KERNELS_INL_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_SIMD_KERNELS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_SIMD_KERNELS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

using SimdKernels = ScalarKernels;

#else

// Has the functions of its base in SIMD.
struct SimdKernels : ScalarKernels {
  void predict_luma(SampleRows from, int x, int y, BlockSamples block) const {
    const auto [to, stride, width, height] = block;
    switch (width) {
      case 16: predict_luma_block<16>(from, x, y, height, to, stride); break;
      case 8: predict_luma_block<8>(from, x, y, height, to, stride); break;
      default: predict_luma_block<4>(from, x, y, height, to, stride); break;
    }
  }

  void predict_chroma(SampleRows from, int x, int y, BlockSamples block) const {
    const auto [to, stride, width, height] = block;
    switch (width) {
      case 8: predict_chroma_block<8>(from, x, y, height, to, stride); break;
      case 4: predict_chroma_block<4>(from, x, y, height, to, stride); break;
      default: ScalarKernels::predict_chroma(from, x, y, block); break;
    }
  }

  void weigh(const BlockWeights& weights, int list, BlockSamples block) const {
    const auto [to, stride, width, height] = block;
    switch (width) {
      case 16: weigh_block<16>(weights, list, height, to, stride); break;
      case 8: weigh_block<8>(weights, list, height, to, stride); break;
      case 4: weigh_block<4>(weights, list, height, to, stride); break;
      default: ScalarKernels::weigh(weights, list, block); break;
    }
  }

  void combine(const BlockWeights& weights, const std::uint8_t* second, BlockSamples block) const {
    const auto [to, stride, width, height] = block;
    switch (width) {
      case 16: combine_blocks<16>(weights, second, height, to, stride); break;
      case 8: combine_blocks<8>(weights, second, height, to, stride); break;
      case 4: combine_blocks<4>(weights, second, height, to, stride); break;
      default: ScalarKernels::combine(weights, second, block); break;
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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_SIMD_KERNELS_INL_H_
