// The search on GPUs: cells are sorted from the host, lowest corners are tasks.
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/corner_tasks_gpu.h>
#include <millrace/algorithms/three_star/record_tasks_gpu.h>
#include <millrace/algorithms/three_star/star_stream_gpu.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/task_target.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <millrace/runtime/buffer.h>
#include <millrace/runtime/host_threads.h>
#include <millrace/runtime/indexed_tasks.h>
#include <millrace/runtime/op_table.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::MILLRACE_GPU {
namespace {

using three_star::CellGrid;
using three_star::SearchOptions;
using three_star::SearchReport;
using three_star::StarChunk;
using three_star::StarSink;
using three_star::StarVisitor;
using three_star::ThreeStarOp;

const RegisterTasks<CornerTasks> registered_corners;
const RegisterTasks<MeasureTasks> registered_lengths;
const RegisterTasks<RecordTasks> registered_records;

// A copy in device memory.
template <class T>
Buffer<T> upload(Queue& queue, std::span<const T> values) {
  Buffer<T> buffer(queue.device().pool(MemorySpace::kDevice), values.size());
  queue.copy(buffer.data(), values.data(), values.size_bytes());
  return buffer;
}

// A grid as tasks read it.
class DeviceGrid {
 public:
  DeviceGrid(Queue& queue, const CellGrid& grid, std::size_t points) {
    std::vector<Point> in_order(points);
    std::vector<std::uint32_t> cells(points);
    std::vector<CellGrid::Neighbours> neighbours(grid.cells().size());
    for (std::uint32_t cell = 0; cell < neighbours.size(); ++cell) {
      neighbours[cell] = grid.neighbours(cell);
      const PlaceRange& places = grid.cells()[cell].places;
      for (std::uint32_t i = places.begin; i < places.end; ++i) {
        in_order[i] = {grid.x()[i], grid.y()[i]};
        cells[i] = cell;
      }
    }
    points_ = upload<Point>(queue, in_order);
    cells_ = upload<std::uint32_t>(queue, cells);
    neighbours_ = upload<CellGrid::Neighbours>(queue, neighbours);
    windows_ = upload<AngleWindows>(queue, std::span(&three_star::kAngleWindows, 1));
    queue.wait();
  }

  GridView view() const {
    return {points_.data(), cells_.data(), neighbours_.data(), windows_.data()};
  }

 private:
  Buffer<Point> points_;
  Buffer<std::uint32_t> cells_;
  Buffer<CellGrid::Neighbours> neighbours_;
  Buffer<AngleWindows> windows_;
};

void visit_in_parallel(const StarChunk& chunk, const StarVisitor& visitor) {
  constexpr std::size_t kRecords = 64;
  HostThreads::shared().for_each((chunk.records() + kRecords - 1) / kRecords, [&](std::size_t i) {
    chunk.visit(i * kRecords, std::min((i + 1) * kRecords, chunk.records()), visitor);
  });
}

// Counts for all points, in as many runs as it takes.
class CornerRuns {
 public:
  CornerRuns(Queue& queue, const DeviceGrid& grid, std::uint32_t points,
             const SearchOptions& options)
      : queue_(queue),
        policy_(options.policy == Policy::kAuto ? Policy::kPersistentThreads : options.policy),
        count_(points),
        memory_{.reach = Reach(options.radius), .grid = grid.view()} {
    const auto device = queue.device().shared_from_this();
    counts_ = Buffer<CornerCounts>(device->pool(MemorySpace::kDevice), 1);
    for (auto& corners : corners_) {
      corners = Buffer<std::uint32_t>(device->pool(MemorySpace::kDevice), points);
    }
    on_device_ = Buffer<CornerMemory>(device->pool(MemorySpace::kDevice), 1);
    memory_.counts = counts_.data();
    tags_ = Buffer<TaskTag>(device->pool(MemorySpace::kDevice), points);
    queue.fill(tags_.data(), std::byte{CornerTasks::tag_of<SearchCorner>()}, points);
  }

  // Corners with many neighbours say in a first run how much room they want.
  CornerCounts count(SearchReport& report) {
    CornerCounts counts;
    const std::size_t least = std::size_t{count_} + SearchSome::kEndsSize;
    std::size_t room = kFirstRoom;
    while (count_ > 0) {
      counts.left = 0;
      counts.room_used = 0;
      run(room, counts, report);
      count_ = counts.left;
      memory_.corners = memory_.left;
      room = std::max(least, std::min<std::size_t>(kMostRoom, counts.room_used));
    }
    return counts;
  }

 private:
  // Neighbours.
  static constexpr std::size_t kFirstRoom = std::size_t{1} << 11;
  static constexpr std::size_t kMostRoom = std::size_t{1} << 27;

  void run(std::size_t room, CornerCounts& counts, SearchReport& report) {
    room_ = {};
    room_ = Buffer<Neighbour>(queue_.device().pool(MemorySpace::kDevice), room);
    memory_.room = room_.data();
    memory_.room_size = room;
    memory_.left = corners_[std::exchange(next_, 1 - next_)].data();
    queue_.copy(counts_.data(), &counts, sizeof counts);
    queue_.copy(on_device_.data(), &memory_, sizeof memory_);
    const IndexedTasks<CornerTasks> roots = {
        .tags = tags_.data(), .count = count_, .arguments = on_device_.data()};
    const RunReport ran = run_tasks(queue_, roots, {.policy = policy_});
    report.policy = ran.policy;
    report.tasks += ran.tasks();
    queue_.copy(&counts, counts_.data(), sizeof counts);
    queue_.wait();
  }

  Queue& queue_;
  const Policy policy_;
  std::uint32_t count_;  // Corners to be searched.
  CornerMemory memory_;
  Buffer<CornerCounts> counts_;
  Buffer<std::uint32_t> corners_[2];  // Those left by a run, in turn.
  Buffer<CornerMemory> on_device_;
  Buffer<TaskTag> tags_;  // All SearchCorner's.
  Buffer<Neighbour> room_;
  int next_ = 0;
};

void search(Queue& queue, std::span<const Point> points, const SearchOptions& options,
            const StarSink& sink, SearchReport& report) {
  if (points.empty()) {
    report.policy = options.policy;
    return;
  }
  const CellGrid grid(queue, points, options.radius);
  const DeviceGrid on_device(queue, grid, points.size());
  if (sink.chunks != nullptr) {
    StarStream(queue, grid, on_device.view(), options).run(*sink.chunks, report);
  } else if (sink.stars != nullptr) {
    const auto visit = [&](const StarChunk& chunk) { visit_in_parallel(chunk, *sink.stars); };
    StarStream(queue, grid, on_device.view(), options).run(visit, report);
  } else {
    const CornerCounts counts =
        CornerRuns(queue, on_device, static_cast<std::uint32_t>(points.size()), options)
            .count(report);
    report.three_stars = counts.three_stars;
    report.pairs = counts.pairs;
  }
}

const RegisterOp<ThreeStarOp> registered(kBackend, &search);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
