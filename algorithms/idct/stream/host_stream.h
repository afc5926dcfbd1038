// SPDX-License-Identifier: Apache-2.0

// Streams chunks of macroblocks from host memory through one device; used by HostTransform and
// HostTransformGroup.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_STREAM_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_STREAM_H_

#include <millrace/algorithms/idct/stream/coefficient_link.h>
#include <millrace/algorithms/idct/stream/host_run.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/algorithms/idct/stream/side_upload.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/stream/pipeline.h>

#include <memory>
#include <vector>

namespace millrace::idct {

class HostStream {
 public:
  // The options are checked.
  HostStream(const std::shared_ptr<Device>& device, const HostTransformOptions& options);

  // Returns when the outputs are in host memory.
  PipelineReport run(const HostRun& run);

 private:
  const Policy policy_;
  SideUpload beside_;
  CoefficientLink coefficients_;
  std::vector<HostChunk> chunks_;  // Chunks in flight, indexed by slot.
  Pipeline pipeline_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_STREAM_H_
