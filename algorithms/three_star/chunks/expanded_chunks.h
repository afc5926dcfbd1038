// SPDX-License-Identifier: Apache-2.0

// Expands chunks to 3-stars for who visits these.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_EXPANDED_CHUNKS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_EXPANDED_CHUNKS_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/three_star.h>

#include <cstddef>

namespace millrace::three_star {

// ChunkVisitors for a StarVisitor, which outlives them. This one works on the thread that brings
// the chunk, for searches of which each thread brings its own.
class ExpandedChunks {
 public:
  explicit ExpandedChunks(const StarVisitor& visitor) : visitor_(&visitor) {}

  void operator()(const StarChunk& chunk) const { chunk.visit(*visitor_); }

 private:
  const StarVisitor* visitor_;
};

// Works on all threads of the host, for chunks that come one after another.
class TogetherExpandedChunks {
 public:
  explicit TogetherExpandedChunks(const StarVisitor& visitor) : visitor_(&visitor) {}

  void operator()(const StarChunk& chunk) const {
    for_all_records(
        chunk, [&](std::size_t first, std::size_t end) { chunk.visit(first, end, *visitor_); });
  }

 private:
  const StarVisitor* visitor_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_EXPANDED_CHUNKS_H_
