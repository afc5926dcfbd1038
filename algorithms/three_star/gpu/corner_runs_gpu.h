// SPDX-License-Identifier: Apache-2.0

// Counts 3-stars by runs of CornerTasks.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_RUNS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_RUNS_GPU_H_

#include <millrace/algorithms/three_star/gpu/corner_tasks_gpu.h>
#include <millrace/algorithms/three_star/gpu/device_grid_gpu.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/host/scratch_memory.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>

namespace millrace::MILLRACE_GPU {

// Counts for some points, in as many runs as necessary. A first run finds which corners have more
// neighbours than fit into shared memory, and how much memory they need together. Runs of
// LargeTasks then search as many of these as may fit; those that find no memory after all make
// another round.
class CornerRuns {
 public:
  // Most bytes of device memory for large corners.
  static constexpr std::size_t kMostStorage = std::size_t{1} << 30;

  // `corners` are indices in the grid, one or more; `memory` is of the queue's device.
  CornerRuns(Queue& queue, const DeviceGrid& grid, const IndexRange& corners,
             const three_star::SearchOptions& options, ScratchMemory& memory,
             std::size_t most_storage = kMostStorage)
      : queue_(queue),
        policy_(policy_for(options, grid.points())),
        stop_(options.stop),
        memory_(memory),
        corners_(corners.size()),
        least_storage_(storage_bytes<Neighbour>(grid.points())),
        most_storage_(std::max(least_storage_, most_storage)),
        on_device_(memory.take_array<CornerRunState>(MemorySpace::kDevice, 1)),
        on_host_(memory.take_array<CornerRunState>(MemorySpace::kPinned, 1)) {
    *on_host_ = {.counts = {}, .memory = {.reach = Reach(options.radius), .grid = grid.view()}};
    on_host_->memory.counts = &on_device_->counts;
    on_host_->memory.first = corners.begin;
  }

  const CornerCounts& count(three_star::SearchReport& report) {
    const int lanes = static_cast<GpuQueue&>(queue_).gpu_device().properties().warp_width;
    const bool is_half = kHasMatrixProducts && lanes == kMatrixLanes &&
                         on_host_->memory.reach.radius <= HalfNeighbour::kMostRadius;
    if (is_half) {
      count_in<HalfForm>(report);
    } else {
      count_in<FloatForm>(report);
    }
    return on_host_->counts;
  }

 private:
  // On an H200 waves take 0.56 to 0.72 of the time of persistent threads for 3,200 points, and 1.1
  // to 1.5 for 12,800 and more (docs/experiments/three_stars_on_a_gpu.md). Searches that may
  // be stopped are run by persistent threads: all of them start, and can report their last work.
  static Policy policy_for(const three_star::SearchOptions& options, std::uint32_t points) {
    constexpr std::uint32_t kManyPoints = 6400;
    if (options.policy != Policy::kAuto) return options.policy;
    return points < kManyPoints && !options.stop.stop_possible() ? Policy::kUberkernel
                                                                 : Policy::kPersistentThreads;
  }

  // The corners of one round.
  struct Round {
    const std::uint32_t* corners;  // Null: all.
    std::uint32_t count;
    std::size_t wanted;  // Bytes for all, or slightly more.
  };

  template <class Form>
  void count_in(three_star::SearchReport& report) {
    // All corners of the first round are one run, which has no memory for large ones.
    Round round = {.corners = nullptr, .count = corners_, .wanted = 0};
    round = run_all<CornerTasks<Form>>(round, 0, report);
    if (round.count > 0) tag_large(round.count);
    while (round.count > 0) {
      const std::size_t capacity = std::clamp(round.wanted, least_storage_, most_storage_);
      round = run_all<LargeTasks<Form>>(round, capacity, report);
    }
  }

  // Tags all large corners as the first type.
  void tag_large(std::uint32_t most) {
    tags_ = memory_.take_array<TaskTag>(MemorySpace::kDevice, most);
    queue_.fill(tags_, std::byte{0}, most);
  }

  // Returns the corners that are left.
  template <class Set>
  Round run_all(const Round& round, std::size_t capacity, three_star::SearchReport& report) {
    storage_ = {};
    storage_ = Buffer<std::byte>(queue_.device().pool(MemorySpace::kDevice), capacity);
    on_host_->memory.storage = storage_.data();
    on_host_->memory.storage_size = capacity;
    on_host_->memory.left = left_.turn(memory_, round.count);
    on_host_->counts.left = 0;
    Round left = {on_host_->memory.left, 0, 0};
    const double fraction = 0.9 * static_cast<double>(capacity) / static_cast<double>(round.wanted);
    const std::uint32_t most =
        round.wanted <= capacity
            ? round.count
            : std::max(1U, static_cast<std::uint32_t>(fraction * static_cast<double>(round.count)));
    for (std::uint32_t done = 0; done < round.count;) {
      const std::uint32_t some = std::min(most, round.count - done);
      on_host_->memory.corners = round.corners == nullptr ? nullptr : round.corners + done;
      on_host_->counts.storage_used = 0;
      run<Set>(some, report);
      const std::uint64_t used = on_host_->counts.storage_used;
      // The first corner that finds no memory may have requested some that is free, and no other
      // gets that then.
      if (used > capacity) left.wanted += std::min(used, used - capacity + least_storage_);
      done += some;
    }
    left.count = on_host_->counts.left;
    return left;
  }

  template <class Set>
  void run(std::uint32_t corners, three_star::SearchReport& report) {
    queue_.copy(on_device_, on_host_, sizeof *on_host_);
    const IndexedTasks<Set> roots = {
        .tags = tags_, .count = corners, .arguments = &on_device_->memory};
    const RunReport ran = run_tasks(queue_, roots, {.policy = policy_, .stop = stop_});
    report.policy = ran.policy;
    report.tasks += ran.tasks();
    queue_.copy(&on_host_->counts, &on_device_->counts, sizeof on_host_->counts);
    queue_.wait();
  }

  // Buffers for the corners that a round leaves, while the next reads them from the other buffer.
  class LeftCorners {
   public:
    // At most as many as at the first call.
    std::uint32_t* turn(ScratchMemory& memory, std::size_t count) {
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
  ScratchMemory& memory_;
  const std::uint32_t corners_;
  const std::size_t least_storage_;  // Bytes for a corner whose neighbours are all other points.
  const std::size_t most_storage_;
  CornerRunState* const on_device_;
  CornerRunState* const on_host_;  // Points to pinned memory.
  TaskTag* tags_ = nullptr;        // Tags of large corners.
  LeftCorners left_;
  Buffer<std::byte> storage_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_RUNS_GPU_H_
