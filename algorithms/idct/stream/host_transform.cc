// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/stream/host_transform.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <millrace/algorithms/idct/stream/feature_tasks.h>
#include <millrace/algorithms/idct/stream/host_stream.h>
#include <millrace/algorithms/idct/stream/host_transform_group.h>
#include <millrace/runtime/auto/pipeline_choice.h>
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

namespace millrace::idct {
namespace {

// Returns the options with defaults chosen for the values that the caller left open.
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
  return options;
}

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

// Returns the number of macroblocks per chunk, a multiple of `row`.
std::size_t step_for(const HostInput& input, const HostTransformOptions& options, std::size_t row) {
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

void check_input(const HostInput& input) {
  check_not_null("sizes", input.sizes);
  if (input.coded == nullptr) check_not_null("coefficients", input.coefficients);
}

template <class Set>
void submit(Queue& queue, const MacroblockQueue& macroblocks,
            const typename Set::Arguments& arguments, Policy policy) {
  submit_tasks(queue,
               IndexedTasks<Set>{.tags = reinterpret_cast<const TaskTag*>(macroblocks.sizes),
                                 .count = macroblocks.count,
                                 .arguments = arguments},
               {.policy = policy});
}

}  // namespace

class HostTransform::Body {
 public:
  Body(const std::shared_ptr<Device>& device, const HostTransformOptions& given)
      : options(checked(*device, given)) {
    stream.emplace(device, options);
  }
  // Options that are left open are chosen for the first device.
  Body(const DeviceGroup& group, const HostTransformOptions& given)
      : options(checked(*group.device(0), given)) {
    if (group.size() == 1) {
      stream.emplace(group.device(0), options);
    } else {
      this->group.emplace(group, options);
    }
  }

  const HostTransformOptions options;
  std::optional<HostStream> stream;  // Set for one device.
  std::optional<HostTransformGroup> group;
};

HostInput HostInput::part(std::size_t first, std::size_t part_count) const {
  HostInput part = *this;
  part.sizes += first;
  if (coefficients != nullptr) part.coefficients += kMacroblockSamples * first;
  if (coded != nullptr) part.first_chunk += first / coded->chunk_macroblocks();
  part.count = part_count;
  return part;
}

HostTransform::HostTransform(std::shared_ptr<Device> device, const HostTransformOptions& options)
    : body_(std::make_unique<Body>(device, options)) {}

HostTransform::HostTransform(const DeviceGroup& group, const HostTransformOptions& options)
    : body_(std::make_unique<Body>(group, options)) {}

HostTransform::~HostTransform() = default;

std::vector<DeviceShare> HostTransform::shares() const {
  return body_->group ? body_->group->shares() : std::vector<DeviceShare>{};
}

PipelineReport HostTransform::residual(const HostInput& input, std::int16_t* residual) {
  if (input.count == 0) return {};
  check_input(input);
  check_not_null("residual", residual);
  const std::size_t step = step_for(input, body_->options, 1);
  if (body_->group) {
    return body_->group->share(
        input.count, step, [&](HostTransform& part, std::size_t first, std::size_t count) {
          return part.residual(input.part(first, count), residual + kMacroblockSamples * first);
        });
  }
  const Policy policy = body_->options.policy;
  return body_->stream->run(
      {.input = input,
       .step = step,
       .output = reinterpret_cast<std::byte*>(residual),
       .output_bytes = kMacroblockSamples * sizeof(std::int16_t),
       .transform = [policy](Queue& queue, const HostChunk& chunk, std::byte* output) {
         submit<ResidualTasks>(
             queue, chunk.macroblocks,
             {chunk.macroblocks.coefficients, reinterpret_cast<std::int16_t*>(output)}, policy);
       }});
}

PipelineReport HostTransform::reconstruct(const HostInput& input, const HostPrediction& prediction,
                                          const Plane& output) {
  if (input.count == 0) return {};
  check_input(input);
  check_pictures(input, prediction, output);
  const std::size_t step = step_for(input, body_->options, output.macroblocks_per_row());
  if (body_->group) return reconstruct_by_group(input, prediction, output, step);
  const Policy policy = body_->options.policy;
  const int width = output.width;
  const auto transform = [policy, width, given = prediction.plane](
                             Queue& queue, const HostChunk& chunk, std::byte* to) {
    const int row = width / kMacroblockWidth;
    const int height = static_cast<int>(chunk.macroblocks.count) / row * kMacroblockWidth;
    const ConstPlane plane =
        chunk.prediction != nullptr
            ? ConstPlane{chunk.prediction, width, width, height}
            : ConstPlane{given.macroblock(chunk.first), given.stride, width, height};
    submit<ReconstructionTasks>(queue, chunk.macroblocks,
                                {chunk.macroblocks.coefficients, plane,
                                 Plane{reinterpret_cast<std::uint8_t*>(to), width, width, height}},
                                policy);
  };
  return body_->stream->run(
      {.input = input,
       .step = step,
       .prediction = prediction.space == MemorySpace::kDevice ? nullptr : prediction.plane.data,
       .output = reinterpret_cast<std::byte*>(output.data),
       .output_bytes = kMacroblockSamples,
       .transform = transform});
}

PipelineReport HostTransform::reconstruct_by_group(const HostInput& input,
                                                   const HostPrediction& prediction,
                                                   const Plane& output, std::size_t step) {
  if (prediction.space == MemorySpace::kDevice) {
    throw Error(
        ErrorCode::kUnsupported,
        "prediction is in device memory; a group of several devices needs it in host memory");
  }
  return body_->group->share(
      input.count, step, [&](HostTransform& part, std::size_t first, std::size_t count) {
        const int height =
            static_cast<int>(count) / output.macroblocks_per_row() * kMacroblockWidth;
        const ConstPlane from{prediction.plane.macroblock(first), prediction.plane.stride,
                              output.width, height};
        return part.reconstruct(input.part(first, count), {from, prediction.space},
                                {output.macroblock(first), output.stride, output.width, height});
      });
}

PipelineReport HostTransform::features(const HostInput& input, std::size_t picture_size,
                                       std::span<ResidualFeatures> features) {
  check_range("picture_size", picture_size, 1, std::size_t{1} << 31);
  const std::size_t pictures = (input.count + picture_size - 1) / picture_size;
  if (features.size() != pictures) {
    reject("features has " + std::to_string(features.size()) + " elements; the queue has " +
           std::to_string(pictures) + " pictures, and the numbers must match");
  }
  if (input.count == 0) return {};
  check_input(input);
  const std::size_t step = step_for(input, body_->options, 1);
  if (body_->group) {
    const std::size_t unit = input.coded != nullptr
                                 ? std::lcm(step, picture_size)
                                 : picture_size * std::max<std::size_t>(1, step / picture_size);
    return body_->group->share(
        input.count, unit, [&](HostTransform& part, std::size_t first, std::size_t count) {
          return part.features(
              input.part(first, count), picture_size,
              features.subspan(first / picture_size, (count + picture_size - 1) / picture_size));
        });
  }
  HostStream& stream = *body_->stream;
  Buffer<ResidualFeatures> device_features(stream.device().pool(MemorySpace::kDevice),
                                           stream.copies() ? pictures : 0);
  ResidualFeatures* const sums = stream.copies() ? device_features.data() : features.data();
  stream.queue().fill(sums, std::byte{0}, features.size_bytes());
  stream.queue().wait();
  const Policy policy = stream.options().policy;
  PipelineReport report =
      stream.run({.input = input,
                  .step = step,
                  .transform = [=](Queue& queue, const HostChunk& chunk, std::byte*) {
                    submit<FeatureTasks>(
                        queue, chunk.macroblocks,
                        {.coefficients = chunk.macroblocks.coefficients,
                         .features = sums + chunk.first / picture_size,
                         .index_in_picture = static_cast<std::uint32_t>(chunk.first % picture_size),
                         .picture_size = static_cast<std::uint32_t>(picture_size)},
                        policy);
                  }});
  if (!stream.copies()) return report;
  stream.queue().copy(features.data(), sums, features.size_bytes());
  stream.queue().wait();
  report.bytes_down += features.size_bytes();
  return report;
}

}  // namespace millrace::idct
