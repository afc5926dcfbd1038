// Brings all 3-stars from a GPU to the host, in chunks that a pipeline streams.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_STAR_STREAM_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_STAR_STREAM_GPU_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/record_tasks_gpu.h>
#include <millrace/algorithms/three_star/star_chunk.h>
#include <millrace/algorithms/three_star/star_simd.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/buffer.h>
#include <millrace/runtime/indexed_tasks.h>
#include <millrace/runtime/pipeline.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::MILLRACE_GPU {

// Chunks are handed out on one thread. Corners with more neighbours than a task has room for are
// searched on the host.
class StarStream {
 public:
  // `grid` is in `view`, too. All must outlive this object.
  StarStream(Queue& queue, const three_star::CellGrid& grid, const GridView& view,
             const three_star::SearchOptions& options)
      : queue_(queue), grid_(grid), view_(view), options_(options) {}

  void run(const three_star::ChunkVisitor& visitor, three_star::SearchReport& report) {
    measure(report);
    plan();
    stream(visitor, report);
    search_large(visitor, report);
  }

 private:
  // Bytes of records, unless one alone has more.
  static constexpr std::size_t kChunkBytes = std::size_t{16} << 20;
  static constexpr int kDepth = 4;

  // Records of points one after another.
  struct Part {
    std::uint32_t first;
    std::uint32_t count;
    std::uint64_t bytes;  // With the header, without the directory.
  };

  void measure(three_star::SearchReport& report) {
    const std::size_t points = grid_.points();
    Buffer<std::uint32_t> lengths(queue_.device().pool(MemorySpace::kDevice), points);
    const MeasureArguments arguments = {Reach(options_.radius), view_, lengths.data()};
    const RunReport ran =
        run_tasks(queue_, IndexedTasks<MeasureTasks>{.count = points, .arguments = arguments},
                  {.policy = options_.policy});
    report.policy = ran.policy;
    report.tasks += ran.tasks();
    lengths_.resize(points);
    queue_.copy(lengths_.data(), lengths.data(), points * sizeof(std::uint32_t));
    queue_.wait();
  }

  void plan() {
    constexpr std::uint64_t kHeader = sizeof(three_star::ChunkHeader);
    for (std::uint32_t point = 0; point < lengths_.size(); ++point) {
      const std::uint32_t length = lengths_[point] == kLargeRecord ? 0 : lengths_[point];
      if (parts_.empty() || parts_.back().bytes + length > kChunkBytes) {
        parts_.push_back({point, 0, kHeader});
      }
      ++parts_.back().count;
      parts_.back().bytes += length;
    }
  }

  void stream(const three_star::ChunkVisitor& visitor, three_star::SearchReport& report) {
    std::uint32_t most_points = 0;
    std::uint64_t most_bytes = 0;
    for (const Part& part : parts_) {
      most_points = std::max(most_points, part.count);
      most_bytes = std::max(most_bytes, part.bytes);
    }
    const auto device = queue_.device().shared_from_this();
    Pipeline pipeline(device, {.input_bytes = most_points * sizeof(std::uint32_t),
                               .output_bytes = most_bytes,
                               .depth = kDepth,
                               .has_host_output = false});
    std::vector<Buffer<std::byte>> chunks;
    for (int slot = 0; slot < kDepth; ++slot) {
      chunks.emplace_back(device->pool(MemorySpace::kPinned),
                          most_bytes + most_points * sizeof(std::uint32_t));
    }
    const PipelineReport streamed = pipeline.run({
        .produce = [&](const PipelineRoom& room) -> std::optional<PipelineInput> {
          if (room.index == parts_.size()) return std::nullopt;
          const Part& part = parts_[room.index];
          const auto offsets = offsets_of(part);
          std::memcpy(room.input.data(), offsets.data(), offsets.size() * sizeof(std::uint32_t));
          return PipelineInput{.data = room.input.first(offsets.size() * sizeof(std::uint32_t)),
                               .output = std::span(chunks[room.slot].data(), part.bytes)};
        },
        .compute = [&](Queue& queue,
                       const PipelineChunk& chunk) { write(queue, parts_[chunk.index], chunk); },
        .consume =
            [&](const PipelineOutput& output) {
              hand_on(parts_[output.index], chunks[output.slot].data(), visitor, report);
            },
    });
    report.bytes_up += streamed.bytes_up;
    report.bytes_down += streamed.bytes_down;
  }

  // Of its points' records, or kNoRecord.
  std::vector<std::uint32_t> offsets_of(const Part& part) const {
    std::vector<std::uint32_t> offsets(part.count);
    std::uint32_t offset = sizeof(three_star::ChunkHeader);
    for (std::uint32_t i = 0; i < part.count; ++i) {
      const std::uint32_t length = lengths_[part.first + i];
      const bool has_record = length != kNoRecord && length != kLargeRecord;
      offsets[i] = has_record ? offset : kNoRecord;
      if (has_record) offset += length;
    }
    return offsets;
  }

  void write(Queue& queue, const Part& part, const PipelineChunk& chunk) const {
    queue.fill(chunk.output.data(), std::byte{0}, sizeof(three_star::ChunkHeader));
    const RecordArguments arguments = {Reach(options_.radius), view_, part.first,
                                       reinterpret_cast<const std::uint32_t*>(chunk.input.data()),
                                       chunk.output.data()};
    submit_tasks(queue, IndexedTasks<RecordTasks>{.count = part.count, .arguments = arguments},
                 {.policy = options_.policy});
    chunk.result->bytes = part.bytes;
  }

  // With the directory, which only the host knows.
  void hand_on(const Part& part, std::byte* memory, const three_star::ChunkVisitor& visitor,
               three_star::SearchReport& report) const {
    std::vector<std::uint32_t> directory = offsets_of(part);
    std::erase(directory, kNoRecord);
    const std::size_t directory_bytes = directory.size() * sizeof(std::uint32_t);
    std::memcpy(memory + part.bytes, directory.data(), directory_bytes);
    three_star::ChunkHeader header;
    std::memcpy(&header.three_stars, memory + offsetof(three_star::ChunkHeader, three_stars),
                sizeof header.three_stars);
    header.records = static_cast<std::uint32_t>(directory.size());
    header.bytes = part.bytes + directory_bytes;
    header.directory = part.bytes;
    std::memcpy(memory, &header, sizeof header);
    const three_star::StarChunk chunk(grid_, std::span(memory, header.bytes));
    report.three_stars += header.three_stars;
    for (std::size_t i = 0; i < chunk.records(); ++i)
      report.pairs += neighbours_of(memory, directory[i]);
    if (chunk.records() > 0) visitor(chunk);
  }

  static std::uint32_t neighbours_of(const std::byte* memory, std::uint32_t offset) {
    three_star::RecordHeader header;
    std::memcpy(&header, memory + offset, sizeof header);
    return header.neighbours;
  }

  void search_large(const three_star::ChunkVisitor& visitor,
                    three_star::SearchReport& report) const {
    three_star::StarScratch scratch;
    for (std::uint32_t point = 0; point < lengths_.size(); ++point) {
      if (lengths_[point] != kLargeRecord) continue;
      const three_star::PointRun run = {{point, point + 1}, grid_.neighbours(grid_.cell_of(point))};
      const three_star::StarCounts found =
          compress_stars(grid_, run, options_.radius, scratch, visitor);
      report.three_stars += found.three_stars;
      report.pairs += found.pairs;
    }
  }

  Queue& queue_;
  const three_star::CellGrid& grid_;
  const GridView view_;
  const three_star::SearchOptions options_;
  std::vector<std::uint32_t> lengths_;
  std::vector<Part> parts_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_STAR_STREAM_GPU_H_
