// SPDX-License-Identifier: Apache-2.0

// One run of a pipeline, with the pipeline's memory and queues and the state of each chunk in
// flight.
#ifndef MILLRACE_RUNTIME_STREAM_INTERNAL_PIPELINE_RUN_H_
#define MILLRACE_RUNTIME_STREAM_INTERNAL_PIPELINE_RUN_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/runtime/timeline/timeline.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::internal {

// The memory and state of one chunk in flight. The producing thread writes it, then the compute
// queue does, and then the consuming thread reads it.
struct PipelineSlot {
  Buffer<std::byte> host_input;  // Empty if the device shares the host's memory.
  Buffer<std::byte> host_output;
  Buffer<std::byte> device_input;
  Buffer<std::byte> device_output;
  Buffer<PipelineResult> result;
  Buffer<std::byte> mark;  // 1 once the chunk is computed; 0 if the queue had failed.

  PipelineChunk chunk;
  std::span<std::byte> output;  // Host memory.
  Event uploaded;
  Event compute_end;
  Event computed;  // Ready once the chunk is computed and its download enqueued.
  Event downloaded;
  bool is_computed = false;  // False if the queue had failed.

  Timeline::Time upload_enqueued;
  Timeline::Time compute_enqueued;
  Timeline::Time computed_at;
};

// The memory and queues of a pipeline, which all its runs use.
struct PipelineResources {
  PipelineResources(std::shared_ptr<Device> device, const PipelineOptions& options);

  const std::shared_ptr<Device> device;
  const PipelineOptions options;
  const bool copies;  // True if chunks are copied between host and device.
  std::vector<PipelineSlot> slots;

  // Tracks of the timeline.
  const std::string upload_track;
  const std::string compute_track;
  const std::string download_track;

  // The queues are destroyed before the memory. All but `compute` are null if nothing is copied.
  const std::unique_ptr<Queue> upload;
  const std::unique_ptr<Queue> compute;
  const std::unique_ptr<Queue> download;
  const std::unique_ptr<Queue> control;  // Calls the host when a chunk is computed.
};

// Uses two host threads, which sleep while they have no work. One produces chunks and enqueues
// their uploads and computing; the other waits for the earliest chunk and consumes it. The host
// call behind the computing enqueues the download, because the size is not known earlier.
class PipelineRun {
 public:
  // The arguments must outlive the run.
  PipelineRun(PipelineResources& resources, const PipelineStages& stages,
              const std::stop_token& stop);

  // Runs to the end, on the calling thread and one more.
  PipelineReport go();

 private:
  void produce_all();
  void consume_all();

  // Waits until chunk `index` may use its slot. Returns false if no more chunks are to be produced.
  bool wait_for_slot(std::uint64_t index);

  // Produces chunk `index` and enqueues all its work. Returns false if there is none.
  bool submit(std::uint64_t index);
  std::optional<PipelineInput> produce(std::uint64_t index, int slot);
  void set_memory(PipelineSlot& slot, const PipelineInput& input);
  void enqueue(PipelineSlot& slot, const PipelineInput& input);

  // Enqueues the download. Called by a queue once the chunk is computed or the compute queue has
  // failed.
  void download(PipelineSlot& slot);

  // Waits until chunk `index` is submitted. Returns false if it will not be or a stop is requested.
  bool wait_for_chunk(std::uint64_t index);

  // Waits until the chunk's output is on the host. Returns false if its queues have failed.
  bool wait_for_output(const PipelineSlot& slot);
  void consume(const PipelineSlot& slot);

  // Adds the chunk's time on the queues to the report and the timeline.
  void account(const PipelineSlot& slot);

  // Records the failure of a chunk, of which the earliest is kept. A null error stands for an error
  // of the queues.
  void fail(std::uint64_t index, std::exception_ptr error);

  // Waits for the queues and returns their first error.
  std::exception_ptr drain();
  void throw_failure(const std::exception_ptr& of_queues);

  static constexpr std::uint64_t kNoChunk = std::numeric_limits<std::uint64_t>::max();

  PipelineSlot& slot_of(std::uint64_t index) {
    return resources_.slots[index % resources_.slots.size()];
  }

  PipelineResources& resources_;
  const PipelineStages& stages_;
  const std::stop_token& stop_;

  PipelineReport report_;  // Each thread writes its own stages; `seconds` is set at the end.
  Timeline::Time upload_end_;
  Timeline::Time compute_end_;
  Timeline::Time download_end_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t submitted_ = 0;  // Number of chunks.
  std::uint64_t consumed_ = 0;   // Number of chunks.
  bool is_ended_ = false;        // True if nothing more will be submitted.
  bool is_complete_ = false;     // True if produce has returned nothing.
  std::uint64_t failed_chunk_ = kNoChunk;
  std::exception_ptr error_;  // Error of failed_chunk_.

  // Error of a later chunk, which may have received it from the queues.
  std::exception_ptr other_error_;
};

}  // namespace millrace::internal

#endif  // MILLRACE_RUNTIME_STREAM_INTERNAL_PIPELINE_RUN_H_
