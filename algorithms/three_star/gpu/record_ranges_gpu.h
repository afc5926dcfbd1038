// SPDX-License-Identifier: Apache-2.0

// The ranges of a search's records, each of which fits into a chunk, and what their search needs.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_RANGES_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_RANGES_GPU_H_

#include <millrace/algorithms/three_star/gpu/device_grid_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_plan_gpu.h>
#include <millrace/algorithms/three_star/search_range.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/host/scratch_memory.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::MILLRACE_GPU {

// Records of adjacent corners.
struct RecordRange {
  RecordStart start;
  RecordStart end;

  std::uint32_t corners() const { return end.corner - start.corner; }
  std::uint32_t records() const { return end.records - start.records; }
  std::uint64_t record_bytes() const { return end.bytes - start.bytes; }
};

// Input of a search; all of it outlives the enqueued work.
struct StreamInput {
  Queue& queue;
  std::span<const three_star::Point> points;
  const DeviceGrid& on_device;            // Grid of the points on the queue's device.
  const three_star::SearchRange& wanted;  // One or more corners.
  const three_star::SearchOptions& options;
  ScratchMemory& memory;  // Memory of that device.
};

struct RecordRanges {
  std::vector<RecordRange> ranges;             // Ranges that have records.
  const RecordPosition* positions = nullptr;   // One for each corner, in device memory.
  std::vector<std::uint32_t> large_corners{};  // Their neighbours do not fit in a task's memory.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_RANGES_GPU_H_
