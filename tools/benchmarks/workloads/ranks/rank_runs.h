// SPDX-License-Identifier: Apache-2.0

// A job that ranks share, run by one to all of them.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RANKS_RANK_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RANKS_RANK_RUNS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// A rank's portion of a job.
struct RankJob {
  double items = 0;  // Items of all ranks.

  // Collective over the ranks of the job.
  std::function<void(const DistributedQueue&)> run;

  // Throws kInternal where this rank's result of the last run is wrong. Not collective.
  std::function<void()> check;
};

// Makes the portion of rank `rank` of a job of `ranks` ranks. Not collective.
using MakeRankJob = std::function<RankJob(unsigned ranks, unsigned rank)>;

// Collective. Returns a run for 1, 2, 4 ... of the ranks, and one for all.
std::vector<WorkRun> rank_runs(const RankWorld& ranks, const std::shared_ptr<Device>& device,
                               const MakeRankJob& make);

// Returns the names of strategies for any number of ranks: "1 rank", "2 ranks", ..., "all ranks".
std::vector<std::string> rank_strategies();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RANKS_RANK_RUNS_H_
