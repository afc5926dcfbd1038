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

// Returns a chunk for each codec, of about so many integers. `codecs` gets those codecs
// that are made for these chunks, and must outlive them.
std::vector<CodecChunk> codec_chunks(std::size_t integers,
                                     std::vector<std::unique_ptr<const Codec>>& codecs);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_CODECS_CODEC_CHUNK_H_
