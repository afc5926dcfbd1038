// SPDX-License-Identifier: Apache-2.0

// The paper's own strategies for the inverse transform on a GPU, beside the runtime's policies
// (idct.h): Chen, Wang, Zhuang and Liu, "Parallel Algorithm of IDCT with GPUs and CUDA for
// Large-scale Video Quality of 3G", sections III.B to III.D. On devices other than GPUs all
// functions throw kUnsupported.
//
//   PaperTimes times;
//   inverse_transform_paper(*queue, PaperAlgorithm::kUberkernel, Access::kShared, macroblocks,
//                           residual, &times);
#ifndef MILLRACE_ALGORITHMS_IDCT_PAPER_IDCT_STRATEGIES_H_
#define MILLRACE_ALGORITHMS_IDCT_PAPER_IDCT_STRATEGIES_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

// The memory through which a kernel reads its macroblocks (section III.D: GM, SM, SM+Tex).
enum class Access : std::uint8_t {
  kGlobal,         // A thread per 4x4 or 8x8 block reads and writes rows in global memory.
  kShared,         // A warp per macroblock, which it stages in shared memory.
  kSharedTexture,  // Differs from kShared: reads the coefficients through a 2-D texture.
};

inline constexpr Access kAccesses[] = {Access::kGlobal, Access::kShared, Access::kSharedTexture};

enum class PaperAlgorithm : std::uint8_t {
  kPersistent,  // Section III.B: for each type gather, upload, a kernel, download, scatter.
  kUberkernel,  // Section III.C: upload all and a flag array, one kernel, download.
};

inline constexpr PaperAlgorithm kPaperAlgorithms[] = {PaperAlgorithm::kPersistent,
                                                      PaperAlgorithm::kUberkernel};

// Returns "global", "shared", "shared+texture"; "persistent", "uberkernel".
const char* to_string(Access access);
const char* to_string(PaperAlgorithm algorithm);

// Seconds of the host's clock per phase; with kPersistent the sums of both passes.
struct PaperTimes {
  double gather = 0;
  double upload = 0;
  double kernel = 0;
  double download = 0;
  double scatter = 0;

  double total() const { return gather + upload + kernel + download + scatter; }
};

// Transforms macroblocks in host memory with the strategy of the paper; `residual`, 256 samples
// each, is host memory too and overlaps no input. Allocates device memory for one pass and frees
// it. Throws kInvalidArgument for null or overlapping arrays or an unknown size, and, even if there
// are no macroblocks, kUnsupported for Access::kSharedTexture on a device without textures.
void inverse_transform_paper(Queue& queue, PaperAlgorithm algorithm, Access access,
                             const MacroblockQueue& macroblocks, std::int16_t* residual,
                             PaperTimes* times = nullptr);

// Transforms macroblocks in device memory with one kernel over the mixed queue, with as many blocks
// as the device holds at once. Otherwise as inverse_transform(), but the addresses of coefficients
// and residual are multiples of 16, with Access::kSharedTexture that of the coefficients a multiple
// of 512, and an unknown size is treated as k8x8.
void inverse_transform_with(Queue& queue, Access access, const MacroblockQueue& macroblocks,
                            std::int16_t* residual);

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_PAPER_IDCT_STRATEGIES_H_
