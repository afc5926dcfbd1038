// SPDX-License-Identifier: Apache-2.0

// Pictures for the workloads of motion search, and what the reference finds in some of their
// macroblocks.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_WORKLOAD_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::tools {

// Luma of whole macroblocks in dense rows, in memory that is pinned for a device.
class MotionWorkload {
 public:
  // Allocates memory for `distinct` pictures of that size, rounded up to macroblocks.
  MotionWorkload(const std::shared_ptr<Device>& device, int width, int height,
                 std::size_t distinct);

  // Fills it with a texture, by the seed, that moves by 1 to 12 samples a picture, each of 16
  // regions in its own direction, and with noise.
  void fill_with_texture(std::uint32_t seed);

  int width() const { return width_; }
  int height() const { return height_; }
  std::size_t samples() const { return static_cast<std::size_t>(width_) * height_; }
  std::size_t macroblocks() const { return samples() / 256; }
  std::size_t distinct() const { return distinct_; }

  // Picture `index` of a clip without end: there and back through the distinct ones.
  std::size_t distinct_index(std::size_t index) const;
  const std::uint8_t* picture(std::size_t index) const {
    return samples_.data() + distinct_index(index) * samples();
  }

  // The distinct picture at `index`.
  std::uint8_t* distinct_picture(std::size_t index) { return samples_.data() + index * samples(); }

  // Searches some macroblocks of picture `index` in the one before by the reference. Throws
  // kInternal where `vectors` or `costs`, kPartitions elements a macroblock, are others.
  // `predictors` is the same field of the picture before; empty: zeros.
  void check(std::size_t index, std::span<const motion::MotionVector> predictors,
             std::span<const motion::MotionVector> vectors, std::span<const std::uint32_t> costs,
             const motion::SearchOptions& options) const;

 private:
  int width_;
  int height_;
  std::size_t distinct_;
  Buffer<std::uint8_t> samples_;
};

// Returns the number of searches of a run of some tenths of a second on a CPU or a large GPU.
std::size_t searches_of(const DeviceInfo& device, std::size_t macroblocks);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_WORKLOAD_H_
