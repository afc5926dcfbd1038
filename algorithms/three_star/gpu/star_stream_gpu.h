// SPDX-License-Identifier: Apache-2.0

// Downloads all 3-stars from a GPU, compressed, in chunks: one, or a pipeline of them.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_STAR_STREAM_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_STAR_STREAM_GPU_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/cpu/large_corners.h>
#include <millrace/algorithms/three_star/gpu/host_grid_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_tasks_gpu.h>
#include <millrace/algorithms/three_star/gpu/star_parts_gpu.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

namespace millrace::MILLRACE_GPU {

// The visitor is called on several threads.
class StarStream {
 public:
  // Bytes of a chunk's records, or a record more; more than kMostRecordBytes.
  static constexpr std::size_t kChunkBytes = std::size_t{16} << 20;

  explicit StarStream(const StreamInput& input, std::size_t chunk_bytes = kChunkBytes)
      : input_(input), parts_(input_, chunk_bytes) {}

  // Adds to the report. Returns when all is done.
  void run(const three_star::ChunkVisitor& visitor, three_star::SearchReport& report) {
    std::optional<HostGrid> of_ids;
    std::optional<three_star::CellGrid> own;
    if (input_.wanted.grid == nullptr) of_ids.emplace(input_);
    parts_.measure(report, [&] {
      if (of_ids) own.emplace(of_ids->make());
    });
    const three_star::CellGrid& grid = own ? *own : *input_.wanted.grid;
    three_star::LargeCorners of_host(grid, input_.options, visitor);
    std::vector<std::uint32_t> large = parts_.large_corners();
    report.host_corners += large.size();
    for (std::uint32_t& corner : large) corner += input_.wanted.places_before;
    of_host.start(std::move(large));
    if (parts_.parts().size() == 1) {
      stream_one(grid, visitor, report);
    } else if (parts_.parts().size() > 1) {
      stream_many(grid, visitor, report);
    }
    report.three_stars += of_host.wait();
  }

 private:
  static constexpr int kDepth = 4;

  static std::uint64_t directory_of(const StarPart& part) {
    return sizeof(three_star::ChunkHeader) + part.record_bytes();
  }
  static std::uint64_t bytes_of(const StarPart& part) {
    return directory_of(part) + sizeof(std::uint32_t) * part.records();
  }

  IndexedTasks<RecordTasks> record_tasks(const StarPart& part, std::byte* chunk) const {
    const RecordArguments arguments = {
        .reach = Reach(input_.options.radius),
        .grid = input_.on_device.view(),
        .places = parts_.places(),
        .start = part.start,
        .places_before = input_.wanted.places_before,
        .chunk = chunk,
        .directory = reinterpret_cast<std::uint32_t*>(chunk + directory_of(part))};
    return {.count = part.corners(), .arguments = arguments};
  }

  // Streams one chunk: a pipeline takes longer to set up than a chunk takes to transfer.
  void stream_one(const three_star::CellGrid& grid, const three_star::ChunkVisitor& visitor,
                  three_star::SearchReport& report) {
    const StarPart& part = parts_.parts().front();
    auto* const chunk = input_.memory.take_array<std::byte>(MemorySpace::kDevice, bytes_of(part));
    auto* const on_host = input_.memory.take_array<std::byte>(MemorySpace::kPinned, bytes_of(part));
    input_.queue.fill(chunk, std::byte{0}, sizeof(three_star::ChunkHeader));
    run_tasks(input_.queue, record_tasks(part, chunk), {.policy = input_.options.policy});
    input_.queue.copy(on_host, chunk, bytes_of(part));
    input_.queue.wait();
    report.bytes_down += bytes_of(part);
    hand_on(grid, part, on_host, visitor, report);
  }

  void stream_many(const three_star::CellGrid& grid, const three_star::ChunkVisitor& visitor,
                   three_star::SearchReport& report) {
    std::uint64_t most_bytes = 0;
    for (const StarPart& part : parts_.parts()) most_bytes = std::max(most_bytes, bytes_of(part));
    Pipeline pipeline(input_.queue.device().shared_from_this(), {.output_bytes = most_bytes,
                                                                 .depth = kDepth,
                                                                 .has_host_input = false,
                                                                 .has_host_output = false});
    std::byte* chunks[kDepth];
    for (std::byte*& chunk : chunks)
      chunk = input_.memory.take_array<std::byte>(MemorySpace::kPinned, most_bytes);
    const PipelineReport streamed = pipeline.run(
        {
            .produce = [&](const PipelineInputMemory& room) -> std::optional<PipelineInput> {
              if (room.index == parts_.parts().size()) return std::nullopt;
              return PipelineInput{
                  .data = {},
                  .output = std::span(chunks[room.slot], bytes_of(parts_.parts()[room.index]))};
            },
            .compute =
                [&](Queue& queue, const PipelineChunk& chunk) {
                  const StarPart& part = parts_.parts()[chunk.index];
                  queue.fill(chunk.output.data(), std::byte{0}, sizeof(three_star::ChunkHeader));
                  submit_tasks(queue, record_tasks(part, chunk.output.data()),
                               {.policy = input_.options.policy});
                  chunk.result->bytes = bytes_of(part);
                },
            .consume =
                [&](const PipelineOutput& output) {
                  hand_on(grid, parts_.parts()[output.index], chunks[output.slot], visitor, report);
                },
        },
        input_.options.stop);
    report.bytes_down += streamed.bytes_down;
  }

  // Completes the header and passes the chunk to the visitor.
  static void hand_on(const three_star::CellGrid& grid, const StarPart& part, std::byte* memory,
                      const three_star::ChunkVisitor& visitor, three_star::SearchReport& report) {
    three_star::ChunkHeader header;
    std::memcpy(&header.three_stars, memory + offsetof(three_star::ChunkHeader, three_stars),
                sizeof header.three_stars);
    header.records = part.records();
    header.bytes = bytes_of(part);
    header.directory = directory_of(part);
    std::memcpy(memory, &header, sizeof header);
    report.three_stars += header.three_stars;
    visitor(three_star::StarChunk(grid, std::span(memory, header.bytes)));
  }

  const StreamInput input_;
  StarParts parts_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_STAR_STREAM_GPU_H_
