// Where the records of a search go, found before they are written: parts that fit into a chunk.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_STAR_PARTS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_STAR_PARTS_GPU_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <millrace/algorithms/radix_sort/host_sort_memory.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/device_grid_gpu.h>
#include <millrace/algorithms/three_star/record_plan_gpu.h>
#include <millrace/algorithms/three_star/record_tasks_gpu.h>
#include <millrace/algorithms/three_star/star_chunk.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/indexed_tasks.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::MILLRACE_GPU {

// Records of corners one after another.
struct StarPart {
  RecordStart start;
  RecordStart end;

  std::uint32_t corners() const { return end.corner - start.corner; }
  std::uint32_t records() const { return end.records - start.records; }
  std::uint64_t record_bytes() const { return end.bytes - start.bytes; }
};

class StarParts {
 public:
  // A part has `part_bytes` of records, more than kMostRecordBytes, or a record more. `memory`, of
  // the queue's device, and all the others outlive this object and what reads places().
  StarParts(Queue& queue, std::span<const Point> points, const DeviceGrid& on_device,
            const three_star::SearchOptions& options, radix_sort::SortMemory& memory,
            std::size_t part_bytes)
      : queue_(queue),
        points_(points),
        on_device_(on_device),
        options_(options),
        memory_(memory),
        part_bytes_(part_bytes) {}

  // Finds them. Returns the grid that chunks are read by, which the host makes meanwhile.
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
        take<RecordStart>(RecordPlan::most_starts(corners, part_bytes_), MemorySpace::kPinned);
    place_records(arguments, starts);
    has_ids.wait();
    if (queue_.has_failed()) queue_.wait();  // Throws why there are no ids.
    three_star::CellGrid grid(points_, options_.radius, std::span(ids, corners));
    queue_.wait();
    report.policy = ran->policy;
    report.tasks += ran->tasks();
    report.pairs += plan_->totals.pairs;
    const std::uint64_t last = plan_->end.bytes / part_bytes_;
    for (std::uint64_t i = 0; i <= last; ++i) {
      const StarPart part = {starts[i], i < last ? starts[i + 1] : plan_->end};
      if (part.records() > 0) parts_.push_back(part);
    }
    return grid;
  }

  // Those that have records.
  const std::vector<StarPart>& parts() const { return parts_; }
  // Of all corners, in device memory.
  const RecordPlace* places() const { return places_; }

  // Those whose neighbours a task has no room for, in order.
  std::vector<std::uint32_t> large_corners() {
    std::vector<std::uint32_t> corners(plan_->totals.large);
    queue_.copy(corners.data(), large_, corners.size() * sizeof(std::uint32_t));
    if (!corners.empty()) queue_.wait();
    std::sort(corners.begin(), corners.end());
    return corners;
  }

 private:
  template <class T>
  T* take(std::size_t count, MemorySpace space = MemorySpace::kDevice) {
    return memory_.take_array<T>(space, count);
  }

  void place_records(const MeasureArguments& measured, RecordStart* starts) {
    const PlanRecords body = {.corners = on_device_.points(),
                              .part_bytes = part_bytes_,
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

  Queue& queue_;
  const std::span<const Point> points_;
  const DeviceGrid& on_device_;
  const three_star::SearchOptions options_;
  radix_sort::SortMemory& memory_;
  const std::size_t part_bytes_;
  RecordPlace* places_ = nullptr;
  std::uint32_t* large_ = nullptr;
  RecordPlan* plan_ = nullptr;
  std::vector<StarPart> parts_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_STAR_PARTS_GPU_H_
