#include <millrace/algorithms/motion_estimation/motion_estimator.h>

#include <string>
#include <utility>

#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_stream.h>
#include <millrace/runtime/error.h>

namespace millrace::motion {
namespace {

[[noreturn]] void refuse(const std::string& name, int value, const std::string& rule) {
  throw Error(ErrorCode::kInvalidArgument,
              name + " is " + std::to_string(value) + "; it is " + rule);
}

void check_range(const std::string& name, int value, int least, int most) {
  if (value >= least && value <= most) return;
  refuse(name, value, std::to_string(least) + " to " + std::to_string(most));
}

void check_size(const std::string& name, int size) {
  if (size > 0 && size <= kMostPictureSize && size % kMacroblockWidth == 0) return;
  refuse(name, size,
         "a positive multiple of " + std::to_string(kMacroblockWidth) + ", at most " +
             std::to_string(kMostPictureSize));
}

EstimatorOptions checked(int width, int height, const EstimatorOptions& options) {
  check_size("width", width);
  check_size("height", height);
  check_search_options(options.search);
  check_range("options.references", options.references, 1, kMostReferences);
  check_range("options.predictor", static_cast<int>(options.predictor), 0, 2);
  check_range("options.pictures_per_chunk", options.pictures_per_chunk, 0, 1024);
  check_range("options.depth", options.depth, 2, 64);
  return options;
}

}  // namespace

template <class Sample>
MotionEstimator<Sample>::MotionEstimator(std::shared_ptr<Device> device, int width, int height,
                                         const EstimatorOptions& options)
    : stream_(std::make_unique<MotionStream<Sample>>(std::move(device), width, height,
                                                     checked(width, height, options))) {}

template <class Sample>
MotionEstimator<Sample>::~MotionEstimator() = default;

template <class Sample>
PipelineReport MotionEstimator<Sample>::run(const EstimatorStages<Sample>& stages,
                                            const std::stop_token& stop) {
  return stream_->run(stages, stop);
}

template class MotionEstimator<std::uint8_t>;
template class MotionEstimator<std::uint16_t>;

}  // namespace millrace::motion
