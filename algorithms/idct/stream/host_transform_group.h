// SPDX-License-Identifier: Apache-2.0

// Distributes macroblocks in host memory over the devices of a group; used by HostTransform if
// there are several.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_GROUP_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_GROUP_H_

#include <millrace/algorithms/idct/stream/host_run.h>
#include <millrace/algorithms/idct/stream/host_stream.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/stream/pipeline_report.h>

#include <memory>
#include <vector>

namespace millrace::idct {

class HostTransformGroup {
 public:
  // The options are checked.
  HostTransformGroup(const DeviceGroup& group, const HostTransformOptions& options);

  // Distributes the run's macroblocks in pieces that are multiples of its unit. Throws what
  // share_items() throws.
  PipelineReport run(const HostRun& run);

  // Returns the number of macroblocks that each device transformed in the last call.
  const std::vector<DevicePortion>& portions() const { return portions_; }

 private:
  const DeviceGroup group_;
  std::vector<std::unique_ptr<HostStream>> streams_;  // One per device.
  std::vector<DevicePortion> portions_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_TRANSFORM_GROUP_H_
