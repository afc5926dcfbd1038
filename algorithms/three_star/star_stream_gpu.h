// Brings all 3-stars from a GPU to the host, in chunks: one, or a pipeline of them.
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

#include <millrace/algorithms/radix_sort/host_sort_memory.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/device_grid_gpu.h>
#include <millrace/algorithms/three_star/large_corners.h>
#include <millrace/algorithms/three_star/record_plan_gpu.h>
#include <millrace/algorithms/three_star/record_tasks_gpu.h>
#include <millrace/algorithms/three_star/star_chunk.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/indexed_tasks.h>
#include <millrace/runtime/pipeline.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::MILLRACE_GPU {

// A queue's device has the points' grid. Chunks are handed out on several threads.
class StarStream {
 public:
  // Bytes of a chunk's records, or a record more; more than kMostRecordBytes.
  static constexpr std::size_t kChunkBytes = std::size_t{16} << 20;

  // `memory`, of the queue's device, and all the others outlive this object and what is enqueued.
  StarStream(Queue& queue, std::span<const Point> points, const DeviceGrid& on_device,
             const three_star::SearchOptions& options, radix_sort::SortMemory& memory,
             std::size_t chunk_bytes = kChunkBytes)
      : queue_(queue),
        points_(points),
        on_device_(on_device),
        options_(options),
        memory_(memory),
        chunk_bytes_(chunk_bytes) {}

  // Adds to the report; returns when all is done.
  void run(const three_star::ChunkVisitor& visitor, three_star::SearchReport& report) {
    const three_star::CellGrid grid = measure(report);
    three_star::LargeCorners of_host(grid, options_.radius, visitor);
    of_host.start(large_corners());
    if (parts_.size() == 1) {
      stream_one(grid, visitor, report);
    } else if (parts_.size() > 1) {
      stream_many(grid, visitor, report);
    }
    report.three_stars += of_host.wait();
  }

 private:
  static constexpr int kDepth = 4;

  // Records of corners one after another.
  struct Part {
    RecordStart start;
    RecordStart end;

    std::uint32_t corners() const { return end.corner - start.corner; }
    std::uint32_t records() const { return end.records - start.records; }
    std::uint64_t directory() const {
      return sizeof(three_star::ChunkHeader) + end.bytes - start.bytes;
    }
    std::uint64_t bytes() const { return directory() + sizeof(std::uint32_t) * records(); }
  };

  template <class T>
  T* take(std::size_t count, MemorySpace space = MemorySpace::kDevice) {
    return memory_.take_array<T>(space, count);
  }

  // Finds the parts. Returns the grid that chunks are read by, which the host makes meanwhile.
  three_star::CellGrid measure(three_star::SearchReport& report) {
    const std::uint32_t corners = on_device_.points();
    auto* const ids = take<std::uint32_t>(corners, MemorySpace::kPinned);
    queue_.copy(ids, on_device_.ids(), corners * sizeof(std::uint32_t));
    const Event has_ids = queue_.record();
    const std::size_t tiles = RecordTile::count(corners);
    const MeasureArguments arguments = {.reach = Reach(options_.radius),
                                        .grid = on_device_.view(),
                                        .places = take<RecordPlace>(corners),
                                        .tiles = take<RecordTile>(tiles),
                                        .totals = take<RecordTotals>(1),
                                        .large = take<std::uint32_t>(corners)};
    places_ = arguments.places;
    large_ = arguments.large;
    queue_.fill(arguments.tiles, std::byte{0}, tiles * sizeof(RecordTile));
    queue_.fill(arguments.totals, std::byte{0}, sizeof(RecordTotals));
    const auto ran =
        submit_tasks(queue_, IndexedTasks<MeasureTasks>{.count = corners, .arguments = arguments},
                     {.policy = options_.policy});
    plan_ = take<RecordPlan>(1, MemorySpace::kPinned);
    auto* const starts =
        take<RecordStart>(RecordPlan::most_starts(corners, chunk_bytes_), MemorySpace::kPinned);
    place_records(arguments, starts);
    has_ids.wait();
    if (queue_.has_failed()) queue_.wait();  // Throws why there are no ids.
    three_star::CellGrid grid(points_, options_.radius, std::span(ids, corners));
    queue_.wait();
    report.policy = ran->policy;
    report.tasks += ran->tasks();
    report.pairs += plan_->totals.pairs;
    const std::uint64_t last = plan_->end.bytes / chunk_bytes_;
    for (std::uint64_t i = 0; i <= last; ++i) {
      const Part part = {starts[i], i < last ? starts[i + 1] : plan_->end};
      if (part.records() > 0) parts_.push_back(part);
    }
    return grid;
  }

  void place_records(const MeasureArguments& measured, RecordStart* starts) {
    const PlanRecords body = {.corners = on_device_.points(),
                              .part_bytes = chunk_bytes_,
                              .totals = measured.totals,
                              .tiles = measured.tiles,
                              .places = measured.places,
                              .plan = plan_,
                              .starts = starts};
    auto& queue = static_cast<GpuQueue&>(queue_);
    const gpu::Properties& device = queue.gpu_device().properties();
    gpu::LaunchShape shape;
    shape.threads = std::min(PlanRecords::kMostThreads, device.max_threads_per_block);
    const std::size_t threads = RecordTile::count(body.corners) * device.warp_width;
    const auto most = static_cast<std::size_t>(8) * device.multiprocessors;
    shape.blocks = static_cast<int>(std::min((threads + shape.threads - 1) / shape.threads, most));
    queue.enqueue([=, &queue] { launch(body_kernel<PlanRecords>, shape, queue.stream(), body); },
                  GpuQueue::Start::kInline, "place records");
  }

  // Those whose neighbours a task has no room for, in order.
  std::vector<std::uint32_t> large_corners() {
    std::vector<std::uint32_t> corners(plan_->totals.large);
    queue_.copy(corners.data(), large_, corners.size() * sizeof(std::uint32_t));
    if (!corners.empty()) queue_.wait();
    std::sort(corners.begin(), corners.end());
    return corners;
  }

  IndexedTasks<RecordTasks> record_tasks(const Part& part, std::byte* chunk) const {
    const RecordArguments arguments = {
        .reach = Reach(options_.radius),
        .grid = on_device_.view(),
        .places = places_,
        .start = part.start,
        .chunk = chunk,
        .directory = reinterpret_cast<std::uint32_t*>(chunk + part.directory())};
    return {.count = part.corners(), .arguments = arguments};
  }

  // A pipeline takes longer to set up than a chunk to travel.
  void stream_one(const three_star::CellGrid& grid, const three_star::ChunkVisitor& visitor,
                  three_star::SearchReport& report) {
    const Part& part = parts_.front();
    auto* const chunk = take<std::byte>(part.bytes());
    auto* const on_host = take<std::byte>(part.bytes(), MemorySpace::kPinned);
    queue_.fill(chunk, std::byte{0}, sizeof(three_star::ChunkHeader));
    run_tasks(queue_, record_tasks(part, chunk), {.policy = options_.policy});
    queue_.copy(on_host, chunk, part.bytes());
    queue_.wait();
    report.bytes_down += part.bytes();
    hand_on(grid, part, on_host, visitor, report);
  }

  void stream_many(const three_star::CellGrid& grid, const three_star::ChunkVisitor& visitor,
                   three_star::SearchReport& report) {
    std::uint64_t most_bytes = 0;
    for (const Part& part : parts_) most_bytes = std::max(most_bytes, part.bytes());
    Pipeline pipeline(queue_.device().shared_from_this(), {.output_bytes = most_bytes,
                                                           .depth = kDepth,
                                                           .has_host_input = false,
                                                           .has_host_output = false});
    std::byte* chunks[kDepth];
    for (std::byte*& chunk : chunks) chunk = take<std::byte>(most_bytes, MemorySpace::kPinned);
    const PipelineReport streamed = pipeline.run({
        .produce = [&](const PipelineRoom& room) -> std::optional<PipelineInput> {
          if (room.index == parts_.size()) return std::nullopt;
          return PipelineInput{.data = {},
                               .output = std::span(chunks[room.slot], parts_[room.index].bytes())};
        },
        .compute =
            [&](Queue& queue, const PipelineChunk& chunk) {
              const Part& part = parts_[chunk.index];
              queue.fill(chunk.output.data(), std::byte{0}, sizeof(three_star::ChunkHeader));
              submit_tasks(queue, record_tasks(part, chunk.output.data()),
                           {.policy = options_.policy});
              chunk.result->bytes = part.bytes();
            },
        .consume =
            [&](const PipelineOutput& output) {
              hand_on(grid, parts_[output.index], chunks[output.slot], visitor, report);
            },
    });
    report.bytes_down += streamed.bytes_down;
  }

  // With the rest of the header.
  static void hand_on(const three_star::CellGrid& grid, const Part& part, std::byte* memory,
                      const three_star::ChunkVisitor& visitor, three_star::SearchReport& report) {
    three_star::ChunkHeader header;
    std::memcpy(&header.three_stars, memory + offsetof(three_star::ChunkHeader, three_stars),
                sizeof header.three_stars);
    header.records = part.records();
    header.bytes = part.bytes();
    header.directory = part.directory();
    std::memcpy(memory, &header, sizeof header);
    report.three_stars += header.three_stars;
    visitor(three_star::StarChunk(grid, std::span(memory, header.bytes)));
  }

  Queue& queue_;
  const std::span<const Point> points_;
  const DeviceGrid& on_device_;
  const three_star::SearchOptions options_;
  radix_sort::SortMemory& memory_;
  const std::size_t chunk_bytes_;
  RecordPlace* places_ = nullptr;
  std::uint32_t* large_ = nullptr;
  RecordPlan* plan_ = nullptr;
  std::vector<Part> parts_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_STAR_STREAM_GPU_H_
