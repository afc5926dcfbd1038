// SPDX-License-Identifier: Apache-2.0

// A pipeline streams chunks through a device. Each is produced on the host, uploaded, computed,
// downloaded and consumed on the host. Several chunks are in flight at a time, because each stage
// has a thread or queue of its own.
//
//   Pipeline pipeline(device, {.input_bytes = kChunk, .output_bytes = kChunk});
//   const PipelineReport report = pipeline.run({
//       .produce = [&](const PipelineInputMemory& slot) -> std::optional<PipelineInput> {
//         const std::size_t bytes = file.read(slot.input);
//         if (bytes == 0) return std::nullopt;
//         return PipelineInput{.data = slot.input.first(bytes)};
//       },
//       .compute = [](Queue& queue, const PipelineChunk& chunk) {
//         transform(queue, chunk.input, chunk.output);  // Enqueues.
//         chunk.result->bytes = chunk.input.size();
//       },
//       .consume = [&](const PipelineOutput& output) { other_file.write(output.data); },
//   });
#ifndef MILLRACE_RUNTIME_STREAM_PIPELINE_H_
#define MILLRACE_RUNTIME_STREAM_PIPELINE_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/pipeline_report.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

namespace millrace {

struct PipelineOptions {
  // Maximum bytes of a chunk's input and output.
  std::size_t input_bytes = 0;
  std::size_t output_bytes = 0;

  // Number of chunks between the start of produce and the end of consume, 1 to 64. A pipeline that
  // the link limits needs 3; one of five equally long stages needs 5.
  int depth = 4;

  // True if the pipeline allocates pinned memory for inputs and outputs. Not needed if each chunk
  // brings its own memory (PipelineInput).
  bool has_host_input = true;
  bool has_host_output = true;

  // Options of the queue that computes.
  QueueOptions queue{};
};

// The memory that a chunk is produced in. Chunks in flight at the same time have different slots,
// 0 to depth - 1, by which the caller may index memory of its own.
struct PipelineInputMemory {
  std::uint64_t index = 0;  // Number of the chunk, from 0.
  int slot = 0;
  std::span<std::byte> input;  // Pinned, input_bytes long; empty without has_host_input.
};

// The chunk that produce returns.
struct PipelineInput {
  // At most input_bytes in PipelineInputMemory::input or in memory of the caller, who keeps it
  // unchanged until the chunk is consumed. It is uploaded without a copy on the host, fastest if
  // pinned.
  std::span<const std::byte> data;

  // Memory that receives the output; empty for the pipeline's pinned memory.
  std::span<std::byte> output{};

  bool is_coded = false;  // True if a codec made the data; passed to compute and the report.
};

// The size of a chunk's output. It is in memory that both host and device write; the stage that
// knows the size first sets it. It is 0 before.
struct PipelineResult {
  std::uint64_t bytes = 0;     // Bytes to download, from the beginning of the chunk's output.
  std::uint64_t is_coded = 0;  // Not 0 if a codec made the output.
};

// A chunk on the device. If the device shares the host's memory, nothing is copied: `input` is the
// memory that produce returned and `output` the memory that consume receives.
struct PipelineChunk {
  std::uint64_t index = 0;  // Number of the chunk, from 0.
  int slot = 0;
  std::span<const std::byte> input{};
  std::span<std::byte> output{};  // The whole capacity.
  PipelineResult* result = nullptr;
  bool is_coded = false;  // PipelineInput::is_coded.
};

// A chunk that has been downloaded. The data is valid until consume returns.
struct PipelineOutput {
  std::uint64_t index = 0;  // Number of the chunk, from 0.
  int slot = 0;
  std::span<const std::byte> data;
  bool is_coded = false;  // PipelineResult::is_coded.
};

struct PipelineStages {
  // Returns the next chunk, or nothing if there are no more. Called on the thread that runs the
  // pipeline.
  std::function<std::optional<PipelineInput>(const PipelineInputMemory&)> produce;

  // Enqueues the chunk's work. Called on the same thread. It may wait for the queue, but no chunk
  // is produced meanwhile.
  std::function<void(Queue&, const PipelineChunk&)> compute;

  // Receives the chunks in order, on another thread, while later ones are produced. May be empty.
  std::function<void(const PipelineOutput&)> consume{};
};

// Keeps its buffers, which are of the device's pools, and its queues for its whole life. A chunk in
// flight allocates only some hundred bytes for its operations in queues. Any thread may run it, one
// run at a time.
class Pipeline {
 public:
  // Throws kInvalidArgument for a depth out of range, and kOutOfMemory.
  explicit Pipeline(std::shared_ptr<Device> device, const PipelineOptions& options);
  ~Pipeline();

  // Runs until produce returns nothing and all chunks are consumed.
  //
  // If a stage fails, also on the device, no further chunk is produced, the chunks before the
  // failed one are consumed, and the error is thrown once nothing is in flight. Of several errors
  // that of the earliest chunk is thrown. (A failed copy may keep earlier chunks from being
  // consumed.) If a stop is requested, no further stage starts, and kCancelled is thrown in the
  // same way. The pipeline can be run again after either.
  //
  // Throws kInvalidArgument if produce or compute is missing, if an input or output is larger than
  // the options allow, and while another run is in progress.
  PipelineReport run(const PipelineStages& stages, const std::stop_token& stop = {});

  const PipelineOptions& options() const;
  Device& device() const;

 private:
  class Body;
  const std::unique_ptr<Body> body_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_STREAM_PIPELINE_H_
