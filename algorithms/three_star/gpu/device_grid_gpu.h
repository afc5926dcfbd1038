// SPDX-License-Identifier: Apache-2.0

// Sorts points into the order of cells on the device that searches them.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_DEVICE_GRID_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_DEVICE_GRID_GPU_H_

#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/cell_numbers.h>
#include <millrace/algorithms/three_star/gpu/grid_kernels_gpu.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/even_launch.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/host/scratch_memory.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::MILLRACE_GPU {

// View of a grid for tasks, in device memory.
struct GridView {
  const three_star::Point* points = nullptr;                     // Sorted by cell.
  const three_star::CellGrid::Neighbours* neighbours = nullptr;  // One for each point's cell.
  const three_star::AngleWindows* windows = nullptr;
};

// A CellGrid in device memory.
class DeviceGrid {
 public:
  // Most bytes that are copied to pinned memory first.
  static constexpr std::size_t kMostPinned = std::size_t{16} << 20;

  // Enqueues the work that makes it. There is at least one point; points stay valid until the queue
  // has passed that, and `memory`, of which all is taken, until it has passed all readers of the
  // grid.
  DeviceGrid(Queue& queue, std::span<const three_star::Point> points, std::int32_t radius,
             ScratchMemory& memory, std::size_t most_pinned = kMostPinned)
      : queue_(static_cast<GpuQueue&>(queue)),
        memory_(memory),
        count_(static_cast<std::uint32_t>(points.size())),
        points_(take<three_star::Point>()),
        ids_(take<std::uint32_t>()),
        neighbours_(take<three_star::CellGrid::Neighbours>()),
        windows_(memory.take_array<three_star::AngleWindows>(MemorySpace::kDevice, 1)) {
    auto* const unsorted = take<three_star::Point>();
    const Uploaded uploaded = upload(points, unsorted, most_pinned);
    const three_star::CellNumbers numbers(uploaded.box, radius);
    if (numbers.bits() <= 32) {
      make<std::uint32_t>(numbers, uploaded.points, unsorted);
    } else {
      make<std::uint64_t>(numbers, uploaded.points, unsorted);
    }
  }

  GridView view() const { return {points_, neighbours_, windows_}; }
  std::uint32_t points() const { return count_; }
  // Ids of the points, in device memory.
  const std::uint32_t* ids() const { return ids_; }

 private:
  struct Uploaded {
    const three_star::Point* points;
    three_star::PointBox box;
  };

  template <class T>
  T* take() {
    return memory_.take_array<T>(MemorySpace::kDevice, count_);
  }

  // Returns the points for kernels. A small number of them is in pinned memory, which the host
  // copies them to while it computes their box. For more, threads of the host make the queue's
  // copy.
  Uploaded upload(std::span<const three_star::Point> points, three_star::Point* unsorted,
                  std::size_t most_pinned) {
    if (points.size_bytes() > most_pinned) {
      queue_.copy(unsorted, points.data(), points.size_bytes(), {}, {});
      return {unsorted, three_star::box_of(points)};
    }
    auto* const pinned = memory_.take_array<three_star::Point>(MemorySpace::kPinned, count_);
    return {pinned, three_star::box_of(points, pinned)};
  }

  template <class Key>
  void make(const three_star::CellNumbers& numbers, const three_star::Point* points,
            three_star::Point* unsorted) {
    const radix_sort::DeviceSortSteps& steps = radix_sort::sort_steps_of(queue_);
    constexpr radix_sort::RecordSize kSize = {sizeof(Key), sizeof(std::uint32_t)};
    const radix_sort::Records in = {take<Key>(), take<std::uint32_t>()};
    auto* const keys = take<Key>();
    void* const scratch =
        memory_.take(MemorySpace::kDevice, steps.scratch_bytes(queue_, kSize, count_));
    enqueue_evenly(queue_, "number points", count_,
                   NumberPoints<Key>{.numbers = numbers,
                                     .count = count_,
                                     .points = points,
                                     .unsorted = unsorted,
                                     .keys = static_cast<Key*>(in.keys),
                                     .ids = static_cast<std::uint32_t*>(in.values),
                                     .angle_windows = three_star::kAngleWindows,
                                     .windows = windows_});
    steps.sort(queue_, {.size = kSize,
                        .key_bits = numbers.bits(),
                        .in = {in, count_},
                        .out = {keys, ids_},
                        .scratch = scratch});
    enqueue_evenly(queue_, "arrange points", count_,
                   ArrangePoints<Key>{.numbers = numbers,
                                      .count = count_,
                                      .keys = keys,
                                      .ids = ids_,
                                      .unsorted = unsorted,
                                      .points = points_,
                                      .neighbours = neighbours_});
  }

  GpuQueue& queue_;
  ScratchMemory& memory_;
  const std::uint32_t count_;
  three_star::Point* const points_;
  std::uint32_t* const ids_;
  three_star::CellGrid::Neighbours* const neighbours_;
  three_star::AngleWindows* const windows_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_DEVICE_GRID_GPU_H_
