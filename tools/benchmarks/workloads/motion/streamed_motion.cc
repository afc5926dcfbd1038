// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/motion/streamed_motion.h>

#include <vector>

namespace millrace::tools {

StreamedMotion::StreamedMotion(const std::shared_ptr<Device>& device,
                               const MotionWorkload& workload,
                               const motion::EstimatorOptions& options)
    : workload_(workload),
      search_(options.search),
      estimator_(device, workload.width(), workload.height(), options) {}

StreamedMotion::StreamedMotion(const DeviceGroup& group, const MotionWorkload& workload,
                               const motion::EstimatorOptions& options)
    : workload_(workload),
      search_(options.search),
      estimator_(group, workload.width(), workload.height(), options) {}

motion::EstimatorStages<std::uint8_t> StreamedMotion::stages(std::size_t searches) const {
  return {.produce = [this, searches](motion::InputPicture<std::uint8_t>& picture) {
    picture.source = workload_.picture(picture.index);
    return picture.index <= searches;
  }};
}

PipelineReport StreamedMotion::run(std::size_t searches) {
  return estimator_.run(stages(searches));
}

void StreamedMotion::check() {
  motion::EstimatorStages<std::uint8_t> checked = stages(2);
  std::vector<motion::MotionVector> before;
  checked.consume = [&](const motion::PictureMotion& found) {
    if (found.references == 0) return;
    workload_.check(found.index, before, found.vectors[0], found.costs[0], search_);
    before.assign(found.vectors[0].begin(), found.vectors[0].end());
  };
  estimator_.run(checked);
}

}  // namespace millrace::tools
