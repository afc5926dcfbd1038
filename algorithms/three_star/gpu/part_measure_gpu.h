// SPDX-License-Identifier: Apache-2.0

// Measures the records of a search before they are written, and cuts them into parts.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_PART_MEASURE_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_PART_MEASURE_GPU_H_

#include <millrace/algorithms/three_star/gpu/record_plan_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_tasks_gpu.h>
#include <millrace/algorithms/three_star/gpu/star_parts_gpu.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/even_launch.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::MILLRACE_GPU {

//   PartMeasure measure(input, part_bytes);   // The device measures from here on.
//   const StarParts parts = std::move(measure).finish(report);
class PartMeasure {
 public:
  // Enqueues the work. A part has `part_bytes` of records, more than kMostRecordBytes, or a record
  // more. `input` outlives this object.
  PartMeasure(const StreamInput& input, std::size_t part_bytes)
      : input_(input), part_bytes_(part_bytes) {
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
    ran_ = submit_tasks(
        input_.queue,
        IndexedTasks<MeasureTasks>{.count = input_.wanted.corners.size(), .arguments = arguments},
        {.policy = input_.options.policy, .stop = input_.options.stop});
    plan_ = take<RecordPlan>(1, MemorySpace::kPinned);
    starts_ =
        take<RecordStart>(RecordPlan::most_starts(corners, part_bytes_), MemorySpace::kPinned);
    place_records(arguments);
  }
  PartMeasure(const PartMeasure&) = delete;
  PartMeasure& operator=(const PartMeasure&) = delete;

  // Waits for the queue. Adds to the report.
  [[nodiscard]] StarParts finish(three_star::SearchReport& report) && {
    input_.queue.wait();
    report.policy = ran_->policy;
    report.tasks += ran_->tasks();
    report.pairs += plan_->totals.pairs;
    return {.parts = parts(), .places = places_, .large_corners = large_corners()};
  }

 private:
  template <class T>
  T* take(std::size_t count, MemorySpace space = MemorySpace::kDevice) {
    return input_.memory.take_array<T>(space, count);
  }

  void place_records(const MeasureArguments& measured) {
    const PlanRecords body = {.corners = input_.on_device.points(),
                              .part_bytes = part_bytes_,
                              .totals = measured.totals,
                              .tiles = measured.tiles(),
                              .places = measured.places,
                              .plan = plan_,
                              .starts = starts_};
    auto& queue = static_cast<GpuQueue&>(input_.queue);
    const int lanes = queue.gpu_device().properties().warp_width;
    enqueue_evenly(queue, "place records", RecordTile::count(body.corners) * lanes, body);
  }

  std::vector<StarPart> parts() const {
    std::vector<StarPart> parts;
    const std::uint64_t last = plan_->end.bytes / part_bytes_;
    for (std::uint64_t i = 0; i <= last; ++i) {
      const StarPart part = {starts_[i], i < last ? starts_[i + 1] : plan_->end};
      if (part.records() > 0) parts.push_back(part);
    }
    return parts;
  }

  // In order.
  std::vector<std::uint32_t> large_corners() const {
    std::vector<std::uint32_t> corners(plan_->totals.large);
    if (corners.empty()) return corners;
    input_.queue.copy(corners.data(), large_, corners.size() * sizeof(std::uint32_t));
    input_.queue.wait();
    std::sort(corners.begin(), corners.end());
    return corners;
  }

  const StreamInput& input_;
  const std::size_t part_bytes_;
  const RecordPlace* places_ = nullptr;
  const std::uint32_t* large_ = nullptr;
  RecordPlan* plan_ = nullptr;
  RecordStart* starts_ = nullptr;
  std::shared_ptr<const RunReport> ran_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_PART_MEASURE_GPU_H_
