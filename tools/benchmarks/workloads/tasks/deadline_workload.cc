// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/queues/queue_tasks.h>
#include <millrace/tools/benchmarks/workloads/tasks/deadline_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/queue_runs.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

constexpr char kTree[] = "tree";
constexpr char kChains[] = "chains";
constexpr char kFlat[] = "flat";
constexpr char kNoDeadline[] = "no-deadline";
constexpr char kFarDeadline[] = "far-deadline";

// Makes a queue of about `tasks` tasks.
QueueWorkload make_queue(Queue& queue, const std::string& shape, std::uint64_t tasks) {
  if (shape == kFlat) return FlatItems(queue, tasks).tasks();
  if (shape == kChains) {
    QueueSizes sizes = kFullSizes;
    sizes.links = 200;
    sizes.chains = static_cast<std::uint32_t>(std::max<std::uint64_t>(tasks / sizes.links, 1));
    return make_chains(queue, sizes);
  }
  // A tree has as many inner nodes as leaves, but for one.
  const std::uint64_t leaves = std::bit_ceil(tasks) / 2;
  return make_tree<16>(
      queue, static_cast<std::uint32_t>(kLeafElements * std::max<std::uint64_t>(leaves, 1)));
}

PreparedWork prepare_deadlines(const std::shared_ptr<Device>& device, const std::string& shape,
                               std::uint64_t tasks) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  const QueueWorkload work = make_queue(*queue, shape, tasks);
  PreparedWork prepared;
  for (const Policy policy : kConcretePolicies) {
    prepared.runs.push_back(queue_run(queue, work, {.policy = policy}));
    prepared.runs.back().strategy = kNoDeadline;
    prepared.runs.push_back(
        queue_run(queue, work, {.policy = policy, .deadline = std::chrono::hours(1)}));
    prepared.runs.back().strategy = kFarDeadline;
  }
  return prepared;
}

}  // namespace

std::vector<Workload> deadline_workloads() {
  Workload workload;
  workload.name = "tasks-deadline";
  workload.what = "about SIZE tasks, without a deadline and with one that is never reached";
  workload.item_name = "tasks";
  workload.inputs = {kTree, kChains, kFlat};
  workload.strategies = {kNoDeadline, kFarDeadline};
  workload.sizes =
      SizeChoice{.cpu = {1'000'000}, .gpu = {4'000'000}, .quick = 100'000, .simulated = 400};
  workload.size_rule = "is at most 50000000";
  workload.is_size = [](std::uint64_t size) { return size <= 50'000'000; };
  workload.prepare = &prepare_deadlines;
  return {workload};
}

}  // namespace millrace::tools
