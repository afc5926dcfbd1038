// SPDX-License-Identifier: Apache-2.0

// A pipeline for chunks of macroblocks from host memory through a device, shared by the functions
// of host_transform.h.
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

// A chunk in memory that the device reads.
struct HostChunk {
  std::size_t first = 0;  // Index of its first macroblock in the queue.
  MacroblockQueue macroblocks;
  const std::uint8_t* prediction = nullptr;  // 256 samples per macroblock, or null.
};

// One run. Members are required unless they are called optional.
struct HostRun {
  HostInput input;
  std::size_t step = 0;  // Macroblocks per chunk.
  // In host memory, 256 samples per macroblock; optional.
  const std::uint8_t* prediction = nullptr;
  std::byte* output = nullptr;   // In host memory.
  std::size_t output_bytes = 0;  // Bytes per macroblock.

  // Enqueues the work on a chunk, which writes to `output`, memory that the device writes.
  std::function<void(Queue&, const HostChunk&, std::byte* output)> transform;
};

class HostStream {
 public:
  HostStream(std::shared_ptr<Device> device, const HostTransformOptions& options);

  Device& device() const { return *device_; }
  const HostTransformOptions& options() const { return options_; }

  // Returns true if there is a link between host and device.
  bool copies() const { return copies_; }

  // Returns the queue for copies other than those of chunks.
  Queue& queue() { return *side_; }

  PipelineReport run(const HostRun& run);

 private:
  // A chunk in flight.
  struct Slot {
    Buffer<TransformSize> pinned_sizes;  // Empty, like the next two, if nothing is copied.
    Buffer<TransformSize> sizes;
    Buffer<std::uint8_t> prediction;
    Buffer<CodecResult> result;
    HostChunk chunk;
    bool is_coded = false;
    Event uploaded;  // Reached when all but the pipeline's input is uploaded.
    Event decode_begin;
    Event decode_end;
  };

  std::vector<Slot> make_slots() const;
  void measure_link();

  std::optional<PipelineInput> produce(const HostRun& run, const PipelineInputMemory& room);
  void upload_beside(const HostRun& run, Slot& slot);
  PipelineInput input_of(const HostRun& run, const Slot& slot, const PipelineInputMemory& room);
  bool is_profitable_to_code(const std::int16_t* coefficients, std::size_t count);
  std::size_t encode(const std::int16_t* coefficients, std::size_t count,
                     std::span<std::byte> output);
  void compute(const HostRun& run, Queue& queue, const PipelineChunk& chunk);
  void consume(const PipelineOutput& output);

  const std::shared_ptr<Device> device_;
  const HostTransformOptions options_;
  const bool copies_;
  std::optional<HostCoder> coder_;
  std::vector<Slot> slots_;
  Buffer<std::byte> decoded_;  // The decoded chunk of the current computation.
  Pipeline pipeline_;
  const std::unique_ptr<Queue> side_;
  std::uint64_t side_bytes_ = 0;  // Bytes of the current run that `side_` copied.

  std::mutex mutex_;
  CodecEstimate estimate_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_STREAM_H_
