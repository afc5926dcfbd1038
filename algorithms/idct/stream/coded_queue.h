// SPDX-License-Identifier: Apache-2.0

// Macroblocks in host memory on their way to a device, which take less of the link when they are
// coded (algorithms/codecs/sparse_format.h).
//
//   const CodedQueue coded(*device, macroblocks, chunk);   // Once: 512 bytes become 5 to 15.
//   transform.features(coded, picture_size, features);     // host_transform.h
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_CODED_QUEUE_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_CODED_QUEUE_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/codec.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::idct {

// The sparse codec at work on the CPU, by all its threads. One call at a time.
class HostCoder {
 public:
  // For chunks of at most so many macroblocks. Throws kUnsupported where no CPU is linked.
  explicit HostCoder(std::size_t most_macroblocks);

  // Codes `count` macroblocks and returns the bytes they take, or 0 where `room` is too small. Both
  // are aligned to 16.
  std::size_t encode(const std::int16_t* coefficients, std::size_t count,
                     std::span<std::byte> room);

 private:
  const std::shared_ptr<Device> host_;
  const std::unique_ptr<Queue> queue_;
  Buffer<std::byte> scratch_;
  Buffer<CodecResult> result_;
};

// A queue whose coefficients were coded beforehand, in chunks, as a decoder of video that knows
// which of them are zero could do itself. Immutable: threads share one.
class CodedQueue {
 public:
  // Codes on the CPU, to memory that is pinned for `device`. Throws kInvalidArgument for null
  // arrays or chunks of no macroblocks, kUnsupported where no CPU is linked.
  CodedQueue(Device& device, const MacroblockQueue& macroblocks, std::size_t chunk_macroblocks);

  struct Chunk {
    Buffer<std::byte> data;
    bool is_coded = false;  // Else they are the coefficients, which do not become smaller.
  };

  std::size_t count() const { return sizes_.size(); }
  std::size_t chunk_macroblocks() const { return chunk_macroblocks_; }
  const TransformSize* sizes() const { return sizes_.data(); }
  const Chunk& chunk(std::size_t index) const { return chunks_[index]; }

  // Of all chunks.
  std::size_t bytes() const;

 private:
  const std::size_t chunk_macroblocks_;
  Buffer<TransformSize> sizes_;
  std::vector<Chunk> chunks_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_CODED_QUEUE_H_
