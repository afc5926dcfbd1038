// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/cpu/encode_row_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/h264/encoder/cpu/encode_row_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/h264/encoder/cpu/distortion_inl.h>
#include <millrace/algorithms/h264/encoder/cpu/forward_transform_inl.h>
#include <millrace/algorithms/h264/encoder/cpu/intra_satd_inl.h>
#include <millrace/algorithms/h264/encoder/cpu/searched_distortions_inl.h>
#include <millrace/algorithms/h264/encoder/decision/encode_row.h>
#include <millrace/algorithms/h264/encoder/macroblock/composed_kernels.h>
#include <millrace/algorithms/h264/encoder/macroblock/scalar_encoder_kernels.h>
#include <millrace/algorithms/h264/reconstruction/cpu/simd_kernels_inl.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

using SimdEncoderKernels = ComposedKernels<PlainEncoderKernels<SimdKernels>>;

#else

// Has the functions of PlainEncoderKernels in SIMD.
struct SimdLoops : SimdKernels {
  std::uint32_t sad(SampleRows a, SampleRows b, int width, int height) const {
    return sad_of(a, b, width, height);
  }
  std::uint32_t satd(SampleRows a, SampleRows b, int width, int height) const {
    return satd_of(a, b, width, height);
  }
  std::uint32_t squared_error(SampleRows a, SampleRows b, int width, int height) const {
    return squared_error_of(a, b, width, height);
  }
  template <int n>
  void transform_difference(SampleRows source, SampleRows prediction,
                            std::int16_t (&w)[n * n]) const {
    if constexpr (n == 4) {
      transform_difference_4x4(source, prediction, w);
    } else {
      transform_difference_8x8(source, prediction, w);
    }
  }
};

// Has some functions of its base in SIMD.
struct SimdEncoderKernels : ComposedKernels<SimdLoops> {
  template <int n>
  void mode_satds(const IntraEdge<n>& edge, std::uint32_t modes, SampleRows source,
                  std::uint8_t* block, std::ptrdiff_t stride, std::uint32_t (&satds)[9]) const {
    if constexpr (n == 4) {
      intra_satds_4x4(edge, source, satds);
    } else {
      ComposedKernels::mode_satds(edge, modes, source, block, stride, satds);
    }
  }

  void predict_whole(const IntraEdge<16>& edge, int mode, std::uint8_t* block,
                     std::ptrdiff_t stride) const {
    predict_intra_16x16_rows(edge, mode, block, stride);
  }

  std::uint32_t whole_mode_satd(const IntraEdge<16>& edge, int mode, SampleRows source,
                                std::uint8_t* block, std::ptrdiff_t stride) const {
    predict_whole(edge, mode, block, stride);
    std::int32_t sums[16];
    const std::uint32_t satd = satd_and_sums(source, {block, stride}, sums);
    return satd + static_cast<std::uint32_t>(satd_difference_of_dc(sums));
  }

  template <int side>
  std::uint32_t blocks_above(SampleRows source, SampleRows prediction,
                             const std::int16_t (&limits)[16],
                             std::int16_t (&dc)[side * side / 16]) const {
    return blocks_above_limits<side>(source, prediction, limits, dc);
  }

  void searched_distortions(const std::uint32_t* costs, const MotionVector* vectors,
                            MotionVector predictor, int lambda,
                            std::uint32_t (&distortions)[motion::kPartitions]) const {
    distortions_of_costs(costs, vectors, predictor, lambda, distortions);
  }
};

#endif

void encode(const PictureCoding& coding, PictureProgress& progress, int row) {
  encode_row<SimdEncoderKernels>(coding, progress, row);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::h264 {

HWY_EXPORT(encode);

void encode_row_simd(const PictureCoding& coding, PictureProgress& progress, int row) {
  HWY_DYNAMIC_DISPATCH(encode)(coding, progress, row);
}

}  // namespace millrace::h264
#endif  // HWY_ONCE
