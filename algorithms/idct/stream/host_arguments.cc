// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/stream/host_arguments.h>
#include <millrace/runtime/auto/pipeline_choice.h>
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/memory_space.h>

#include <cstdint>
#include <string>

namespace millrace::idct {
namespace {

void check_plane(const std::string& name, const ConstPlane& plane, std::size_t count) {
  check_not_null(name + ".data", plane.data);
  const auto is_whole = [](int size) { return size > 0 && size % kMacroblockWidth == 0; };
  if (!is_whole(plane.width) || !is_whole(plane.height)) {
    reject(name + " is " + std::to_string(plane.width) + "x" + std::to_string(plane.height) +
           " samples; both must be positive multiples of " + std::to_string(kMacroblockWidth));
  }
  if (count > plane.macroblock_count()) {
    reject("the queue has " + std::to_string(count) + " macroblocks; " + name + " holds only " +
           std::to_string(plane.macroblock_count()));
  }
}

void check_is_dense(const std::string& name, const ConstPlane& plane) {
  if (plane.stride == plane.width) return;
  reject(name + ".stride is " + std::to_string(plane.stride) +
         "; in host memory it must be the width, " + std::to_string(plane.width));
}

}  // namespace

HostTransformOptions checked(const Device& device, HostTransformOptions options) {
  constexpr double kMacroblocks = 1e6;
  constexpr double kBytes = kMacroblockSamples * sizeof(std::int16_t);
  const bool is_copied = !device.info().shares_host_memory;
  PipelineWork work;
  work.bytes_up = kMacroblocks * kBytes;
  work.bytes_down = kMacroblocks * kBytes;
  const PipelineChoice choice = choose_pipeline(work, costs_of(device.info())->link);
  const HostTransformOptions usual;
  if (options.chunk_macroblocks == 0) {
    options.chunk_macroblocks =
        is_copied ? choice.chunk_bytes / static_cast<std::size_t>(kBytes) : usual.chunk_macroblocks;
  }
  if (options.depth == 0) options.depth = is_copied ? choice.depth : usual.depth;
  check_range("chunk_macroblocks", options.chunk_macroblocks, 1, std::size_t{1} << 24);
  check_range("depth", options.depth, 1, 64);
  return options;
}

void check_input(const HostInput& input) {
  check_not_null("sizes", input.sizes);
  if (input.coded == nullptr) check_not_null("coefficients", input.coefficients);
}

void check_pictures(const HostInput& input, const HostPrediction& prediction, const Plane& output) {
  check_plane("prediction", prediction.plane, input.count);
  check_plane("output", output, input.count);
  check_is_dense("output", output);
  if (prediction.space != MemorySpace::kDevice) check_is_dense("prediction", prediction.plane);
  if (prediction.plane.stride < prediction.plane.width) {
    reject("prediction.stride is " + std::to_string(prediction.plane.stride) +
           "; it must be at least the width, " + std::to_string(prediction.plane.width));
  }
  if (prediction.plane.width != output.width) {
    reject("prediction is " + std::to_string(prediction.plane.width) + " samples wide and output " +
           std::to_string(output.width) + "; the widths must match");
  }
  if (input.count % output.macroblocks_per_row() != 0) {
    reject("the queue has " + std::to_string(input.count) +
           " macroblocks; it must have whole rows of " +
           std::to_string(output.macroblocks_per_row()));
  }
}

void check_group_prediction(const HostPrediction& prediction) {
  if (prediction.space != MemorySpace::kDevice) return;
  throw Error(ErrorCode::kUnsupported,
              "prediction is in device memory; a group of several devices needs it in host memory");
}

void check_features(const HostInput& input, std::size_t picture_size, std::size_t features) {
  check_range("picture_size", picture_size, 1, std::size_t{1} << 31);
  const std::size_t pictures = (input.count + picture_size - 1) / picture_size;
  if (features == pictures) return;
  reject("features has " + std::to_string(features) + " elements; the queue has " +
         std::to_string(pictures) + " pictures, and the numbers must match");
}

std::size_t checked_step(const HostInput& input, const HostTransformOptions& options,
                         std::size_t row) {
  const std::size_t step = options.chunk_macroblocks / row * row;
  if (step == 0) {
    reject("chunk_macroblocks is " + std::to_string(options.chunk_macroblocks) +
           "; it must be at least a row of the plane, " + std::to_string(row));
  }
  if (input.coded == nullptr) return step;
  const std::size_t given = input.coded->chunk_macroblocks();
  if (given > options.chunk_macroblocks || given % row != 0) {
    reject("the coded queue has chunks of " + std::to_string(given) +
           " macroblocks; the size must be a multiple of " + std::to_string(row) + ", at most " +
           std::to_string(options.chunk_macroblocks));
  }
  return given;
}

}  // namespace millrace::idct
