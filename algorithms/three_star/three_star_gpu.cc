// The search on GPUs: lowest corners are tasks.
#include <millrace/algorithms/radix_sort/host_sort_memory.h>
#include <millrace/algorithms/three_star/corner_tasks_gpu.h>
#include <millrace/algorithms/three_star/device_grid_gpu.h>
#include <millrace/algorithms/three_star/raw_stream_gpu.h>
#include <millrace/algorithms/three_star/raw_tasks_gpu.h>
#include <millrace/algorithms/three_star/record_tasks_gpu.h>
#include <millrace/algorithms/three_star/star_stream_gpu.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/task_target.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>

#include <millrace/runtime/buffer.h>
#include <millrace/runtime/indexed_tasks.h>
#include <millrace/runtime/op_table.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::MILLRACE_GPU {
namespace {

using radix_sort::QueueGuard;
using radix_sort::SortMemory;
using three_star::SearchOptions;
using three_star::SearchReport;
using three_star::StarChunk;
using three_star::StarForm;
using three_star::StarSink;
using three_star::ThreeStarOp;

const RegisterTasks<CornerTasks> registered_corners;
const RegisterTasks<MeasureTasks> registered_lengths;
const RegisterTasks<RecordTasks> registered_records;
const RegisterTasks<RawTasks> registered_raw;

// Counts for all points, in as many runs as it takes.
class CornerRuns {
 public:
  // `memory` is of the queue's device.
  CornerRuns(Queue& queue, const DeviceGrid& grid, const SearchOptions& options, SortMemory& memory)
      : queue_(queue),
        policy_(options.policy == Policy::kAuto ? Policy::kPersistentThreads : options.policy),
        stop_(options.stop),
        memory_(memory),
        count_(grid.points()),
        on_device_(memory.take_array<CornerSearch>(MemorySpace::kDevice, 1)),
        on_host_(memory.take_array<CornerSearch>(MemorySpace::kPinned, 1)),
        tags_(memory.take_array<TaskTag>(MemorySpace::kDevice, count_)) {
    *on_host_ = {.counts = {}, .memory = {.reach = Reach(options.radius), .grid = grid.view()}};
    on_host_->memory.counts = &on_device_->counts;
    queue.fill(tags_, std::byte{CornerTasks::tag_of<SearchCorner>()}, count_);
  }

  // Corners with many neighbours say in a first run how much room they want.
  CornerCounts count(SearchReport& report) {
    CornerCounts& counts = on_host_->counts;
    const std::size_t least = std::size_t{count_} + SearchSome::kEndsSize;
    std::size_t room = kFirstRoom;
    while (count_ > 0) {
      counts.left = 0;
      counts.room_used = 0;
      run(room, report);
      count_ = counts.left;
      on_host_->memory.corners = on_host_->memory.left;
      room = std::max(least, std::min<std::size_t>(kMostRoom, counts.room_used));
    }
    return counts;
  }

 private:
  // Neighbours.
  static constexpr std::size_t kFirstRoom = std::size_t{1} << 11;
  static constexpr std::size_t kMostRoom = std::size_t{1} << 27;

  void run(std::size_t room, SearchReport& report) {
    room_ = {};
    room_ = Buffer<Neighbour>(queue_.device().pool(MemorySpace::kDevice), room);
    on_host_->memory.room = room_.data();
    on_host_->memory.room_size = room;
    on_host_->memory.left = left_.turn(memory_, count_);
    queue_.copy(on_device_, on_host_, sizeof *on_host_);
    const IndexedTasks<CornerTasks> roots = {
        .tags = tags_, .count = count_, .arguments = &on_device_->memory};
    const RunReport ran = run_tasks(queue_, roots, {.policy = policy_, .stop = stop_});
    report.policy = ran.policy;
    report.tasks += ran.tasks();
    queue_.copy(&on_host_->counts, &on_device_->counts, sizeof on_host_->counts);
    queue_.wait();
  }

  // Places for the corners that a run leaves, while the next reads them from the other ones.
  class LeftCorners {
   public:
    // At most as many as the first time.
    std::uint32_t* turn(SortMemory& memory, std::size_t count) {
      std::uint32_t*& corners = corners_[std::exchange(next_, 1 - next_)];
      if (corners == nullptr) {
        corners = memory.take_array<std::uint32_t>(MemorySpace::kDevice, count);
      }
      return corners;
    }

   private:
    std::uint32_t* corners_[2] = {};
    int next_ = 0;
  };

  Queue& queue_;
  const Policy policy_;
  const std::stop_token stop_;
  SortMemory& memory_;
  std::uint32_t count_;  // Corners to be searched.
  CornerSearch* const on_device_;
  CornerSearch* const on_host_;  // In pinned memory.
  TaskTag* const tags_;          // All SearchCorner's.
  LeftCorners left_;
  Buffer<Neighbour> room_;
};

void search(Queue& queue, std::span<const Point> points, const SearchOptions& options,
            const StarSink& sink, SearchReport& report) {
  if (points.empty()) {
    report.policy = options.policy;
    return;
  }
  SortMemory memory(queue);
  const QueueGuard guard(queue);
  const DeviceGrid on_device(queue, points, options.radius, memory);
  if (sink.stars == nullptr && sink.chunks == nullptr) {
    const CornerCounts counts = CornerRuns(queue, on_device, options, memory).count(report);
    report.three_stars = counts.three_stars;
    report.pairs = counts.pairs;
    return;
  }
  if (sink.stars != nullptr && options.form == StarForm::kRaw) {
    RawStream(queue, points, on_device, options, memory).run(*sink.stars, report);
    return;
  }
  StarStream stream(queue, points, on_device, options, memory);
  if (sink.chunks != nullptr) {
    stream.run(*sink.chunks, report);
  } else {
    stream.run(
        [&](const StarChunk& chunk) {
          for_all_records(chunk, [&](std::size_t first, std::size_t end) {
            chunk.visit(first, end, *sink.stars);
          });
        },
        report);
  }
}

const RegisterOp<ThreeStarOp> registered(kBackend, &search);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
