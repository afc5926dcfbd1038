// SPDX-License-Identifier: Apache-2.0

// The H.264 inverse transform of a queue of macroblocks of two types in random order: the task of
// Chen, Wang, Zhuang and Liu, "Parallel Algorithm of IDCT with GPUs and CUDA for Large-scale Video
// Quality of 3G", section III.A.
//
//   const MacroblockQueue macroblocks{sizes, coefficients, count};
//   inverse_transform(*queue, macroblocks, residual, {.policy = Policy::kUberkernel});
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstdint>

namespace millrace::idct {

// Waits for all work in `queue`, then writes the 256 residual samples of macroblock m to residual +
// 256 * m: the residual process of ITU-T H.264 clauses 8.5.12.2 and 8.5.13, with every intermediate
// value wrapping at 16 bits. The result is the same to the bit on every backend and policy.
// `residual` is device memory and overlaps no input. The report counts the 4x4 and then the 8x8
// macroblocks. Throws kInvalidArgument for null or overlapping arrays or an unknown size, and what
// run_tasks throws.
RunReport inverse_transform(Queue& queue, const MacroblockQueue& macroblocks,
                            std::int16_t* residual, const RunOptions& options = {});

// Does the same as inverse_transform(), from host memory to host memory. On devices with memory of
// their own it allocates device memory for all macroblocks and frees it before it returns; to bound
// that amount, call it for ranges of the queue.
RunReport inverse_transform_host(Queue& queue, const MacroblockQueue& macroblocks,
                                 std::int16_t* residual, const RunOptions& options = {});

// As inverse_transform(), but writes macroblock m, counted in raster order, of `output` as
// clip255(prediction + residual). Both planes are device memory, have the same width and hold at
// least `count` macroblocks; `output` is the plane of `prediction` or does not overlap it, and
// overlaps no other input.
RunReport reconstruct(Queue& queue, const MacroblockQueue& macroblocks, ConstPlane prediction,
                      Plane output, const RunOptions& options = {});

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_H_
