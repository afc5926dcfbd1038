// SPDX-License-Identifier: Apache-2.0

// The kernels that put points in the order of cells, before and after a sort by the cells' numbers.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_GRID_KERNELS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_GRID_KERNELS_GPU_H_

#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/cell_numbers.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/backends/gpu/api.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Calls work(i) for this thread's portion of 0 to count - 1.
template <class Work>
MILLRACE_FUNCTION void for_each_of_grid(std::uint32_t count, const Work& work) {
  const std::size_t threads = static_cast<std::size_t>(grid_blocks()) * block_threads();
  const std::size_t own =
      static_cast<std::size_t>(block_index()) * block_threads() + thread_index();
  for (std::size_t i = own; i < count; i += threads) work(static_cast<std::uint32_t>(i));
}

// Computes each point's cell, and writes the windows. Key is std::uint32_t or std::uint64_t, as the
// numbers of cells need.
template <class Key>
struct NumberPoints {
  static constexpr int kMaxThreads = 256;
  static constexpr int kTargetBlocks = 4;

  three_star::CellNumbers numbers;
  std::uint32_t count;
  const three_star::Point* points;  // Pinned memory, or the same as `unsorted`.
  three_star::Point* unsorted;
  Key* keys;
  std::uint32_t* ids;
  three_star::AngleWindows angle_windows;
  three_star::AngleWindows* windows;

  MILLRACE_FUNCTION void operator()() const {
    for_each_of_grid(count, [this](std::uint32_t i) {
      const three_star::Point point = points[i];
      if (points != unsorted) unsorted[i] = point;
      keys[i] = static_cast<Key>(numbers.number(point));
      ids[i] = i;
    });
    for_each_of_grid(three_star::kBuckets, [this](std::uint32_t bucket) {
      windows->first[bucket] = angle_windows.first[bucket];
      windows->end[bucket] = angle_windows.end[bucket];
    });
  }
};

// Puts the points into the order of their sorted keys, and finds each one's neighbours.
template <class Key>
struct ArrangePoints {
  static constexpr int kMaxThreads = 256;
  static constexpr int kTargetBlocks = 4;

  three_star::CellNumbers numbers;
  std::uint32_t count;
  const Key* keys;
  const std::uint32_t* ids;
  const three_star::Point* unsorted;
  three_star::Point* points;
  three_star::CellGrid::Neighbours* neighbours;

  MILLRACE_FUNCTION void operator()() const {
    for_each_of_grid(count, [this](std::uint32_t index) {
      const three_star::Point point = unsorted[ids[index]];
      points[index] = point;
      const std::uint64_t column = numbers.column(point);
      const Key key = keys[index];
      const Key first = column > 0 ? key - 1 : key;
      const Key last = column + 1 < numbers.columns() ? key + 1 : key;
      three_star::CellGrid::Neighbours near{range(first, last), {}};
      if (numbers.row(point) + 1 < numbers.rows()) {
        const auto row = static_cast<Key>(numbers.columns());
        near.above = range(first + row, last + row);
      }
      neighbours[index] = near;
    });
  }

 private:
  // Returns the points of cells `first` to `last`.
  MILLRACE_FUNCTION three_star::IndexRange range(Key first, Key last) const {
    const three_star::IndexRange found = {first == 0 ? 0 : behind(first - 1), behind(last)};
    return found.size() == 0 ? three_star::IndexRange{} : found;
  }

  // Returns the number of points with a key of at most `key`.
  MILLRACE_FUNCTION std::uint32_t behind(Key key) const {
    std::uint32_t begin = 0;
    std::uint32_t end = count;
    while (begin < end) {
      const std::uint32_t middle = begin + (end - begin) / 2;
      if (keys[middle] <= key) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_GRID_KERNELS_GPU_H_
