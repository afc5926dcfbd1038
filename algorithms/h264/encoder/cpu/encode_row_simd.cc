// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/cpu/encode_row_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/h264/encoder/cpu/encode_row_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/h264/encoder/cpu/distortion_inl.h>
#include <millrace/algorithms/h264/encoder/cpu/forward_transform_inl.h>
#include <millrace/algorithms/h264/encoder/decision/encode_row.h>
#include <millrace/algorithms/h264/encoder/macroblock/composed_kernels.h>
#include <millrace/algorithms/h264/encoder/macroblock/scalar_encoder_kernels.h>
#include <millrace/algorithms/h264/reconstruction/cpu/simd_kernels_inl.h>

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

using SimdEncoderKernels = PlainEncoderKernels<SimdKernels>;

#else

// Has the functions of PlainEncoderKernels in SIMD.
struct SimdEncoderKernels : SimdKernels {
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

#endif

void encode(const PictureCoding& coding, PictureProgress& progress, int row) {
  encode_row<ComposedKernels<SimdEncoderKernels>>(coding, progress, row);
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
