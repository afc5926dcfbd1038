// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/stream/host_run.h>
#include <millrace/runtime/core/memory_space.h>

#include <algorithm>
#include <numeric>

namespace millrace::idct {
namespace {

ResidualOutput range_of(const ResidualOutput& output, std::size_t first, std::size_t /*count*/) {
  return {output.samples + kMacroblockSamples * first};
}

PictureOutput range_of(const PictureOutput& output, std::size_t first, std::size_t count) {
  const Plane& all = output.plane;
  const ConstPlane& from = output.prediction.plane;
  const int height = static_cast<int>(count) / all.macroblocks_per_row() * kMacroblockWidth;
  return {{{from.macroblock(first), from.stride, all.width, height}, output.prediction.space},
          {all.macroblock(first), all.stride, all.width, height}};
}

ResidualFeatureOutput range_of(const ResidualFeatureOutput& output, std::size_t first,
                               std::size_t count) {
  const std::size_t size = output.picture_size;
  return {size, output.features.subspan(first / size, (count + size - 1) / size)};
}

}  // namespace

HostRun HostRun::range(std::size_t first, std::size_t count) const {
  HostRun run{.input = input.range(first, count), .step = step, .output = {}};
  std::visit([&](const auto& all) { run.output = range_of(all, first, count); }, output);
  return run;
}

std::size_t HostRun::unit() const {
  const auto* const features = std::get_if<ResidualFeatureOutput>(&output);
  if (features == nullptr) return step;
  const std::size_t size = features->picture_size;
  return input.coded != nullptr ? std::lcm(step, size)
                                : size * std::max<std::size_t>(1, step / size);
}

std::optional<HostChunk> HostRun::chunk(std::size_t index) const {
  const std::size_t first = index * step;
  if (first >= input.count) return std::nullopt;
  const std::uint8_t* const prediction = host_prediction();
  return HostChunk{
      .first = first,
      .macroblocks = {.sizes = input.sizes + first, .count = std::min(step, input.count - first)},
      .prediction = prediction == nullptr ? nullptr : prediction + kMacroblockSamples * first};
}

const std::uint8_t* HostRun::host_prediction() const {
  const auto* const picture = std::get_if<PictureOutput>(&output);
  if (picture == nullptr || picture->prediction.space == MemorySpace::kDevice) return nullptr;
  return picture->prediction.plane.data;
}

std::span<std::byte> HostRun::output_of(const HostChunk& chunk) const {
  const std::size_t first = kMacroblockSamples * chunk.first;
  const std::size_t count = kMacroblockSamples * chunk.macroblocks.count;
  if (const auto* const residual = std::get_if<ResidualOutput>(&output)) {
    return std::as_writable_bytes(std::span(residual->samples + first, count));
  }
  if (const auto* const picture = std::get_if<PictureOutput>(&output)) {
    return std::as_writable_bytes(std::span(picture->plane.data + first, count));
  }
  return {};
}

}  // namespace millrace::idct
