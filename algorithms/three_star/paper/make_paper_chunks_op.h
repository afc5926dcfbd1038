// SPDX-License-Identifier: Apache-2.0

// The interface that a backend implements for three_star_paper.h.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PAPER_MAKE_PAPER_CHUNKS_OP_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PAPER_MAKE_PAPER_CHUNKS_OP_H_

#include <millrace/algorithms/three_star/paper/paper_cells.h>
#include <millrace/algorithms/three_star/paper/paper_chunk.h>
#include <millrace/algorithms/three_star/paper/paper_tables.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/stream/pipeline.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace millrace::three_star {

// 3-stars that a searcher collects before it writes them to a chunk.
inline constexpr std::uint32_t kPaperStage = 2048;

// Work that a searcher leaves when the chunk is full; its stage is stored separately.
struct PaperLeft {
  PaperCursor cursor{};
  std::uint32_t staged = 0;
};

// State of all searchers between chunks and while one is made; they change it atomically.
struct PaperState {
  std::uint64_t next_cell = 0;
  std::uint32_t left[2] = {};  // Searchers that have left work, for alternate chunks.

  // The members below are those of this chunk.
  std::uint32_t turn = 0;      // Index in `left` of the work to continue.
  std::uint32_t finished = 0;  // Searchers that have finished.
  std::uint64_t used = 0;      // Bytes requested; more than the capacity once the chunk is full.
  std::uint64_t bytes = 0;     // Bytes written.
  std::uint64_t three_stars = 0;
  PaperTicks ticks{};
};

// The search for one chunk, by a fixed number of searchers. Each continues the work that the
// searcher of its number in the list has left, and then takes cells.
struct PaperSearch {
  PaperView grid;
  PaperState* state;
  PaperLeft* left;        // Two adjacent lists,
  std::uint32_t* stages;  // and the stage of each entry.
  std::uint32_t searchers;
  std::uint32_t is_compressed;
  std::uint64_t capacity;  // Bytes behind the header.
  PaperChunkHeader* chunk;
  PipelineResult* result;

  MILLRACE_FUNCTION PaperLeft& left_of(std::uint32_t turn, std::uint32_t index) const {
    return left[turn * searchers + index];
  }
  MILLRACE_FUNCTION std::uint32_t* stage_of(std::uint32_t turn, std::uint32_t index) const {
    return stages + (std::uint64_t{turn} * searchers + index) * kPaperStage;
  }
  MILLRACE_FUNCTION std::byte* output(std::uint64_t offset) const {
    return reinterpret_cast<std::byte*>(chunk + 1) + offset;
  }

  // Ends the chunk. Only the last searcher to finish calls.
  MILLRACE_FUNCTION void close() const {
    PaperState& all = *state;
    const std::uint32_t next_turn = 1 - all.turn;
    chunk->magic = PaperChunkHeader::kMagic;
    chunk->is_compressed = is_compressed;
    chunk->is_last = all.left[next_turn] == 0 && all.next_cell >= grid.cell_count ? 1 : 0;
    chunk->reserved = 0;
    chunk->bytes = sizeof(PaperChunkHeader) + all.bytes;
    chunk->three_stars = all.three_stars;
    chunk->ticks = all.ticks;
    result->bytes = chunk->bytes;
    all.left[all.turn] = 0;
    all.turn = next_turn;
    all.finished = 0;
    all.used = 0;
    all.bytes = 0;
    all.three_stars = 0;
    all.ticks = PaperTicks{};
  }
};

// Memory of searchers between chunks, on a queue's device.
class PaperMemory {
 public:
  PaperMemory(Queue& queue, std::uint32_t searchers)
      : searchers_(searchers),
        state_(queue.device().pool(MemorySpace::kDevice), 1),
        left_(queue.device().pool(MemorySpace::kDevice), std::size_t{2} * searchers),
        stages_(queue.device().pool(MemorySpace::kDevice),
                std::size_t{2} * searchers * kPaperStage) {
    fill_bytes(queue, state_.span(), std::byte{0});
  }

  PaperSearch search(const PaperView& grid, bool is_compressed, const PipelineChunk& chunk) {
    return {.grid = grid,
            .state = state_.data(),
            .left = left_.data(),
            .stages = stages_.data(),
            .searchers = searchers_,
            .is_compressed = is_compressed ? 1U : 0U,
            .capacity = chunk.output.size() - sizeof(PaperChunkHeader),
            .chunk = reinterpret_cast<PaperChunkHeader*>(chunk.output.data()),
            .result = chunk.result};
  }

 private:
  const std::uint32_t searchers_;
  Buffer<PaperState> state_;
  Buffer<PaperLeft> left_;
  Buffer<std::uint32_t> stages_;
};

// A search that makes chunks, one after another.
class PaperChunks {
 public:
  virtual ~PaperChunks() = default;

  // Enqueues the next chunk, of at least PaperOptions::kLeastChunkBytes, and the number of its
  // bytes.
  virtual void enqueue(Queue& queue, const PipelineChunk& chunk) = 0;
};

// Input of a search, in host memory that outlives it.
struct PaperInput {
  PaperView grid;
  std::size_t points;
  std::int32_t radius;
  const PaperTables* tables;
  bool is_compressed;
};

// Uploads the input to the queue's device. Returns when it has arrived.
struct MakePaperChunksOp {
  using Function = std::unique_ptr<PaperChunks>(Queue&, const PaperInput&);
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_MAKE_PAPER_CHUNKS_OP_H_
