// SPDX-License-Identifier: Apache-2.0

// Macroblocks in host memory that are coded before they are uploaded, so that they take less of the
// link's bandwidth (algorithms/codecs/sparse_format.h).
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

// The sparse codec on all threads of the CPU. One call at a time.
class HostCoder {
 public:
  // Allocates memory for chunks of at most `most_macroblocks`. Throws kUnsupported if no CPU
  // backend is linked.
  explicit HostCoder(std::size_t most_macroblocks);

  // Codes `count` macroblocks. Returns the size of the code in bytes, or 0 if `output` is too
  // small. Both arrays are aligned to 16.
  std::size_t encode(const std::int16_t* coefficients, std::size_t count,
                     std::span<std::byte> output);

 private:
  const std::shared_ptr<Device> host_;
  const std::unique_ptr<Queue> queue_;
  Buffer<std::byte> scratch_;
  Buffer<CodecResult> result_;
};

// A queue whose coefficients were coded in advance, in chunks. A video decoder, which knows the
// zero coefficients, could write this form itself. Immutable, so threads may share one.
class CodedQueue {
 public:
  // Codes on the CPU, to memory that is pinned for `device`. Throws kInvalidArgument for null
  // arrays or a chunk size of 0, kUnsupported if no CPU backend is linked.
  CodedQueue(Device& device, const MacroblockQueue& macroblocks, std::size_t chunk_macroblocks);

  struct CodedChunk {
    Buffer<std::byte> data;
    // False: `data` is the coefficients, which coding does not make smaller.
    bool is_coded = false;
  };

  std::size_t count() const { return sizes_.size(); }
  std::size_t chunk_macroblocks() const { return chunk_macroblocks_; }
  const TransformSize* sizes() const { return sizes_.data(); }
  const CodedChunk& chunk(std::size_t index) const { return chunks_[index]; }

  // Returns the size of all chunks in bytes.
  std::size_t bytes() const;

 private:
  const std::size_t chunk_macroblocks_;
  Buffer<TransformSize> sizes_;
  std::vector<CodedChunk> chunks_;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_CODED_QUEUE_H_
