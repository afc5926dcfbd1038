// SPDX-License-Identifier: Apache-2.0

// What a backend has to have for idct_strategies.h.
#ifndef MILLRACE_ALGORITHMS_IDCT_PAPER_IDCT_STRATEGIES_OP_H_
#define MILLRACE_ALGORITHMS_IDCT_PAPER_IDCT_STRATEGIES_OP_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/algorithms/idct/paper/idct_strategies.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

// The macroblocks that a kernel is for.
enum class KernelTypes : std::uint8_t { k4x4, k8x8, kMixed };

// How many threads a kernel has.
enum class KernelGrid : std::uint8_t {
  kOneForEachItem,  // Whatever the device.
  kResident,        // At most as many as the device holds at once.
};

// Where a texture may begin: at multiples of so many bytes, on every GPU.
inline constexpr std::size_t kTextureAlignment = 512;

// One kernel, over arguments of inverse_transform_with(); `macroblocks.sizes` is read for kMixed.
struct KernelLaunch {
  Access access;
  KernelTypes types;
  KernelGrid grid;
  MacroblockQueue macroblocks;
  std::int16_t* residual;
};

// Enqueues it, unless there are no macroblocks; with Access::kSharedTexture throws kUnsupported in
// either case where the device has no textures.
struct LaunchKernelOp {
  using Function = void(Queue&, const KernelLaunch&);
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_PAPER_IDCT_STRATEGIES_OP_H_
