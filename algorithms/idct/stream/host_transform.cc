// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/stream/host_arguments.h>
#include <millrace/algorithms/idct/stream/host_run.h>
#include <millrace/algorithms/idct/stream/host_stream.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/algorithms/idct/stream/host_transform_group.h>
#include <millrace/runtime/core/check.h>

#include <optional>

namespace millrace::idct {

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

  PipelineReport run(const HostRun& run) { return group ? group->run(run) : stream->run(run); }

  const HostTransformOptions options;
  std::optional<HostStream> stream;  // Set for one device.
  std::optional<HostTransformGroup> group;
};

HostInput HostInput::range(std::size_t first, std::size_t range_count) const {
  HostInput result = *this;
  result.sizes += first;
  if (coefficients != nullptr) result.coefficients += kMacroblockSamples * first;
  if (coded != nullptr) result.first_chunk += first / coded->chunk_macroblocks();
  result.count = range_count;
  return result;
}

HostTransform::HostTransform(std::shared_ptr<Device> device, const HostTransformOptions& options)
    : body_(std::make_unique<Body>(device, options)) {}

HostTransform::HostTransform(const DeviceGroup& group, const HostTransformOptions& options)
    : body_(std::make_unique<Body>(group, options)) {}

HostTransform::~HostTransform() = default;

std::vector<DevicePortion> HostTransform::portions() const {
  return body_->group ? body_->group->portions() : std::vector<DevicePortion>{};
}

PipelineReport HostTransform::residual(const HostInput& input, std::int16_t* residual) {
  if (input.count == 0) return {};
  check_input(input);
  check_not_null("residual", residual);
  return body_->run({.input = input,
                     .step = checked_step(input, body_->options, 1),
                     .output = ResidualOutput{residual}});
}

PipelineReport HostTransform::reconstruct(const HostInput& input, const HostPrediction& prediction,
                                          const Plane& output) {
  if (input.count == 0) return {};
  check_input(input);
  check_pictures(input, prediction, output);
  const std::size_t step = checked_step(input, body_->options, output.macroblocks_per_row());
  if (body_->group) check_group_prediction(prediction);
  return body_->run({.input = input, .step = step, .output = PictureOutput{prediction, output}});
}

PipelineReport HostTransform::features(const HostInput& input, std::size_t picture_size,
                                       std::span<ResidualFeatures> features) {
  check_features(input, picture_size, features.size());
  if (input.count == 0) return {};
  check_input(input);
  return body_->run({.input = input,
                     .step = checked_step(input, body_->options, 1),
                     .output = ResidualFeatureOutput{picture_size, features}});
}

}  // namespace millrace::idct
