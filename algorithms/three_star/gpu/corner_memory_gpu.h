// SPDX-License-Identifier: Apache-2.0

// Memory of a search by corners (corner_tasks_gpu.h) on the device, and its results.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_MEMORY_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_MEMORY_GPU_H_

#include <millrace/algorithms/three_star/gpu/corner_search_gpu.h>
#include <millrace/algorithms/three_star/gpu/device_grid_gpu.h>
#include <millrace/backends/gpu/api.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Results of a search so far.
struct CornerCounts {
  std::uint64_t three_stars = 0;
  std::uint64_t pairs = 0;
  std::uint64_t storage_used = 0;  // Bytes requested; more than the capacity if corners were left.
  std::uint32_t left = 0;          // Corners that were left.
};

// Arguments of all tasks of a search, in device memory.
struct CornerMemory {
  Reach reach;
  GridView grid{};
  CornerCounts* counts = nullptr;

  // Memory for neighbours that do not fit into shared memory; corners that find none are left.
  std::byte* storage = nullptr;
  std::uint64_t storage_size = 0;
  std::uint32_t* left = nullptr;

  // The lowest corners; null: those from `first` on.
  const std::uint32_t* corners = nullptr;
  std::uint32_t first = 0;

  MILLRACE_FUNCTION std::uint32_t corner(std::size_t index) const {
    return corners == nullptr ? first + static_cast<std::uint32_t>(index) : corners[index];
  }

  // Returns memory for this many bytes, for all lanes of a warp, which all call; null if there is
  // none.
  MILLRACE_FUNCTION std::byte* take_storage(std::uint64_t bytes) const {
    std::uint64_t offset = 0;
    if (lane_index() == 0) {
      offset = atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&counts->storage_used, bytes);
    }
    offset = shuffle(offset, 0);
    return offset + bytes > storage_size ? nullptr : storage + offset;
  }

  // Leaves a corner for another run. One lane calls.
  MILLRACE_FUNCTION void leave(std::uint32_t corner) const {
    left[atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&counts->left, 1u)] = corner;
  }
};

// Arguments and results of a run: on the host and, copied, on the device.
struct CornerRunState {
  CornerCounts counts;
  CornerMemory memory;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_MEMORY_GPU_H_
