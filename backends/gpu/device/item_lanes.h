// SPDX-License-Identifier: Apache-2.0

// The lanes of an item on a GPU: the part of its Context that depends on the width alone.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_ITEM_LANES_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_ITEM_LANES_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/task.h>

namespace millrace::MILLRACE_GPU {

template <TaskWidth kWidth>
struct ItemLanes {
  using Lanes = ItemLanes;

#if defined(__HIP_PLATFORM_AMD__)
  static constexpr bool kMaySyncDiverged = false;
#else
  static constexpr bool kMaySyncDiverged = true;
#endif

  MILLRACE_FUNCTION static int lane() {
    if constexpr (kWidth == TaskWidth::kLane)
      return 0;
    else if constexpr (kWidth == TaskWidth::kWarp)
      return lane_index();
    else
      return thread_index();
  }
  MILLRACE_FUNCTION static int lanes() {
    if constexpr (kWidth == TaskWidth::kLane)
      return 1;
    else if constexpr (kWidth == TaskWidth::kWarp)
      return warp_width();
    else
      return block_threads();
  }
  MILLRACE_FUNCTION static void sync() {
    if constexpr (kWidth == TaskWidth::kWarp) sync_warp();
    if constexpr (kWidth == TaskWidth::kBlock) sync_block();
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_ITEM_LANES_H_
