// SPDX-License-Identifier: Apache-2.0

// One call of a HostTransform, with checked arguments: the macroblocks, how they are cut into
// chunks, and what becomes of them.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_RUN_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_RUN_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/algorithms/idct/stream/residual_features.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

namespace millrace::idct {

// The outputs are in host memory and belong to the caller.
struct ResidualOutput {
  std::int16_t* samples = nullptr;  // 256 per macroblock.
};

struct PictureOutput {
  HostPrediction prediction;
  Plane plane;
};

struct ResidualFeatureOutput {
  std::size_t picture_size = 0;  // Macroblocks.
  std::span<ResidualFeatures> features;
};

// Macroblocks that go through the device together, in memory that it reads.
struct HostChunk {
  std::size_t first = 0;  // Index of its first macroblock in the run.
  MacroblockQueue macroblocks;
  const std::uint8_t* prediction = nullptr;  // 256 samples per macroblock, or null.
};

struct HostRun {
  HostInput input;
  std::size_t step = 0;  // Macroblocks per chunk.
  std::variant<ResidualOutput, PictureOutput, ResidualFeatureOutput> output;

  // Returns the run of macroblocks first..first+count-1, where `first` is a multiple of unit().
  HostRun range(std::size_t first, std::size_t count) const;

  // Returns the number of macroblocks of which ranges have multiples: whole chunks, and of features
  // also whole pictures.
  std::size_t unit() const;

  // Returns chunk `index` as it is in host memory, without coefficients; nothing behind the last.
  std::optional<HostChunk> chunk(std::size_t index) const;

  // Returns the prediction if it is in host memory, or null.
  const std::uint8_t* host_prediction() const;

  // Returns the memory of the chunk's output; empty for features.
  std::span<std::byte> output_of(const HostChunk& chunk) const;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_RUN_H_
