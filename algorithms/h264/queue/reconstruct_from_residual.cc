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
  static void add_residual(const std::int16_t* block, std::uint8_t* samples,
                           std::ptrdiff_t stride) {
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

// Returns the coefficients with the residual in the place of luma's. The residual of a block whose
// DC alone is coded is the same at all samples, so its first sample says, as the DC does, whether
// there is something to add.
std::vector<MacroblockCoefficients> with_residual(const ParsedPicture& picture,
                                                  std::span<const std::int16_t> residual) {
  std::vector<MacroblockCoefficients> replaced = picture.coefficients;
  std::size_t next = 0;
  for (std::size_t i = 0; i < replaced.size(); ++i) {
    if (!has_luma_residual(picture.macroblocks[i].type)) continue;
    if (next + idct::kMacroblockSamples <= residual.size()) {
      std::ranges::copy(residual.subspan(next, idct::kMacroblockSamples), replaced[i].luma);
    }
    next += idct::kMacroblockSamples;
  }
  if (next != residual.size()) {
    throw Error(ErrorCode::kInvalidArgument, "the residual has " + std::to_string(residual.size()) +
                                                 " samples; the picture's macroblocks have " +
                                                 std::to_string(next));
  }
  return replaced;
}

}  // namespace

void reconstruct_from_residual(const ParsedPicture& picture, const FindPicture& find,
                               std::span<const std::int16_t> residual, SamplePicture& output) {
  const std::vector<MacroblockCoefficients> coefficients = with_residual(picture, residual);
  const ReconstructionInput input(picture, find);
  PictureView view = input.view(output);
  if (!coefficients.empty()) view.coefficients = coefficients.data();
  reconstruct_view<ResidualKernels>(view);
}

}  // namespace millrace::h264
