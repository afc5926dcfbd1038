// SPDX-License-Identifier: Apache-2.0

// One run of a pipeline.
#ifndef MILLRACE_RUNTIME_STREAM_PIPELINE_RUN_H_
#define MILLRACE_RUNTIME_STREAM_PIPELINE_RUN_H_

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <stop_token>

#include <millrace/runtime/stream/pipeline.h>
#include <millrace/runtime/stream/pipeline_slot.h>

namespace millrace::internal {

// Two threads of the host, which sleep while they have nothing to do: one produces and enqueues
// uploads and computing, the other waits for the earliest chunk and consumes it. What is behind
// computing on the compute queue enqueues the download, as it is the first to know its size.
class PipelineRun {
 public:
  // All outlive the run.
  PipelineRun(PipelineParts& parts, const PipelineStages& stages, const std::stop_token& stop);

  // To the end, on the calling thread and one of its own.
  PipelineReport go();

 private:
  void produce_all();
  void consume_all();

  // Waits until chunk `index` may use its slot; false when there are to be no more chunks.
  bool wait_for_slot(std::uint64_t index);

  // Produces chunk `index` and enqueues all its work; false when there is none.
  bool submit(std::uint64_t index);
  std::optional<PipelineInput> produce(std::uint64_t index, int slot);
  void place(PipelineSlot& slot, const PipelineInput& input);
  void enqueue(PipelineSlot& slot, const PipelineInput& input);

  // Called by a queue when the chunk is computed, or the computing queue has failed.
  void download(PipelineSlot& slot);

  // Waits until chunk `index` is submitted; false when it will not be, or a stop is requested.
  bool wait_for_chunk(std::uint64_t index);

  // Waits until the chunk's output is on the host; false when its queues have failed.
  bool wait_for_output(const PipelineSlot& slot);
  void consume(const PipelineSlot& slot);

  // Adds the chunk's time on the queues to the report and the timeline.
  void account(const PipelineSlot& slot);

  // Remembers the failure of the earliest chunk. Without an error it is the queues'.
  void fail(std::uint64_t index, std::exception_ptr error);

  // Waits for the queues and returns the first error of any.
  std::exception_ptr drain();
  void throw_failure(const std::exception_ptr& of_queues);

  static constexpr std::uint64_t kNoChunk = std::numeric_limits<std::uint64_t>::max();

  PipelineSlot& slot_of(std::uint64_t index) { return parts_.slots[index % parts_.slots.size()]; }

  PipelineParts& parts_;
  const PipelineStages& stages_;
  const std::stop_token& stop_;

  PipelineReport report_;  // Each thread writes its own stages; seconds at the end.
  Timeline::Time upload_end_;
  Timeline::Time compute_end_;
  Timeline::Time download_end_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t submitted_ = 0;  // Chunks.
  std::uint64_t consumed_ = 0;
  bool is_ended_ = false;     // Nothing more will be submitted.
  bool is_complete_ = false;  // Because produce had no more.
  std::uint64_t failed_chunk_ = kNoChunk;
  std::exception_ptr error_;        // Of failed_chunk_.
  std::exception_ptr other_error_;  // Of a later chunk, which may have taken it from the queues.
};

}  // namespace millrace::internal

#endif  // MILLRACE_RUNTIME_STREAM_PIPELINE_RUN_H_
