// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/task_graph/arrivals_of_steps.h>
#include <millrace/docs/examples/task_graph/cholesky_tasks.h>
#include <millrace/docs/examples/task_graph/shared_cholesky.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::examples {
namespace {

// Columns become finished from left to right.
class FinishedColumns {
 public:
  void finish(std::size_t column) {
    {
      const std::lock_guard lock(mutex_);
      count_ = column + 1;
    }
    changed_.notify_all();
  }

  // Returns when a column is finished. Throws kCancelled once a stop is requested.
  void await(std::size_t column, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return count_ > column; })) {
      throw Error(ErrorCode::kCancelled, "another device has failed");
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t count_ = 0;
};

// One device's columns and its copies of others'.
class DeviceColumns {
 public:
  DeviceColumns(Queue& queue, const TiledMatrix& matrix, TileColumns columns, Policy policy)
      : queue_(queue),
        columns_(columns),
        policy_(policy),
        tile_size_(static_cast<std::size_t>(matrix.tile()) * matrix.tile()),
        tiles_(queue.device().shared_from_this(), MemorySpace::kDevice, matrix.elements().size()),
        missing_(queue.device().shared_from_this(), MemorySpace::kDevice,
                 step_index(matrix.tile_rows(), 0, 0)),
        matrix_{.tiles = tiles_.data(),
                .missing = missing_.data(),
                .count = static_cast<std::uint32_t>(matrix.tile_rows()),
                .side = matrix.tile()} {
    const auto missing = arrivals_of_steps(matrix.tile_rows(), columns);
    copy(queue_, missing_.span(), BufferSpan<const std::uint32_t>(std::span(missing)));
    copy(queue_, tiles_.span(), BufferSpan<const double>(matrix.elements()));
    queue_.wait();
  }

  bool has(std::size_t column) const { return columns_.has(column); }
  // True if it has a column to the right of this one.
  bool uses(std::size_t column) const {
    for (std::size_t other = column + 1; other < matrix_.count; ++other) {
      if (has(other)) return true;
    }
    return false;
  }

  // Finishes the first column.
  void begin() { run(TaskList<SharedCholeskyTasks>(Potrf{matrix_, 0})); }

  // Copies a finished column to the host.
  void put(std::size_t column, TiledMatrix& factor) {
    for_each_tile(column, column, [&](std::size_t offset) {
      copy(queue_, BufferSpan<double>(factor.elements().subspan(offset, tile_size_)),
           tiles_.span(offset, tile_size_));
    });
    queue_.wait();
  }

  // Takes another device's column, from that device or from the host, and runs all that it starts.
  void take(std::size_t column, DeviceColumns& owner, const TiledMatrix& factor) {
    const bool is_direct = can_copy_from(queue_, owner.queue_.device());
    TaskList<SharedCholeskyTasks> arrived;
    std::uint32_t row = static_cast<std::uint32_t>(column);
    for_each_tile(column, column + 1, [&](std::size_t offset) {
      copy(queue_, tiles_.span(offset, tile_size_),
           is_direct ? BufferSpan<const double>(owner.tiles_.span(offset, tile_size_))
                     : BufferSpan<const double>(factor.elements().subspan(offset, tile_size_)));
      arrived.push(TileArrived{matrix_, ++row, static_cast<std::uint32_t>(column)});
    });
    run(arrived);
  }

  SharedDeviceReport report() const { return {queue_.device().info().name, report_, counts_}; }

 private:
  template <class Visit>
  void for_each_tile(std::size_t column, std::size_t first_row, const Visit& visit) const {
    for (std::size_t row = first_row; row < matrix_.count; ++row) {
      visit(tile_index(row, column) * tile_size_);
    }
  }

  void run(const TaskList<SharedCholeskyTasks>& tasks) {
    if (tasks.empty()) return;
    add_report(report_, run_tasks(queue_, tasks, {.policy = policy_}));
    ++counts_.segments;
    counts_.tasks_taken += tasks.size();
  }

  Queue& queue_;
  const TileColumns columns_;
  const Policy policy_;
  const std::size_t tile_size_;
  Buffer<double> tiles_;
  Buffer<std::uint32_t> missing_;
  const CholeskyTiles matrix_;
  RunReport report_;
  ExchangeCounts counts_;
};

using AllColumns = std::vector<std::unique_ptr<DeviceColumns>>;

// Does one device's portion.
void factor_on(std::size_t device, const AllColumns& all, FinishedColumns& finished,
               TiledMatrix& factor, const std::stop_token& stop) {
  DeviceColumns& own = *all[device];
  for (std::size_t column = 0; column < factor.tile_rows(); ++column) {
    if (own.has(column)) {
      // A column after the first is complete here: the tasks of earlier columns have finished it.
      if (column == 0) own.begin();
      own.put(column, factor);
      finished.finish(column);
    } else if (own.uses(column)) {
      finished.await(column, stop);
      own.take(column, *all[column % all.size()], factor);
    }
  }
}

}  // namespace

SharedCholeskyResult factor_cholesky(const DeviceGroup& group, const TiledMatrix& matrix,
                                     Policy policy) {
  AllColumns all;
  for (std::size_t i = 0; i < group.size(); ++i) {
    all.push_back(std::make_unique<DeviceColumns>(group.queue(i), matrix,
                                                  TileColumns{i, group.size()}, policy));
  }
  SharedCholeskyResult result{TiledMatrix(matrix.size(), matrix.tile()), {}};
  FinishedColumns finished;
  const auto begin = std::chrono::steady_clock::now();
  group.run([&](std::size_t device, const std::stop_token& stop) {
    factor_on(device, all, finished, result.factor, stop);
  });
  for (const auto& columns : all) {
    result.report.devices.push_back(columns->report());
    add_report(result.report.run, result.report.devices.back().run);
  }
  result.report.run.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace millrace::examples
