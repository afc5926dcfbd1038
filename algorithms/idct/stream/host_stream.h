// SPDX-License-Identifier: Apache-2.0

// Chunks of macroblocks from host memory through a device: what the calls of host_transform.h
// share.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_STREAM_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_STREAM_H_

#include <millrace/algorithms/idct/stream/coded_queue.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/stream/codec.h>
#include <millrace/runtime/stream/codec_choice.h>
#include <millrace/runtime/stream/pipeline.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace millrace::idct {

inline constexpr std::size_t kCoefficientBytes = kMacroblockSamples * sizeof(std::int16_t);

// A chunk where the device reads it.
struct HostChunk {
  std::size_t first = 0;  // Its first macroblock's place in the queue.
  MacroblockQueue macroblocks;
  const std::uint8_t* prediction = nullptr;  // 256 samples for each macroblock, if it has one.
};

// One run. What is not optional is checked.
struct HostRun {
  HostInput input;
  std::size_t step = 0;                      // Macroblocks of a chunk.
  const std::uint8_t* prediction = nullptr;  // In host memory, 256 samples for each; optional.
  std::byte* output = nullptr;               // In host memory.
  std::size_t output_bytes = 0;              // For each macroblock.

  // Enqueues what is done with a chunk, whose output goes to memory that the device writes.
  std::function<void(Queue&, const HostChunk&, std::byte* output)> transform;
};

class HostStream {
 public:
  HostStream(std::shared_ptr<Device> device, const HostTransformOptions& options);

  Device& device() const { return *device_; }
  const HostTransformOptions& options() const { return options_; }

  // Whether there is a link between host and device.
  bool copies() const { return copies_; }

  // For what is copied beside the chunks.
  Queue& queue() { return *side_; }

  PipelineReport run(const HostRun& run);

 private:
  // A chunk in flight.
  struct Slot {
    Buffer<TransformSize> pinned_sizes;  // Empty, as the next two, where nothing is copied.
    Buffer<TransformSize> sizes;
    Buffer<std::uint8_t> prediction;
    Buffer<CodecResult> result;
    HostChunk chunk;
    bool is_coded = false;
    Event uploaded;  // What is not the pipeline's input.
    Event decode_begin;
    Event decode_end;
  };

  std::vector<Slot> make_slots() const;
  void measure_link();

  std::optional<PipelineInput> produce(const HostRun& run, const PipelineRoom& room);
  void upload_beside(const HostRun& run, Slot& slot);
  PipelineInput input_of(const HostRun& run, const Slot& slot, const PipelineRoom& room);
  bool is_worth_coding(const std::int16_t* coefficients, std::size_t count);
  std::size_t encode(const std::int16_t* coefficients, std::size_t count,
                     std::span<std::byte> room);
  void compute(const HostRun& run, Queue& queue, const PipelineChunk& chunk);
  void consume(const PipelineOutput& output);

  const std::shared_ptr<Device> device_;
  const HostTransformOptions options_;
  const bool copies_;
  std::optional<HostCoder> coder_;
  std::vector<Slot> slots_;
  Buffer<std::byte> decoded_;  // Of the chunk that is computed.
  Pipeline pipeline_;
  const std::unique_ptr<Queue> side_;
  std::uint64_t side_bytes_ = 0;  // Of the current run.

  std::mutex mutex_;
  CodecEstimate estimate_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_STREAM_H_
