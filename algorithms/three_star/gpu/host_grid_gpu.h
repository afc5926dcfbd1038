// SPDX-License-Identifier: Apache-2.0

// Makes the grid by which the host reads chunks, in the order that a device has found.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_HOST_GRID_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_HOST_GRID_GPU_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/gpu/record_ranges_gpu.h>
#include <millrace/runtime/core/event.h>

#include <cstdint>
#include <span>

namespace millrace::MILLRACE_GPU {

class HostGrid {
 public:
  // Enqueues the copy of the order. `input` outlives this object.
  explicit HostGrid(const StreamInput& input)
      : input_(input),
        ids_(input.memory.take_array<std::uint32_t>(MemorySpace::kPinned,
                                                    input.on_device.points())) {
    input.queue.copy(ids_, input.on_device.ids(), input.on_device.points() * sizeof(std::uint32_t));
    has_ids_ = input.queue.record();
  }

  // Waits for that copy alone.
  three_star::CellGrid make() const {
    has_ids_.wait();
    if (input_.queue.has_failed()) input_.queue.wait();  // Throws the reason.
    return three_star::CellGrid(input_.points, input_.options.radius,
                                std::span(ids_, input_.on_device.points()));
  }

 private:
  const StreamInput& input_;
  std::uint32_t* const ids_;
  Event has_ids_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_HOST_GRID_GPU_H_
