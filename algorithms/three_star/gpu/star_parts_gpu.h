// SPDX-License-Identifier: Apache-2.0

// Finds the offsets of a search's records before they are written: parts that fit into a chunk.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_STAR_PARTS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_STAR_PARTS_GPU_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/gpu/device_grid_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_plan_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_tasks_gpu.h>
#include <millrace/algorithms/three_star/search_part.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/even_launch.h>
#include <millrace/runtime/host/scratch_memory.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

namespace millrace::MILLRACE_GPU {

// Records of adjacent corners.
struct StarPart {
  RecordStart start;
  RecordStart end;

  std::uint32_t corners() const { return end.corner - start.corner; }
  std::uint32_t records() const { return end.records - start.records; }
  std::uint64_t record_bytes() const { return end.bytes - start.bytes; }
};

// Input of a search; all of it outlives the enqueued work.
struct StreamInput {
  Queue& queue;
  std::span<const Point> points;
  const DeviceGrid& on_device;           // Grid of the points on the queue's device.
  const three_star::SearchPart& wanted;  // One or more corners.
  const three_star::SearchOptions& options;
  ScratchMemory& memory;  // Memory of that device.
};

class StarParts {
 public:
  // A part has `part_bytes` of records, more than kMostRecordBytes, or a record more. `input`
  // outlives this object.
  StarParts(const StreamInput& input, std::size_t part_bytes)
      : input_(input), part_bytes_(part_bytes) {}

  // Measures the records; calls `meanwhile` while the device does.
  void measure(three_star::SearchReport& report, const std::function<void()>& meanwhile = {}) {
    const std::uint32_t corners = input_.on_device.points();
    const std::size_t tiles = RecordTile::count(corners);
    const std::size_t total_bytes = sizeof(RecordTotals) + tiles * sizeof(RecordTile);
    const MeasureArguments arguments = {
        .radius = input_.options.radius,
        .first = input_.wanted.corners.begin,
        .grid = input_.on_device.view(),
        .places = take<RecordPlace>(corners),
        .totals = reinterpret_cast<RecordTotals*>(take<std::byte>(total_bytes)),
        .large = take<std::uint32_t>(corners)};
    places_ = arguments.places;
    large_ = arguments.large;
    if (input_.wanted.corners.size() < corners) {
      input_.queue.fill(arguments.places, std::byte{0}, corners * sizeof(RecordPlace));
    }
    input_.queue.fill(arguments.totals, std::byte{0}, total_bytes);
    const auto ran = submit_tasks(
        input_.queue,
        IndexedTasks<MeasureTasks>{.count = input_.wanted.corners.size(), .arguments = arguments},
        {.policy = input_.options.policy, .stop = input_.options.stop});
    plan_ = take<RecordPlan>(1, MemorySpace::kPinned);
    auto* const starts =
        take<RecordStart>(RecordPlan::most_starts(corners, part_bytes_), MemorySpace::kPinned);
    place_records(arguments, starts);
    if (meanwhile) meanwhile();
    input_.queue.wait();
    report.policy = ran->policy;
    report.tasks += ran->tasks();
    report.pairs += plan_->totals.pairs;
    const std::uint64_t last = plan_->end.bytes / part_bytes_;
    for (std::uint64_t i = 0; i <= last; ++i) {
      const StarPart part = {starts[i], i < last ? starts[i + 1] : plan_->end};
      if (part.records() > 0) parts_.push_back(part);
    }
  }

  // Parts that have records.
  const std::vector<StarPart>& parts() const { return parts_; }
  // Positions of all corners' records, in device memory.
  const RecordPlace* places() const { return places_; }

  // Returns the corners whose neighbours do not fit in a task's memory, in order.
  std::vector<std::uint32_t> large_corners() {
    std::vector<std::uint32_t> corners(plan_->totals.large);
    input_.queue.copy(corners.data(), large_, corners.size() * sizeof(std::uint32_t));
    if (!corners.empty()) input_.queue.wait();
    std::sort(corners.begin(), corners.end());
    return corners;
  }

 private:
  template <class T>
  T* take(std::size_t count, MemorySpace space = MemorySpace::kDevice) {
    return input_.memory.take_array<T>(space, count);
  }

  void place_records(const MeasureArguments& measured, RecordStart* starts) {
    const PlanRecords body = {.corners = input_.on_device.points(),
                              .part_bytes = part_bytes_,
                              .totals = measured.totals,
                              .tiles = measured.tiles(),
                              .places = measured.places,
                              .plan = plan_,
                              .starts = starts};
    auto& queue = static_cast<GpuQueue&>(input_.queue);
    const int lanes = queue.gpu_device().properties().warp_width;
    enqueue_evenly(queue, "place records", RecordTile::count(body.corners) * lanes, body);
  }

  const StreamInput& input_;
  const std::size_t part_bytes_;
  RecordPlace* places_ = nullptr;
  std::uint32_t* large_ = nullptr;
  RecordPlan* plan_ = nullptr;
  std::vector<StarPart> parts_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_STAR_PARTS_GPU_H_
