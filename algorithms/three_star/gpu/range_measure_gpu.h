// SPDX-License-Identifier: Apache-2.0

// Measures the records of a search before they are written, and divides them into ranges.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_RANGE_MEASURE_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_RANGE_MEASURE_GPU_H_

#include <millrace/algorithms/three_star/gpu/record_plan_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_ranges_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_tasks_gpu.h>
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

//   RangeMeasure measure(input, range_bytes);   // The device measures from here on.
//   const RecordRanges found = std::move(measure).finish(report);
class RangeMeasure {
 public:
  // Enqueues the work. A range has `range_bytes` of records, more than kMostRecordBytes, or a
  // record more. `input` outlives this object.
  RangeMeasure(const StreamInput& input, std::size_t range_bytes)
      : input_(input), range_bytes_(range_bytes) {
    const std::uint32_t corners = input_.on_device.points();
    const std::size_t tiles = RecordTile::count(corners);
    const std::size_t total_bytes = sizeof(RecordTotals) + tiles * sizeof(RecordTile);
    const MeasureArguments arguments = {
        .radius = input_.options.radius,
        .first = input_.wanted.corners.begin,
        .grid = input_.on_device.view(),
        .positions = take<RecordPosition>(corners),
        .totals = reinterpret_cast<RecordTotals*>(take<std::byte>(total_bytes)),
        .large = take<std::uint32_t>(corners)};
    positions_ = arguments.positions;
    large_ = arguments.large;
    if (input_.wanted.corners.size() < corners) {
      input_.queue.fill(arguments.positions, std::byte{0}, corners * sizeof(RecordPosition));
    }
    input_.queue.fill(arguments.totals, std::byte{0}, total_bytes);
    ran_ = submit_tasks(
        input_.queue,
        IndexedTasks<MeasureTasks>{.count = input_.wanted.corners.size(), .arguments = arguments},
        {.policy = input_.options.policy, .stop = input_.options.stop});
    plan_ = take<RecordPlan>(1, MemorySpace::kPinned);
    starts_ =
        take<RecordStart>(RecordPlan::most_starts(corners, range_bytes_), MemorySpace::kPinned);
    plan_records(arguments);
  }
  RangeMeasure(const RangeMeasure&) = delete;
  RangeMeasure& operator=(const RangeMeasure&) = delete;

  // Waits for the queue. Adds to the report.
  [[nodiscard]] RecordRanges finish(three_star::SearchReport& report) && {
    input_.queue.wait();
    report.policy = ran_->policy;
    report.tasks += ran_->tasks();
    report.pairs += plan_->totals.pairs;
    return {.ranges = ranges(), .positions = positions_, .large_corners = large_corners()};
  }

 private:
  template <class T>
  T* take(std::size_t count, MemorySpace space = MemorySpace::kDevice) {
    return input_.memory.take_array<T>(space, count);
  }

  void plan_records(const MeasureArguments& measured) {
    const PlanRecords body = {.corners = input_.on_device.points(),
                              .range_bytes = range_bytes_,
                              .totals = measured.totals,
                              .tiles = measured.tiles(),
                              .positions = measured.positions,
                              .plan = plan_,
                              .starts = starts_};
    auto& queue = static_cast<GpuQueue&>(input_.queue);
    const int lanes = queue.gpu_device().properties().warp_width;
    enqueue_evenly(queue, "plan records", RecordTile::count(body.corners) * lanes, body);
  }

  std::vector<RecordRange> ranges() const {
    std::vector<RecordRange> ranges;
    const std::uint64_t last = plan_->end.bytes / range_bytes_;
    for (std::uint64_t i = 0; i <= last; ++i) {
      const RecordRange range = {starts_[i], i < last ? starts_[i + 1] : plan_->end};
      if (range.records() > 0) ranges.push_back(range);
    }
    return ranges;
  }

  // Returns the large corners in order.
  std::vector<std::uint32_t> large_corners() const {
    std::vector<std::uint32_t> corners(plan_->totals.large);
    if (corners.empty()) return corners;
    input_.queue.copy(corners.data(), large_, corners.size() * sizeof(std::uint32_t));
    input_.queue.wait();
    std::sort(corners.begin(), corners.end());
    return corners;
  }

  const StreamInput& input_;
  const std::size_t range_bytes_;
  const RecordPosition* positions_ = nullptr;
  const std::uint32_t* large_ = nullptr;
  RecordPlan* plan_ = nullptr;
  RecordStart* starts_ = nullptr;
  std::shared_ptr<const RunReport> ran_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_RANGE_MEASURE_GPU_H_
