// SPDX-License-Identifier: Apache-2.0

// Forwards timeline ranges to NVIDIA's profilers. NVTX consists of headers that search for a
// profiler on first use, and do nothing without one.
#include <millrace/runtime/timeline/internal/timeline_ranges.h>

#include <nvtx3/nvToolsExt.h>

namespace millrace::cuda_backend {
namespace {

class NvtxRanges final : public TimelineRanges {
 public:
  void open(const char* name) noexcept override { nvtxRangePushA(name); }
  void close() noexcept override { nvtxRangePop(); }
};

NvtxRanges ranges;
const RegisterTimelineRanges registered(ranges);

}  // namespace
}  // namespace millrace::cuda_backend
