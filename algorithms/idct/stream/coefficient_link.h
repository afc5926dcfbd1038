// SPDX-License-Identifier: Apache-2.0

// Coefficients on their way to the device: raw, or coded on the host and decoded on the device,
// whichever was measured to be faster (runtime/stream/codec_choice.h).
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_COEFFICIENT_LINK_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_COEFFICIENT_LINK_H_

#include <millrace/algorithms/idct/stream/coded_queue.h>
#include <millrace/algorithms/idct/stream/host_run.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/codec.h>
#include <millrace/runtime/stream/codec_choice.h>
#include <millrace/runtime/stream/pipeline.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace millrace::idct {

inline constexpr std::size_t kCoefficientBytes = kMacroblockSamples * sizeof(std::int16_t);

// encode() and decode() are called on one thread, check() on another meanwhile.
class CoefficientLink {
 public:
  // Returns true if chunks may be coded here, which takes pinned memory for their code.
  static bool may_code(const Device& device, const HostTransformOptions& options);

  // Measures the link, by `queue`, if the choice needs its rate.
  CoefficientLink(Device& device, Queue& queue, const HostTransformOptions& options);

  // Returns a chunk's coefficients, coded to `memory` if that is profitable.
  PipelineInput encode(const HostInput& input, const HostChunk& chunk,
                       const PipelineInputMemory& memory);

  // Returns the chunk's coefficients on the device, and enqueues their decoding if they are coded.
  const std::int16_t* decode(Queue& queue, const PipelineChunk& chunk, std::size_t count);

  // Throws if the slot's chunk, which has left the device, could not be decoded. Adds the rate at
  // which it was.
  void check(int slot, std::size_t count);

  // Adds the rate of a run's uploads.
  void add_uploads(const PipelineReport& report);

 private:
  // The decoding of a chunk in flight.
  struct ChunkDecoding {
    Buffer<CodecResult> result;
    bool is_coded = false;
    Event decode_begin;
    Event decode_end;
  };

  void measure_link(Device& device, Queue& queue);
  bool is_profitable_to_code(const std::int16_t* coefficients, std::size_t count);
  std::size_t encode(const std::int16_t* coefficients, std::size_t count,
                     std::span<std::byte> output);

  const CodecUse use_;
  std::optional<HostCoder> coder_;
  Buffer<std::byte> decoded_;  // The decoded chunk of the current computation.
  std::vector<ChunkDecoding> decodings_;

  std::mutex mutex_;
  CodecEstimate estimate_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_COEFFICIENT_LINK_H_
