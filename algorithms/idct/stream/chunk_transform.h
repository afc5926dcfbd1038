// SPDX-License-Identifier: Apache-2.0

// Enqueues the inverse transform of chunks of macroblocks to a run's output.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_CHUNK_TRANSFORM_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_CHUNK_TRANSFORM_H_

#include <millrace/algorithms/idct/stream/host_run.h>
#include <millrace/algorithms/idct/stream/residual_features.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/pipeline_report.h>
#include <millrace/runtime/tasks/policy.h>

#include <cstddef>

namespace millrace::idct {

class ChunkTransform {
 public:
  // `run` and `side` outlive this object. Features are summed in device memory, which `side`, a
  // queue of that device, clears before this returns.
  ChunkTransform(const HostRun& run, Policy policy, Queue& side);

  // Enqueues the work on a chunk in memory that the device reads. Writes to `output`, memory that
  // it writes, the bytes of HostRun::output_of().
  void submit(Queue& queue, const HostChunk& chunk, std::byte* output) const;

  // Downloads the features, once all chunks are computed. Adds their bytes to the report.
  void finish(PipelineReport& report);

 private:
  void submit(Queue& queue, const HostChunk& chunk, std::byte* output,
              const ResidualOutput& residual) const;
  void submit(Queue& queue, const HostChunk& chunk, std::byte* output,
              const PictureOutput& picture) const;
  void submit(Queue& queue, const HostChunk& chunk, std::byte* output,
              const ResidualFeatureOutput& features) const;

  const HostRun& run_;
  const Policy policy_;
  Queue& side_;
  Buffer<ResidualFeatures> device_features_;  // Empty if the device writes to the caller's.
  ResidualFeatures* sums_ = nullptr;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_CHUNK_TRANSFORM_H_
