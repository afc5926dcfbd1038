// SPDX-License-Identifier: Apache-2.0

// The table of an alignment (alignment_tasks.h) in memory of a device.
#ifndef MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_MEMORY_H_
#define MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_MEMORY_H_

#include <millrace/docs/examples/wavefront/alignment.h>
#include <millrace/docs/examples/wavefront/alignment_tasks.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace millrace::examples {

class AlignmentMemory {
 public:
  // Uploads the sequences by `queue`, which must outlive this object, and clears the table. Throws
  // kInvalidArgument for more than kMaxAlignmentTiles tiles; align() checks the rest.
  AlignmentMemory(Queue& queue, std::string_view first, std::string_view second,
                  const AlignmentOptions& options);

  // Prepares the table to be filled. Waits for the queue, as does best().
  void clear();

  const AlignmentTable& table() const { return table_; }

  // Returns the best alignment of all tiles of a table that has been filled.
  Alignment best();

 private:
  Queue& queue_;
  std::size_t tiles_;
  Buffer<char> first_;
  Buffer<char> second_;
  Buffer<std::int32_t> right_;
  Buffer<std::int32_t> bottom_;
  Buffer<std::int32_t> corners_;
  Buffer<std::uint32_t> missing_;
  Buffer<Alignment> bests_;
  AlignmentTable table_;
  std::vector<std::uint32_t> neighbours_;  // Number of neighbours for which each tile waits.
};

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_MEMORY_H_
