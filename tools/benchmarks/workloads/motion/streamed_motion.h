// SPDX-License-Identifier: Apache-2.0

// Searches of a clip in host memory with all its uploads and downloads, for the workloads of motion
// search.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_STREAMED_MOTION_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_STREAMED_MOTION_H_

#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/stream/pipeline_report.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::tools {

// A clip through a MotionEstimator, from pinned memory and back.
class StreamedMotion {
 public:
  StreamedMotion(const std::shared_ptr<Device>& device, const MotionWorkload& workload,
                 const motion::EstimatorOptions& options);
  StreamedMotion(const DeviceGroup& group, const MotionWorkload& workload,
                 const motion::EstimatorOptions& options);

  // The portion of each device of a group, in the last run.
  std::vector<DevicePortion> portions() const { return estimator_.portions(); }

  // Searches pictures 1 to `searches`, and throws what MotionEstimator::run does.
  PipelineReport run(std::size_t searches);

  // Has the contract of ResidentMotion::check().
  void check();

 private:
  motion::EstimatorStages<std::uint8_t> stages(std::size_t searches) const;

  const MotionWorkload& workload_;
  const motion::SearchOptions search_;
  motion::MotionEstimator<std::uint8_t> estimator_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_STREAMED_MOTION_H_
