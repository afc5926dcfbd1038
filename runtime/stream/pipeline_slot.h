// SPDX-License-Identifier: Apache-2.0

// A pipeline's memory and queues, and what is known of a chunk in flight.
#ifndef MILLRACE_RUNTIME_STREAM_PIPELINE_SLOT_H_
#define MILLRACE_RUNTIME_STREAM_PIPELINE_SLOT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/runtime/timeline/timeline.h>

namespace millrace::internal {

// Written by the producing thread, then by the compute queue, then read by the consuming thread.
struct PipelineSlot {
  Buffer<std::byte> host_input;  // Empty where the device shares the host's memory.
  Buffer<std::byte> host_output;
  Buffer<std::byte> device_input;
  Buffer<std::byte> device_output;
  Buffer<PipelineResult> result;
  Buffer<std::byte> mark;  // 1 once the chunk is computed, 0 where the queue had failed.

  PipelineChunk chunk;
  std::span<std::byte> output;  // On the host.
  Event uploaded;
  Event compute_end;
  Event computed;  // And the way down is enqueued.
  Event downloaded;
  bool is_computed = false;  // Else the queue had failed.

  Timeline::Time upload_enqueued;
  Timeline::Time compute_enqueued;
  Timeline::Time computed_at;
};

struct PipelineParts {
  PipelineParts(std::shared_ptr<Device> device, const PipelineOptions& options);

  const std::shared_ptr<Device> device;
  const PipelineOptions options;
  const bool copies;  // Between host and device.
  std::vector<PipelineSlot> slots;

  // Tracks of the timeline.
  const std::string upload_track;
  const std::string compute_track;
  const std::string download_track;

  // Ended before the memory goes.
  const std::unique_ptr<Queue> upload;  // Null, as the last two, where nothing is copied.
  const std::unique_ptr<Queue> compute;
  const std::unique_ptr<Queue> download;
  const std::unique_ptr<Queue> control;  // Calls of the host when a chunk is computed.
};

}  // namespace millrace::internal

#endif  // MILLRACE_RUNTIME_STREAM_PIPELINE_SLOT_H_
