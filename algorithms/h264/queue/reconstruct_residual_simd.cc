// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/queue/reconstruct_residual_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/h264/queue/reconstruct_residual_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/h264/queue/luma_queue.h>
#include <millrace/algorithms/h264/reconstruction/cpu/simd_kernels_inl.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_view.h>
#include <millrace/algorithms/idct/idct_math.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

// Adds a row of n residuals to a row of samples.
template <int n>
HWY_INLINE void add_residual_row(const std::int16_t* residual, std::uint8_t* samples) {
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE
  for (int x = 0; x < n; ++x) samples[x] = idct::reconstruct_sample(samples[x], residual[x]);
#else
  const hn::FixedTag<std::int16_t, n> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const auto prediction = hn::PromoteTo(d, hn::LoadU(bytes, samples));
  // A sum that saturates is clipped all the same.
  const auto sum = hn::SaturatedAdd(prediction, hn::LoadU(d, residual));
  hn::StoreU(hn::DemoteTo(bytes, sum), bytes, samples);
#endif
}

// Takes the coefficients of luma, in rows at a distance of kLumaPitch, for a residual, and adds it.
struct ResidualKernels : SimdKernels {
  template <int n, int pitch>
  void add_residual(const std::int16_t* block, std::uint8_t* samples, std::ptrdiff_t stride) const {
    if constexpr (pitch == kChromaPitch) {
      SimdKernels::add_residual<n, pitch>(block, samples, stride);
    } else {
      for (int y = 0; y < n; ++y) add_residual_row<n>(block + y * pitch, samples + y * stride);
    }
  }
};

// Gives coefficients of macroblocks with the residual instead of luma's. The residual of a
// block whose DC alone is coded is the same at all samples, so its first sample says, as the DC
// does, whether there is something to add.
class ResidualAndChroma {
 public:
  ResidualAndChroma(const ParsedPicture& picture, std::span<const std::int16_t> residual)
      : picture_(picture), residual_(residual) {}

  // Is called for each macroblock, in raster order.
  const MacroblockCoefficients* operator()(int index) {
    if (!picture_.coefficients.are_wanted()) return nullptr;
    const auto macroblock = static_cast<std::size_t>(index);
    coefficients_ = {};
    expand(picture_.coefficients.of(macroblock), coefficients_);
    if (has_luma_residual(picture_.macroblocks[macroblock].type)) {
      std::ranges::copy(residual_.first(idct::kMacroblockSamples), coefficients_.luma);
      residual_ = residual_.subspan(idct::kMacroblockSamples);
    }
    return &coefficients_;
  }

 private:
  const ParsedPicture& picture_;
  std::span<const std::int16_t> residual_;
  MacroblockCoefficients coefficients_;
};

void reconstruct(const ParsedPicture& picture, std::span<const std::int16_t> residual,
                 const PictureView& view) {
  ResidualAndChroma coefficients(picture, residual);
  reconstruct_view<ResidualKernels>(view, coefficients);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::h264 {

HWY_EXPORT(reconstruct);

void reconstruct_residual_simd(const ParsedPicture& picture, std::span<const std::int16_t> residual,
                               const PictureView& view) {
  HWY_DYNAMIC_DISPATCH(reconstruct)(picture, residual, view);
}

}  // namespace millrace::h264
#endif  // HWY_ONCE
