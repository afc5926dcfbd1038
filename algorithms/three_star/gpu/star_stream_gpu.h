// SPDX-License-Identifier: Apache-2.0

// Finds all 3-stars on a GPU and downloads them, compressed, in chunks: one, or a pipeline of them.
// StarStream::run has the stages of the search in order.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_STAR_STREAM_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_STAR_STREAM_GPU_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/cpu/large_corners.h>
#include <millrace/algorithms/three_star/gpu/host_grid_gpu.h>
#include <millrace/algorithms/three_star/gpu/range_measure_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_chunk_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_ranges_gpu.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/stream/pipeline.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {

// The visitor is called on several threads.
class StarStream {
 public:
  // Bytes of a chunk's records, or a record more; more than kMostRecordBytes.
  static constexpr std::size_t kChunkBytes = std::size_t{16} << 20;

  explicit StarStream(const StreamInput& input, std::size_t chunk_bytes = kChunkBytes)
      : input_(input), chunk_bytes_(chunk_bytes) {}

  // Adds to the report. Returns when all is done.
  void run(const three_star::ChunkVisitor& visitor, three_star::SearchReport& report) const {
    std::optional<const HostGrid> ids;
    if (input_.wanted.grid == nullptr) ids.emplace(input_);
    RangeMeasure measure(input_, chunk_bytes_);
    std::optional<const three_star::CellGrid> own;
    if (ids) own.emplace(ids->make());  // While the device measures.
    const RecordRanges found = std::move(measure).finish(report);
    const three_star::CellGrid& grid = own ? *own : *input_.wanted.grid;
    three_star::LargeCorners of_host(grid, input_.options, visitor);
    start_large(of_host, found.large_corners, report);
    if (found.ranges.size() == 1) {
      stream_one(found, grid, visitor, report);
    } else if (found.ranges.size() > 1) {
      stream_many(found, grid, visitor, report);
    }
    report.three_stars += of_host.wait();
  }

 private:
  static constexpr int kDepth = 4;

  void start_large(three_star::LargeCorners& of_host, std::vector<std::uint32_t> corners,
                   three_star::SearchReport& report) const {
    report.host_corners += corners.size();
    for (std::uint32_t& corner : corners) corner += input_.wanted.points_before;
    of_host.start(std::move(corners));
  }

  // Streams one chunk: a pipeline takes longer to set up than a chunk takes to transfer.
  void stream_one(const RecordRanges& found, const three_star::CellGrid& grid,
                  const three_star::ChunkVisitor& visitor, three_star::SearchReport& report) const {
    const RecordChunk chunk(found.ranges.front());
    auto* const on_device =
        input_.memory.take_array<std::byte>(MemorySpace::kDevice, chunk.bytes());
    auto* const on_host = input_.memory.take_array<std::byte>(MemorySpace::kPinned, chunk.bytes());
    chunk.write(input_.queue, input_, found.positions, on_device);
    input_.queue.copy(on_host, on_device, chunk.bytes());
    input_.queue.wait();
    report.bytes_down += chunk.bytes();
    visit(chunk.complete(grid, on_host), visitor, report);
  }

  void stream_many(const RecordRanges& found, const three_star::CellGrid& grid,
                   const three_star::ChunkVisitor& visitor,
                   three_star::SearchReport& report) const {
    const std::vector<RecordChunk> chunks(found.ranges.begin(), found.ranges.end());
    std::uint64_t most_bytes = 0;
    for (const RecordChunk& chunk : chunks) most_bytes = std::max(most_bytes, chunk.bytes());
    Pipeline pipeline(input_.queue.device().shared_from_this(), {.output_bytes = most_bytes,
                                                                 .depth = kDepth,
                                                                 .has_host_input = false,
                                                                 .has_host_output = false});
    std::byte* on_host[kDepth];
    for (std::byte*& chunk : on_host)
      chunk = input_.memory.take_array<std::byte>(MemorySpace::kPinned, most_bytes);
    const auto next = [&](const PipelineInputMemory& memory) -> std::optional<PipelineInput> {
      if (memory.index == chunks.size()) return std::nullopt;
      return PipelineInput{.data = {},
                           .output = std::span(on_host[memory.slot], chunks[memory.index].bytes())};
    };
    const auto write = [&](Queue& queue, const PipelineChunk& on_device) {
      const RecordChunk& chunk = chunks[on_device.index];
      chunk.write(queue, input_, found.positions, on_device.output.data());
      on_device.result->bytes = chunk.bytes();
    };
    const auto take = [&](const PipelineOutput& output) {
      visit(chunks[output.index].complete(grid, on_host[output.slot]), visitor, report);
    };
    const PipelineReport streamed =
        pipeline.run({.produce = next, .compute = write, .consume = take}, input_.options.stop);
    report.bytes_down += streamed.bytes_down;
  }

  static void visit(const three_star::StarChunk& chunk, const three_star::ChunkVisitor& visitor,
                    three_star::SearchReport& report) {
    report.three_stars += chunk.three_stars();
    visitor(chunk);
  }

  const StreamInput input_;
  const std::size_t chunk_bytes_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_STAR_STREAM_GPU_H_
