// SPDX-License-Identifier: Apache-2.0

// Chunks for the benchmark of codecs, and a codec at work on one processor.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_WORKLOAD_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/codec.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// Items for a codec, made by `fill` when they are wanted.
struct CodecChunk {
  std::string name;
  const Codec* codec;
  std::size_t count;  // Number of the codec's items.
  double integers;    // Number of integers in all of them.
  std::function<void(std::byte* items)> fill;

  std::size_t bytes() const { return count * codec->item_bytes(); }
};

// A chunk for each codec, of about so many integers. The list and what it points to go with
// `codecs`.
std::vector<CodecChunk> codec_chunks(std::size_t integers,
                                     std::vector<std::unique_ptr<const Codec>>& codecs);

// A chunk in the memory of one device, its coded form, and memory to decode it into.
class CodecAtWork {
 public:
  // Encodes the items, which are in host memory.
  CodecAtWork(const std::shared_ptr<Device>& device, const Codec& codec, std::size_t count,
              const std::byte* items);

  void encode();
  void decode();  // Decodes the encoded items.
  void copy();    // The items to the decoded ones, for comparison.

  std::size_t coded_bytes() const { return coded_bytes_; }
  std::vector<std::byte> coded();

  // Throws kInternal unless the decoder gives back the items.
  void check(const std::byte* items);

 private:
  std::vector<std::byte> download(BufferSpan<const std::byte> span);

  const Codec& codec_;
  const std::size_t count_;
  const std::unique_ptr<Queue> queue_;
  Buffer<std::byte> items_;
  Buffer<std::byte> coded_;
  Buffer<std::byte> decoded_;
  Buffer<std::byte> scratch_;
  Buffer<CodecResult> result_;
  std::size_t coded_bytes_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_WORKLOAD_H_
