// SPDX-License-Identifier: Apache-2.0

// Downloads all 3-stars from a GPU expanded, 12 bytes each, by a pipeline.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_RAW_STREAM_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_RAW_STREAM_GPU_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/expanded_chunks.h>
#include <millrace/algorithms/three_star/cpu/large_corners.h>
#include <millrace/algorithms/three_star/gpu/host_grid_gpu.h>
#include <millrace/algorithms/three_star/gpu/range_measure_gpu.h>
#include <millrace/algorithms/three_star/gpu/raw_tasks_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_ranges_gpu.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace millrace::MILLRACE_GPU {

// The visitor is called on several threads.
class RawStream {
 public:
  // Bytes of the records that a chunk's corners would have, or a record more; more than
  // kMostRecordBytes. A bit of them can become a 3-star, so a chunk has up to 96 times as many.
  static constexpr std::size_t kRangeBytes = std::size_t{1} << 20;

  explicit RawStream(const StreamInput& input, std::size_t range_bytes = kRangeBytes)
      : input_(input), range_bytes_(range_bytes) {}

  // Adds to the report. Returns when all is done.
  void run(const three_star::StarVisitor& visitor, three_star::SearchReport& report) const {
    const RecordRanges found = RangeMeasure(input_, range_bytes_).finish(report);
    if (found.large_corners.empty()) {
      stream(found, visitor, report);
      return;
    }
    const three_star::CellGrid grid = HostGrid(input_).make();
    const three_star::ChunkVisitor expand = three_star::ExpandedChunks(visitor);
    three_star::LargeCorners of_host(grid, input_.options, expand);
    report.host_corners += found.large_corners.size();
    of_host.start(found.large_corners);
    stream(found, visitor, report);
    report.three_stars += of_host.wait();
  }

 private:
  static constexpr int kDepth = 4;

  void stream(const RecordRanges& found, const three_star::StarVisitor& visitor,
              three_star::SearchReport& report) const {
    std::uint64_t most_bytes = 0;
    for (const RecordRange& range : found.ranges) {
      most_bytes = std::max(most_bytes, 8 * range.record_bytes() * sizeof(ThreeStar));
    }
    if (most_bytes == 0) return;
    Pipeline pipeline(input_.queue.device().shared_from_this(),
                      {.output_bytes = most_bytes, .depth = kDepth, .has_host_input = false});
    auto* const bytes = input_.memory.take_array<std::uint64_t>(MemorySpace::kDevice, kDepth);
    const auto next = [&](const PipelineInputMemory& memory) -> std::optional<PipelineInput> {
      if (memory.index == found.ranges.size()) return std::nullopt;
      return PipelineInput{};
    };
    const auto write = [&](Queue& queue, const PipelineChunk& chunk) {
      std::uint64_t* const written = bytes + chunk.slot;
      queue.fill(written, std::byte{0}, sizeof *written);
      submit_tasks(queue,
                   tasks_of(found.ranges[chunk.index], found.positions, chunk.output, written),
                   {.policy = input_.options.policy});
      queue.copy(&chunk.result->bytes, written, sizeof *written);
    };
    const auto take = [&](const PipelineOutput& output) {
      const std::span<const ThreeStar> stars(reinterpret_cast<const ThreeStar*>(output.data.data()),
                                             output.data.size() / sizeof(ThreeStar));
      report.three_stars += stars.size();
      visit(stars, visitor);
    };
    const PipelineReport streamed =
        pipeline.run({.produce = next, .compute = write, .consume = take}, input_.options.stop);
    report.bytes_down += streamed.bytes_down;
  }

  IndexedTasks<RawTasks> tasks_of(const RecordRange& range, const RecordPosition* positions,
                                  std::span<std::byte> output, std::uint64_t* written) const {
    const RawArguments arguments = {.reach = Reach(input_.options.radius),
                                    .grid = input_.on_device.view(),
                                    .ids = input_.on_device.ids(),
                                    .positions = positions,
                                    .first = range.start.corner,
                                    .stars = reinterpret_cast<ThreeStar*>(output.data()),
                                    .bytes = written};
    return {.count = std::size_t{range.corners()} * WriteStars::kPortions, .arguments = arguments};
  }

  // Passes them on by the host's threads.
  static void visit(std::span<const ThreeStar> stars, const three_star::StarVisitor& visitor) {
    constexpr std::size_t kSome = std::size_t{1} << 16;
    HostThreads::shared().for_each((stars.size() + kSome - 1) / kSome, [&](std::size_t i) {
      visitor(stars.subspan(i * kSome, std::min(kSome, stars.size() - i * kSome)));
    });
  }

  const StreamInput input_;
  const std::size_t range_bytes_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_RAW_STREAM_GPU_H_
