// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/tools/command/me/me_scene_cut.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace millrace::tools {
namespace {

using motion::MotionVector;
using motion::Precision;

constexpr int kSize = Picture::kMacroblock;
constexpr std::uint32_t kTexture = 2 * kSize * kSize;

std::uint32_t satd_from(const std::uint8_t* samples, std::ptrdiff_t stride, int value) {
  int differences[16];
  for (int i = 0; i < 16; ++i) differences[i] = samples[i / 4 * stride + i % 4] - value;
  return motion::satd_4x4(differences);
}

// Returns the distortion of a macroblock against its mean.
std::uint32_t mean_distortion(const std::uint8_t* samples, std::ptrdiff_t stride,
                              Precision precision) {
  int sum = 0;
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) sum += samples[y * stride + x];
  }
  const int mean = (sum + kSize * kSize / 2) / (kSize * kSize);
  std::uint32_t distortion = 0;
  if (precision == Precision::kInteger) {
    for (int y = 0; y < kSize; ++y) {
      for (int x = 0; x < kSize; ++x) {
        distortion += static_cast<std::uint32_t>(std::abs(samples[y * stride + x] - mean));
      }
    }
    return distortion;
  }
  for (int y = 0; y < kSize; y += 4) {
    for (int x = 0; x < kSize; x += 4) {
      distortion += satd_from(samples + y * stride + x, stride, mean);
    }
  }
  return distortion;
}

// Returns the distortion of a macroblock against its 16x16 prediction: its cost without the bits of
// its vector.
std::uint32_t motion_distortion(const MotionView& picture, std::size_t macroblock, int lambda) {
  const std::size_t position = motion::MotionField::index(macroblock, 0);
  const MotionVector vector = picture.motion.vectors[0][position];
  const MotionVector predictor = motion::limited_predictor(picture.predictors[macroblock]);
  const std::uint32_t bits =
      motion::motion_cost(0, lambda, vector.x - predictor.x, vector.y - predictor.y);
  return (picture.motion.costs[0][position] - bits) / 32;
}

}  // namespace

bool is_scene_cut(const MotionView& picture, const motion::SearchOptions& options) {
  const ConstPicturePlane& luma = picture.luma;
  const std::size_t macroblocks = picture.predictors.size();
  std::size_t macroblock = 0;
  std::size_t textured = 0;
  std::size_t predicted = 0;
  for (int y = 0; y < luma.padded_height; y += kSize) {
    for (int x = 0; x < luma.padded_width; x += kSize, ++macroblock) {
      const std::uint32_t mean = mean_distortion(luma.row(y) + x, luma.stride, options.precision);
      if (mean < kTexture) continue;
      ++textured;
      if (4 * motion_distortion(picture, macroblock, options.lambda) > 3 * mean) continue;
      ++predicted;
      if (5 * predicted >= macroblocks) return false;  // Most pictures end here.
    }
  }
  return 8 * textured >= macroblocks && 5 * predicted < textured;
}

}  // namespace millrace::tools
