// SPDX-License-Identifier: Apache-2.0

// Macroblocks in host memory shared by the devices of a group: what HostTransform is made of where
// there are several.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_GROUP_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_GROUP_H_

#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/work_sharing.h>
#include <millrace/runtime/stream/pipeline_report.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace millrace::idct {

class HostTransformGroup {
 public:
  HostTransformGroup(const DeviceGroup& group, const HostTransformOptions& options);

  // What one device does with macroblocks `first` to `first + count` - 1.
  using Part = std::function<PipelineReport(HostTransform&, std::size_t first, std::size_t count)>;

  // Shares `count` macroblocks, in pieces that are multiples of `unit`. Throws as share_work().
  PipelineReport share(std::size_t count, std::size_t unit, const Part& part);

  // Of the last call, in macroblocks.
  const std::vector<DeviceShare>& shares() const { return shares_; }

 private:
  const DeviceGroup group_;
  std::vector<std::unique_ptr<HostTransform>> transforms_;  // One a device.
  std::vector<DeviceShare> shares_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_GROUP_H_
