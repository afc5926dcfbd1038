// SPDX-License-Identifier: Apache-2.0

// The searches that the workload "motion-quality" compares.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_QUALITY_QUALITY_SEARCHES_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_QUALITY_QUALITY_SEARCHES_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/workloads/motion/quality/motion_quality.h>

#include <memory>
#include <vector>

namespace millrace::tools {

// search_motion() of a picture that is in the device's memory.
class DeviceSearch {
 public:
  // `concurrency` is the queue's (QueueOptions).
  DeviceSearch(const std::shared_ptr<Device>& device, int concurrency);

  // Brings a frame to the device. Each of these waits for the device.
  void load(const LumaFrame& frame);
  void search(const SearchOptions& options);
  void decide(const SearchOptions& options);

  // Brings field and modes back.
  void fetch(const CodedMotion& motion);

 private:
  LumaFrame frame() const;

  std::shared_ptr<Queue> queue_;
  LumaFrame size_{};  // The last frame that was loaded, except for its addresses.
  Buffer<std::uint8_t> current_;
  Buffer<std::uint8_t> reference_;
  Buffer<motion::MotionVector> predictors_;
  Buffer<motion::MotionVector> vectors_;
  Buffer<std::uint32_t> costs_;
  Buffer<motion::MacroblockMode> modes_;
};

// The indices of searches in quality_searches().
inline constexpr std::size_t kFullByPrevious = 0;
inline constexpr std::size_t kFullByMedian = 1;
inline constexpr std::size_t kHexagonByMedian = 2;
inline constexpr std::size_t kDiamondByMedian = 3;

// search_motion() on the device; then, on one thread of the host, the full search and the fast ones
// in coding order; and the fast ones with the predictors of search_motion().
std::vector<LumaSearch> quality_searches(const std::shared_ptr<Device>& device);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_QUALITY_QUALITY_SEARCHES_H_
