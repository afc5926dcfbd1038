// SPDX-License-Identifier: Apache-2.0

// Chunks for the benchmark of codecs.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_CHUNK_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_CHUNK_H_

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

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_CHUNK_H_
