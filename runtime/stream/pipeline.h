// SPDX-License-Identifier: Apache-2.0

// Chunks streamed through a device: produced on the host, uploaded, computed, downloaded and
// consumed on the host, several at a time, each stage on a thread or queue of its own.
//
//   Pipeline pipeline(device, {.input_bytes = kChunk, .output_bytes = kChunk});
//   const PipelineReport report = pipeline.run({
//       .produce = [&](const PipelineRoom& room) -> std::optional<PipelineInput> {
//         const std::size_t bytes = file.read(room.input);
//         if (bytes == 0) return std::nullopt;
//         return PipelineInput{.data = room.input.first(bytes)};
//       },
//       .compute = [](Queue& queue, const PipelineChunk& chunk) {
//         transform(queue, chunk.input, chunk.output);  // Enqueues.
//         chunk.result->bytes = chunk.input.size();
//       },
//       .consume = [&](const PipelineOutput& output) { other_file.write(output.data); },
//   });
#ifndef MILLRACE_RUNTIME_STREAM_PIPELINE_H_
#define MILLRACE_RUNTIME_STREAM_PIPELINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/pipeline_report.h>

namespace millrace {

struct PipelineOptions {
  // The most a chunk has on its way up and down.
  std::size_t input_bytes = 0;
  std::size_t output_bytes = 0;

  // Chunks between the start of produce and the end of consume, 1 to 64. What the link limits
  // needs 3; five stages of equal length need 5.
  int depth = 4;

  // Whether there is pinned memory for inputs and outputs. Not needed where each chunk brings its
  // own (PipelineInput).
  bool has_host_input = true;
  bool has_host_output = true;

  // Of the queue that computes.
  QueueOptions queue{};
};

// Where a chunk is to be produced. Chunks in flight at the same time have different slots, 0 to
// depth - 1: the caller's own memory for a chunk may be indexed by it.
struct PipelineRoom {
  std::uint64_t index = 0;  // Counts chunks from 0.
  int slot = 0;
  std::span<std::byte> input;  // Pinned, input_bytes long; empty without has_host_input.
};

// What produce made.
struct PipelineInput {
  // A part of the room, or any memory of the caller's, which stays as it is until the chunk is
  // consumed; it is uploaded from where it is, best if pinned. At most input_bytes.
  std::span<const std::byte> data;

  // Where the output is to come to; empty: to the pipeline's pinned memory.
  std::span<std::byte> output{};

  bool is_coded = false;  // For compute and the report.
};

// What compute says of its output: in memory that is written by host and device, by whichever
// knows first. All zero before.
struct PipelineResult {
  std::uint64_t bytes = 0;  // From the beginning of the chunk's output.
  std::uint64_t is_coded = 0;
};

// A chunk on the device. Where the device shares the host's memory, `input` is what produce
// returned and `output` where consume finds it: nothing is copied.
struct PipelineChunk {
  std::uint64_t index = 0;
  int slot = 0;
  std::span<const std::byte> input{};
  std::span<std::byte> output{};  // All there is room for.
  PipelineResult* result = nullptr;
  bool is_coded = false;  // As produce said.
};

// What came back, until consume returns.
struct PipelineOutput {
  std::uint64_t index = 0;
  int slot = 0;
  std::span<const std::byte> data;
  bool is_coded = false;  // As compute said.
};

struct PipelineStages {
  // The next chunk, or none when there are no more. Called on the thread that runs the pipeline.
  std::function<std::optional<PipelineInput>(const PipelineRoom&)> produce;

  // Enqueues the chunk's work, on the same thread. It may wait for the queue, but then nothing is
  // produced meanwhile.
  std::function<void(Queue&, const PipelineChunk&)> compute;

  // Called in the order of the chunks, on another thread, while later ones are produced. May be
  // empty.
  std::function<void(const PipelineOutput&)> consume{};
};

// Has its buffers, of the device's pools, and its queues as long as it lives: runs make none for a
// chunk, whose notes in queues are some hundred bytes while it is in flight. Runs come
// one at a time, on any thread.
class Pipeline {
 public:
  // Throws kInvalidArgument for a depth out of range, kOutOfMemory.
  explicit Pipeline(std::shared_ptr<Device> device, const PipelineOptions& options);
  ~Pipeline();

  // Runs until produce has no more and all is consumed. When a stage fails, be it on the device,
  // nothing more is produced, the chunks before it are consumed, and it throws that error once
  // nothing is in flight; of several failures it is that of the earliest chunk. (A copy that fails
  // may keep chunks before it from being consumed.) When a stop is requested no further stage is
  // started, and it throws kCancelled likewise. The pipeline can be run again after either.
  // Throws kInvalidArgument where produce or compute is missing, for an input or output larger
  // than the options say, and while another run goes on.
  PipelineReport run(const PipelineStages& stages, const std::stop_token& stop = {});

  const PipelineOptions& options() const;
  Device& device() const;

 private:
  class Body;
  const std::unique_ptr<Body> body_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_STREAM_PIPELINE_H_
