// SPDX-License-Identifier: Apache-2.0

// The runs that the workloads of motion search time: searches of pictures that are on the device,
// and of a clip in host memory with all its uploads and downloads.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_RUNS_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/stream/pipeline_report.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::tools {

// Searches for a run of some tenths of a second on a CPU or a large GPU.
std::size_t searches_of(const DeviceInfo& device, std::size_t macroblocks);

// The distinct pictures in device memory, searched one after another without a wait between, each
// by the vectors of the one before; the results stay there.
class ResidentMotion {
 public:
  ResidentMotion(const std::shared_ptr<Device>& device, const MotionWorkload& workload,
                 const QueueOptions& queue, const motion::SearchOptions& search);

  // Searches pictures 1 to `searches` and waits.
  void run(std::size_t searches);

  // Throws kInternal where the first two are not what the reference finds.
  void check();

 private:
  motion::MotionField field(std::size_t index);

  const MotionWorkload& workload_;
  const motion::SearchOptions search_;
  const std::unique_ptr<Queue> queue_;
  Buffer<std::uint8_t> pictures_;
  Buffer<motion::MotionVector> vectors_;  // Two fields.
  Buffer<std::uint32_t> costs_;
  Buffer<motion::MotionVector> zero_;
};

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

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_RUNS_H_
