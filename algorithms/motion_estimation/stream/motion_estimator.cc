// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/algorithms/motion_estimation/stream/motion_group.h>
#include <millrace/algorithms/motion_estimation/stream/motion_stream.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>

#include <string>
#include <utility>

namespace millrace::motion {
namespace {

void check_size(const std::string& name, int size) {
  if (size > 0 && size <= kMostPictureSize && size % kMacroblockWidth == 0) return;
  reject(name + " is " + std::to_string(size) + "; it must be a positive multiple of " +
         std::to_string(kMacroblockWidth) + ", at most " + std::to_string(kMostPictureSize));
}

EstimatorOptions checked(int width, int height, const EstimatorOptions& options) {
  check_size("width", width);
  check_size("height", height);
  check_search_options(options.search);
  check_rows("options.search.rows", options.search.rows, height / kMacroblockWidth);
  check_range("options.references", options.references, 1, kMostReferences);
  check_range("options.predictor", static_cast<int>(options.predictor), 0, 2);
  check_range("options.pictures_per_chunk", options.pictures_per_chunk, 0, 1024);
  check_range("options.depth", options.depth, 2, 64);
  return options;
}

EstimatorOptions checked_of_group(int width, int height, const EstimatorOptions& options) {
  if (options.search.rows.count > 0) {
    throw Error(ErrorCode::kUnsupported,
                "options.search.rows is set, but a group of several devices searches all rows; "
                "leave it empty");
  }
  return checked(width, height, options);
}

template <class Sample>
void check_stages(const EstimatorStages<Sample>& stages, bool is_group) {
  if (!stages.produce) reject("stages.produce is empty; it must write the pictures");
  if (is_group && stages.after_search) {
    throw Error(
        ErrorCode::kUnsupported,
        "stages.after_search is set, but no device of a group has all results of a picture; leave "
        "it empty");
  }
}

}  // namespace

template <class Sample>
MotionEstimator<Sample>::MotionEstimator(std::shared_ptr<Device> device, int width, int height,
                                         const EstimatorOptions& options)
    : stream_(std::make_unique<MotionStream<Sample>>(std::move(device), width, height,
                                                     checked(width, height, options))) {}

template <class Sample>
MotionEstimator<Sample>::MotionEstimator(const DeviceGroup& group, int width, int height,
                                         const EstimatorOptions& options)
    : stream_(group.size() == 1
                  ? std::make_unique<MotionStream<Sample>>(group.device(0), width, height,
                                                           checked(width, height, options))
                  : nullptr),
      group_(group.size() == 1
                 ? nullptr
                 : std::make_unique<MotionGroup<Sample>>(
                       group.devices(), width, height, checked_of_group(width, height, options))) {}

template <class Sample>
MotionEstimator<Sample>::~MotionEstimator() = default;

template <class Sample>
std::vector<DevicePortion> MotionEstimator<Sample>::portions() const {
  return group_ != nullptr ? group_->portions() : std::vector<DevicePortion>{};
}

template <class Sample>
PipelineReport MotionEstimator<Sample>::run(const EstimatorStages<Sample>& stages,
                                            const std::stop_token& stop) {
  check_stages(stages, group_ != nullptr);
  return group_ != nullptr ? group_->run(stages, stop) : stream_->run(stages, stop);
}

template class MotionEstimator<std::uint8_t>;
template class MotionEstimator<std::uint16_t>;

}  // namespace millrace::motion
