// SPDX-License-Identifier: Apache-2.0

// Downloads all 3-stars from a GPU expanded, 12 bytes each, by a pipeline.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_RAW_STREAM_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_RAW_STREAM_GPU_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/cpu/large_corners.h>
#include <millrace/algorithms/three_star/gpu/host_grid_gpu.h>
#include <millrace/algorithms/three_star/gpu/raw_tasks_gpu.h>
#include <millrace/algorithms/three_star/gpu/star_parts_gpu.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

namespace millrace::MILLRACE_GPU {

// The visitor is called on several threads.
class RawStream {
 public:
  // Bytes of the records that a chunk's corners would have, or a record more; more than
  // kMostRecordBytes. A bit of them can become a 3-star, so a chunk has up to 96 times as many.
  static constexpr std::size_t kPartBytes = std::size_t{1} << 20;

  explicit RawStream(const StreamInput& input, std::size_t part_bytes = kPartBytes)
      : input_(input), parts_(input_, part_bytes) {}

  // Adds to the report. Returns when all is done.
  void run(const three_star::StarVisitor& visitor, three_star::SearchReport& report) {
    parts_.measure(report);
    const std::vector<std::uint32_t> large = parts_.large_corners();
    if (large.empty()) {
      stream(visitor, report);
      return;
    }
    const three_star::ChunkVisitor of_large = [&](const three_star::StarChunk& chunk) {
      chunk.visit(visitor);
    };
    const three_star::CellGrid grid = HostGrid(input_).make();
    three_star::LargeCorners of_host(grid, input_.options, of_large);
    report.host_corners += large.size();
    of_host.start(large);
    stream(visitor, report);
    report.three_stars += of_host.wait();
  }

 private:
  static constexpr int kDepth = 4;

  void stream(const three_star::StarVisitor& visitor, three_star::SearchReport& report) {
    std::uint64_t most_bytes = 0;
    for (const StarPart& part : parts_.parts()) {
      most_bytes = std::max(most_bytes, 8 * part.record_bytes() * sizeof(ThreeStar));
    }
    if (most_bytes == 0) return;
    Pipeline pipeline(input_.queue.device().shared_from_this(),
                      {.output_bytes = most_bytes, .depth = kDepth, .has_host_input = false});
    auto* const bytes = input_.memory.take_array<std::uint64_t>(MemorySpace::kDevice, kDepth);
    const PipelineReport streamed = pipeline.run(
        {
            .produce = [&](const PipelineInputMemory& room) -> std::optional<PipelineInput> {
              if (room.index == parts_.parts().size()) return std::nullopt;
              return PipelineInput{};
            },
            .compute =
                [&](Queue& queue, const PipelineChunk& chunk) {
                  std::uint64_t* const written = bytes + chunk.slot;
                  queue.fill(written, std::byte{0}, sizeof *written);
                  submit_tasks(queue, tasks_of(parts_.parts()[chunk.index], chunk.output, written),
                               {.policy = input_.options.policy});
                  queue.copy(&chunk.result->bytes, written, sizeof *written);
                },
            .consume =
                [&](const PipelineOutput& output) {
                  const std::span<const ThreeStar> stars(
                      reinterpret_cast<const ThreeStar*>(output.data.data()),
                      output.data.size() / sizeof(ThreeStar));
                  report.three_stars += stars.size();
                  hand_on(stars, visitor);
                },
        },
        input_.options.stop);
    report.bytes_down += streamed.bytes_down;
  }

  IndexedTasks<RawTasks> tasks_of(const StarPart& part, std::span<std::byte> output,
                                  std::uint64_t* written) const {
    const RawArguments arguments = {.reach = Reach(input_.options.radius),
                                    .grid = input_.on_device.view(),
                                    .ids = input_.on_device.ids(),
                                    .places = parts_.places(),
                                    .first = part.start.corner,
                                    .stars = reinterpret_cast<ThreeStar*>(output.data()),
                                    .bytes = written};
    return {.count = std::size_t{part.corners()} * WriteStars::kShares, .arguments = arguments};
  }

  static void hand_on(std::span<const ThreeStar> stars, const three_star::StarVisitor& visitor) {
    constexpr std::size_t kSome = std::size_t{1} << 16;
    HostThreads::shared().for_each((stars.size() + kSome - 1) / kSome, [&](std::size_t i) {
      visitor(stars.subspan(i * kSome, std::min(kSome, stars.size() - i * kSome)));
    });
  }

  const StreamInput input_;
  StarParts parts_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_RAW_STREAM_GPU_H_
