// A clip as `bench motion` takes it. Apart from the workload, which needs no decoder.
#ifndef MILLRACE_TOOLS_BENCHMARK_MOTION_CLIP_H_
#define MILLRACE_TOOLS_BENCHMARK_MOTION_CLIP_H_

#include <cstddef>
#include <memory>
#include <string>

#include <millrace/runtime/device.h>
#include <millrace/tools/benchmark/motion_workload.h>

namespace millrace::tools {

// Padded luma of the clip's first `most` pictures, or of as many as it has. Throws what VideoReader
// throws.
MotionWorkload motion_workload_of_clip(const std::shared_ptr<Device>& device,
                                       const std::string& clip, std::size_t most);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARK_MOTION_CLIP_H_
