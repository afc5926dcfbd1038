// SPDX-License-Identifier: Apache-2.0

// A range's records as a chunk (star_chunk.h): its layout, the tasks that write it, its header.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_CHUNK_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_CHUNK_GPU_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/gpu/record_ranges_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_tasks_gpu.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace millrace::MILLRACE_GPU {

class RecordChunk {
 public:
  explicit RecordChunk(const RecordRange& range) : range_(range) {}

  std::uint64_t bytes() const { return directory() + sizeof(std::uint32_t) * range_.records(); }

  // Enqueues the tasks that write the chunk to memory of the queue's device.
  void write(Queue& queue, const StreamInput& input, const RecordPosition* positions,
             std::byte* chunk) const {
    const RecordArguments arguments = {
        .reach = Reach(input.options.radius),
        .grid = input.on_device.view(),
        .positions = positions,
        .start = range_.start,
        .points_before = input.wanted.points_before,
        .chunk = chunk,
        .directory = reinterpret_cast<std::uint32_t*>(chunk + directory())};
    queue.fill(chunk, std::byte{0}, sizeof(three_star::ChunkHeader));
    submit_tasks(queue,
                 IndexedTasks<RecordTasks>{.count = range_.corners(), .arguments = arguments},
                 {.policy = input.options.policy});
  }

  // Completes the header of a chunk that has arrived in the host's memory. Returns the chunk there.
  three_star::StarChunk complete(const three_star::CellGrid& grid, std::byte* chunk) const {
    three_star::ChunkHeader header;
    std::memcpy(&header.three_stars, chunk + offsetof(three_star::ChunkHeader, three_stars),
                sizeof header.three_stars);
    header.records = range_.records();
    header.bytes = bytes();
    header.directory = directory();
    std::memcpy(chunk, &header, sizeof header);
    return three_star::StarChunk(grid, std::span(chunk, header.bytes));
  }

 private:
  std::uint64_t directory() const {
    return sizeof(three_star::ChunkHeader) + range_.record_bytes();
  }

  const RecordRange& range_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_CHUNK_GPU_H_
