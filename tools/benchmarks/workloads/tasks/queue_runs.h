// SPDX-License-Identifier: Apache-2.0

// Queues of tasks (queue_workloads.h) as workloads: each policy is a run, which checks itself.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_QUEUE_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_QUEUE_RUNS_H_

#include <millrace/tools/benchmarks/workloads/queues/queue_workloads.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace millrace::tools {

// A run of `work`, which uses `queue`. Each task counts, a tree's inner nodes too. `bytes` are
// those that it reads and writes where memory bounds it; 0 where the number of tasks does.
WorkRun queue_run(const std::shared_ptr<Queue>& queue, const QueueWorkload& work,
                  const RunOptions& options, double bytes = 0);

// A run for each policy, kAuto included.
PreparedWork under_policies(const std::shared_ptr<Queue>& queue, const QueueWorkload& work,
                            double bytes = 0);

// A run of `work` by something else than tasks.
WorkRun peer_run(const std::shared_ptr<Queue>& queue, const QueueWorkload& work,
                 const std::string& name, double bytes);

using MakeQueue =
    std::function<QueueWorkload(Queue& queue, const std::string& input, std::uint64_t size)>;

// Runs what `make` makes under all policies, of sizes up to a billion.
Workload tasks_workload(const std::string& name, const std::string& what, const SizeChoice& sizes,
                        const MakeQueue& make);

// Sets the workload's rule for sizes: powers of two from `least` on, up to 2^31.
void require_power_of_two(Workload& workload, std::uint64_t least);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_QUEUE_RUNS_H_
