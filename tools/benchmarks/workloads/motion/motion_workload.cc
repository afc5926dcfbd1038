// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>

#include <algorithm>
#include <random>
#include <string>

namespace millrace::tools {
namespace {

using motion::kPartitions;
using motion::MotionField;
using motion::MotionVector;

constexpr int kTexture = 256;  // Samples of its width and height.

// Random values, each the mean of 16 neighbours: a sample predicts the next one, as in pictures.
std::vector<std::uint8_t> make_texture(std::minstd_rand& random) {
  std::vector<int> values(kTexture * kTexture);
  std::ranges::generate(values, [&] { return static_cast<int>(random() >> 8 & 255); });
  const auto at = [&](int x, int y) { return values[y % kTexture * kTexture + x % kTexture]; };
  std::vector<std::uint8_t> texture(values.size());
  for (int i = 0; i < kTexture * kTexture; ++i) {
    int sum = 0;
    for (int k = 0; k < 16; ++k) sum += at(i % kTexture + k % 4, i / kTexture + k / 4);
    texture[i] = static_cast<std::uint8_t>(std::clamp(4 * (sum / 16 - 128) + 128, 0, 255));
  }
  return texture;
}

constexpr int whole(int size) { return (size + 15) / 16 * 16; }

}  // namespace

MotionWorkload::MotionWorkload(const std::shared_ptr<Device>& device, int width, int height,
                               std::size_t distinct)
    : width_(whole(width)),
      height_(whole(height)),
      distinct_(distinct),
      samples_(device->pool(MemorySpace::kPinned), samples() * distinct) {}

void MotionWorkload::fill_with_texture(std::uint32_t seed) {
  std::minstd_rand random(seed);
  const std::vector<std::uint8_t> texture = make_texture(random);
  constexpr int kRegions = 4;  // Across and down.
  int speeds[kRegions * kRegions][2];
  for (auto& speed : speeds) {
    for (int& component : speed) {
      component = static_cast<int>(random() % 24) - 12;
      if (component >= 0) ++component;
    }
  }
  for (std::size_t n = 0; n < distinct_; ++n) {
    std::uint8_t* const to = distinct_picture(n);
    const int time = static_cast<int>(n);
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        const auto& speed = speeds[y * kRegions / height_ * kRegions + x * kRegions / width_];
        // The texture repeats; unsigned, so that its remainder is its position.
        const unsigned from_x = static_cast<unsigned>(x + speed[0] * time) % kTexture;
        const unsigned from_y = static_cast<unsigned>(y + speed[1] * time) % kTexture;
        const int noise = static_cast<int>(random() >> 10 & 3) - 2;
        to[static_cast<std::size_t>(y) * width_ + x] = static_cast<std::uint8_t>(
            std::clamp(texture[from_y * kTexture + from_x] + noise, 0, 255));
      }
    }
  }
}

std::size_t MotionWorkload::distinct_index(std::size_t index) const {
  if (distinct_ == 1) return 0;
  const std::size_t turn = 2 * (distinct_ - 1);
  const std::size_t step = index % turn;
  return std::min(step, turn - step);
}

void MotionWorkload::check(std::size_t index, std::span<const MotionVector> predictors,
                           std::span<const MotionVector> vectors,
                           std::span<const std::uint32_t> costs,
                           const motion::SearchOptions& options) const {
  const MotionVector zero;
  const motion::SearchFrame<std::uint8_t> frame{{picture(index), width_, width_, height_},
                                                {picture(index - 1), width_, width_, height_},
                                                predictors.empty() ? &zero : predictors.data(),
                                                predictors.empty() ? 0 : kPartitions};
  // Corners and some between.
  const std::size_t row = static_cast<std::size_t>(width_) / 16;
  const std::size_t last = macroblocks() - 1;
  for (const std::size_t macroblock : {std::size_t{0}, row - 1, last / 2, last / 3, last}) {
    MotionVector expected_vectors[kPartitions];
    std::uint32_t expected_costs[kPartitions];
    motion::search_macroblock_reference(frame, macroblock, {expected_vectors, expected_costs},
                                        options);
    const std::size_t first = MotionField::index(macroblock, 0);
    if (!std::ranges::equal(vectors.subspan(first, kPartitions), expected_vectors) ||
        !std::ranges::equal(costs.subspan(first, kPartitions), expected_costs)) {
      throw Error(ErrorCode::kInternal, "macroblock " + std::to_string(macroblock) +
                                            " of picture " + std::to_string(index) +
                                            " differs from the reference's");
    }
  }
}

std::size_t searches_of(const DeviceInfo& device, std::size_t macroblocks) {
  constexpr std::size_t kLeast = 3;
  constexpr std::size_t kMostOnCpu = 100;  // For small pictures, whose time is not only samples.
  // With a quarter of that, the first upload and the last download take 1 % (1080p, an H200;
  // docs/experiments/motion_search_chunk_size.md).
  constexpr std::size_t kMacroblocksOnGpu = 16'000'000;
  constexpr std::size_t kMostOnGpu = 15'000;
  if (device.is_simulated) return kLeast;
  if (!device.shares_host_memory) {
    return std::min(kMacroblocksOnGpu / macroblocks + kLeast, kMostOnGpu);
  }
  return std::min(30'000 / macroblocks + kLeast, kMostOnCpu);
}

}  // namespace millrace::tools
