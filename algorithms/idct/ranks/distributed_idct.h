// SPDX-License-Identifier: Apache-2.0

// The inverse transform over ranks. Macroblocks are independent, so each rank transforms its own,
// for example those of its frames. Only the end of a call is collective.
//
//   DistributedQueue ranks{world_communicator(), *queue};
//   inverse_transform(ranks, my_macroblocks, my_residual);
#ifndef MILLRACE_ALGORITHMS_IDCT_RANKS_DISTRIBUTED_IDCT_H_
#define MILLRACE_ALGORITHMS_IDCT_RANKS_DISTRIBUTED_IDCT_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstdint>

namespace millrace::idct {

// Collective. As the functions of idct.h, from this rank's macroblocks to this rank's residual or
// plane; a rank may have none. All options except `stop` are the same on all ranks. The report has
// the sums of all ranks' macroblocks, waves and steals, the seconds of the slowest rank and the
// policy of the first rank that had macroblocks; it is kAuto if none had. Throws on all ranks
// alike: what idct.h throws on one of them, kInvalidArgument with the name of an option that
// differs, kUnsupported for keep_unfinished.
RunReport inverse_transform(const DistributedQueue& ranks, const MacroblockQueue& macroblocks,
                            std::int16_t* residual, const RunOptions& options = {});
RunReport inverse_transform_host(const DistributedQueue& ranks, const MacroblockQueue& macroblocks,
                                 std::int16_t* residual, const RunOptions& options = {});
RunReport reconstruct(const DistributedQueue& ranks, const MacroblockQueue& macroblocks,
                      ConstPlane prediction, Plane output, const RunOptions& options = {});

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_RANKS_DISTRIBUTED_IDCT_H_
