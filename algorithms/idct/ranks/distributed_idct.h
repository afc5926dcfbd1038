// SPDX-License-Identifier: Apache-2.0

// The inverse transform over ranks. Macroblocks need nothing of each other, so each rank transforms
// its own, such as those of its frames, and what is collective is how the calls end.
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

// Collective. As the calls of idct.h, of this rank's macroblocks to this rank's residual or plane;
// a rank may have none. Options but for `stop` are the same on all ranks. The report counts all
// ranks' macroblocks, waves and steals, and has the seconds of the slowest and the policy of the
// first that had macroblocks; kAuto may be left where none had. Throws on all ranks alike: what
// those throw on one, kInvalidArgument with the name of an option that differs, kUnsupported for
// keep_unfinished.
RunReport inverse_transform(const DistributedQueue& ranks, const MacroblockQueue& macroblocks,
                            std::int16_t* residual, const RunOptions& options = {});
RunReport inverse_transform_host(const DistributedQueue& ranks, const MacroblockQueue& macroblocks,
                                 std::int16_t* residual, const RunOptions& options = {});
RunReport reconstruct(const DistributedQueue& ranks, const MacroblockQueue& macroblocks,
                      ConstPlane prediction, Plane output, const RunOptions& options = {});

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_RANKS_DISTRIBUTED_IDCT_H_
