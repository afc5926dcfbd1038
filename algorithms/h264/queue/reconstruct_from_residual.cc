// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/queue/reconstruct_from_residual.h>

#include <millrace/algorithms/h264/queue/luma_queue.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_view.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>
#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

// Adds what it takes for coefficients of luma, whose rows are kLumaPitch apart, as a residual.
struct ResidualKernels : ScalarKernels {
  template <int n, int pitch>
  void add_residual(const std::int16_t* block, std::uint8_t* samples, std::ptrdiff_t stride) const {
    if constexpr (pitch == kChromaPitch) {
      ScalarKernels::add_residual<n, pitch>(block, samples, stride);
    } else {
      for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
          std::uint8_t& sample = samples[y * stride + x];
          sample = idct::reconstruct_sample(sample, block[y * pitch + x]);
        }
      }
    }
  }
};

// Gives coefficients of macroblocks with the residual in the place of luma's. The residual of a
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

void check_length(const ParsedPicture& picture, std::size_t length) {
  std::size_t samples = 0;
  for (std::size_t i = 0; i < picture.coefficients.size(); ++i) {
    if (has_luma_residual(picture.macroblocks[i].type)) samples += idct::kMacroblockSamples;
  }
  if (samples != length) {
    throw Error(ErrorCode::kInvalidArgument, "the residual has " + std::to_string(length) +
                                                 " samples; the picture's macroblocks have " +
                                                 std::to_string(samples));
  }
}

}  // namespace

void reconstruct_from_residual(const ParsedPicture& picture, const FindPicture& find,
                               std::span<const std::int16_t> residual, SamplePicture& output) {
  check_length(picture, residual.size());
  const ReconstructionInput input(picture, find);
  ResidualAndChroma coefficients(picture, residual);
  reconstruct_view<ResidualKernels>(input.view(output), coefficients);
}

}  // namespace millrace::h264
