// SPDX-License-Identifier: Apache-2.0

// The loops of encoding in one thread of a CPU, sample by sample. CPUs have the same functions by
// SIMD; results are equal to the bit.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_SCALAR_ENCODER_KERNELS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_SCALAR_ENCODER_KERNELS_H_

#include <millrace/algorithms/h264/encoder/macroblock/block_distortion.h>
#include <millrace/algorithms/h264/encoder/macroblock/block_transform.h>
#include <millrace/algorithms/h264/encoder/macroblock/composed_kernels.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>

#include <cstdint>

namespace millrace::h264 {

// Adds to `Base`, which has the loops of reconstruction.
template <class Base>
struct PlainEncoderKernels : Base {
  using Base::Base;

  MILLRACE_FUNCTION std::uint32_t sad(SampleRows a, SampleRows b, int width, int height) const {
    return block_sad(a, b, width, height);
  }
  MILLRACE_FUNCTION std::uint32_t satd(SampleRows a, SampleRows b, int width, int height) const {
    return block_satd(a, b, width, height);
  }
  MILLRACE_FUNCTION std::uint32_t squared_error(SampleRows a, SampleRows b, int width,
                                                int height) const {
    return block_squared_error(a, b, width, height);
  }
  template <int n>
  MILLRACE_FUNCTION void transform_difference(SampleRows source, SampleRows prediction,
                                              std::int16_t (&w)[n * n]) const {
    h264::transform_difference<n>(source, prediction, w);
  }
};

using ScalarEncoderKernels = ComposedKernels<PlainEncoderKernels<ScalarKernels>>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_SCALAR_ENCODER_KERNELS_H_
