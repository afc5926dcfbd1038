// SPDX-License-Identifier: Apache-2.0

// The search on GPUs: lowest corners are tasks.
#include <millrace/algorithms/three_star/chunks/expanded_chunks.h>
#include <millrace/algorithms/three_star/gpu/corner_runs_gpu.h>
#include <millrace/algorithms/three_star/gpu/corner_tasks_gpu.h>
#include <millrace/algorithms/three_star/gpu/device_grid_gpu.h>
#include <millrace/algorithms/three_star/gpu/raw_stream_gpu.h>
#include <millrace/algorithms/three_star/gpu/raw_tasks_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_tasks_gpu.h>
#include <millrace/algorithms/three_star/gpu/star_stream_gpu.h>
#include <millrace/algorithms/three_star/search_range.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/run/task_target.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/host/scratch_memory.h>

#include <span>

namespace millrace::MILLRACE_GPU {
namespace {

using three_star::SearchOptions;
using three_star::SearchRange;
using three_star::SearchReport;
using three_star::StarForm;
using three_star::StarSink;
using three_star::ThreeStarOp;

const RegisterTasks<CornerTasks<HalfForm>> registered_half_corners;
const RegisterTasks<LargeTasks<HalfForm>> registered_half_large;
const RegisterTasks<CornerTasks<FloatForm>> registered_corners;
const RegisterTasks<LargeTasks<FloatForm>> registered_large;
const RegisterTasks<MeasureTasks> registered_lengths;
const RegisterTasks<RecordTasks> registered_records;
const RegisterTasks<RawTasks> registered_raw;

void search(Queue& queue, std::span<const Point> points, const SearchRange& range,
            const SearchOptions& options, const StarSink& sink, SearchReport& report) {
  const bool is_counted = sink.stars == nullptr && sink.chunks == nullptr;
  const bool is_raw = sink.stars != nullptr && options.form == StarForm::kRaw;
  if (!is_counted) report.form = is_raw ? StarForm::kRaw : StarForm::kCompressed;
  if (range.corners.size() == 0) {
    report.policy = options.policy;
    return;
  }
  ScratchMemory memory(queue);
  const QueueGuard guard(queue);
  const DeviceGrid on_device(queue, points, options.radius, memory);
  if (is_counted) {
    const CornerCounts counts =
        CornerRuns(queue, on_device, range.corners, options, memory).count(report);
    report.three_stars = counts.three_stars;
    report.pairs = counts.pairs;
    return;
  }
  const StreamInput input = {queue, points, on_device, range, options, memory};
  if (is_raw) {
    RawStream(input).run(*sink.stars, report);
    return;
  }
  if (sink.chunks != nullptr) {
    StarStream(input).run(*sink.chunks, report);
  } else {
    StarStream(input).run(three_star::TogetherExpandedChunks(*sink.stars), report);
  }
}

const RegisterOp<ThreeStarOp> registered(kBackend, &search);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
