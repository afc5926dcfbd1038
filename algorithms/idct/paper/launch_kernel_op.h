// SPDX-License-Identifier: Apache-2.0

// The operation that a backend implements for idct_strategies.h.
#ifndef MILLRACE_ALGORITHMS_IDCT_PAPER_LAUNCH_KERNEL_OP_H_
#define MILLRACE_ALGORITHMS_IDCT_PAPER_LAUNCH_KERNEL_OP_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/algorithms/idct/paper/idct_strategies.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

// The types of macroblock that a kernel transforms.
enum class KernelTypes : std::uint8_t { k4x4, k8x8, kMixed };

// The number of threads of a kernel.
enum class KernelGrid : std::uint8_t {
  kOneForEachItem,  // One per item, on any device.
  kResident,        // At most as many as the device holds at once.
};

// Alignment, in bytes, of a texture's first element on every GPU.
inline constexpr std::size_t kTextureAlignment = 512;

// Arguments of one kernel, as of inverse_transform_with(); `macroblocks.sizes` is read for kMixed
// only.
struct KernelLaunch {
  Access access;
  KernelTypes types;
  KernelGrid grid;
  MacroblockQueue macroblocks;
  std::int16_t* residual;
};

// Enqueues a kernel unless there are no macroblocks. With Access::kSharedTexture throws
// kUnsupported in either case if the device has no textures.
struct LaunchKernelOp {
  using Function = void(Queue&, const KernelLaunch&);
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_PAPER_LAUNCH_KERNEL_OP_H_
