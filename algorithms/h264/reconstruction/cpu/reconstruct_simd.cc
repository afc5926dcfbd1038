// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/cpu/reconstruct_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/h264/reconstruction/cpu/reconstruct_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/h264/reconstruction/cpu/simd_kernels_inl.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_view.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

void reconstruct(const PictureView& picture) { reconstruct_view<SimdKernels>(picture); }

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
