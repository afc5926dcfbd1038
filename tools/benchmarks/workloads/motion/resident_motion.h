// SPDX-License-Identifier: Apache-2.0

// Searches of pictures that are on the device, for the workloads of motion search.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_RESIDENT_MOTION_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_RESIDENT_MOTION_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace millrace::tools {

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

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_RESIDENT_MOTION_H_
