// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/queue/luma_queue.h>
#include <millrace/algorithms/h264/queue/reconstruct_from_residual.h>
#include <millrace/algorithms/h264/queue/reconstruct_residual_simd.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>
#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/core/check.h>

#include <cstddef>
#include <string>

namespace millrace::h264 {
namespace {

void check_length(const ParsedPicture& picture, std::size_t length) {
  std::size_t samples = 0;
  for (std::size_t i = 0; i < picture.coefficients.size(); ++i) {
    if (has_luma_residual(picture.macroblocks[i].type)) samples += idct::kMacroblockSamples;
  }
  if (samples != length) {
    reject("the residual has " + std::to_string(length) +
           " samples; the picture's macroblocks have " + std::to_string(samples) +
           "; the numbers must match");
  }
}

}  // namespace

void reconstruct_from_residual(const ParsedPicture& picture, const FindPicture& find,
                               std::span<const std::int16_t> residual, SamplePicture& output) {
  check_length(picture, residual.size());
  const ReconstructionInput input(picture, find);
  reconstruct_residual_simd(picture, residual, input.view(output));
}

}  // namespace millrace::h264
