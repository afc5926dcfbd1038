// SPDX-License-Identifier: Apache-2.0

// A codec at work on one processor, for its benchmark.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_AT_WORK_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_AT_WORK_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/codec.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace millrace::tools {

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

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_AT_WORK_H_
