// SPDX-License-Identifier: Apache-2.0

// Clips as MotionWorkload takes them. Separate from the workload, which needs no decoder.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_CLIP_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_CLIP_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>
#include <millrace/tools/video/picture/picture.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// Padded luma of the clip's first `most` pictures, or of as many as it has. Throws what VideoReader
// throws.
MotionWorkload motion_workload_of_clip(const std::shared_ptr<Device>& device,
                                       const std::string& clip, std::size_t most);

// The same of pictures in memory: one or more, of one size.
MotionWorkload motion_workload_of(const std::shared_ptr<Device>& device,
                                  const std::vector<Picture>& pictures);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_CLIP_H_
