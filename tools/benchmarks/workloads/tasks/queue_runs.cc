// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/tasks/queue_runs.h>

#include <bit>

namespace millrace::tools {
namespace {

// A flat queue is bounded by what it reads, others by how many tasks there can be at all.
RunAmount amount_of(const QueueRun& run, double bytes) {
  RunAmount amount{.items = static_cast<double>(run.tasks), .bytes = bytes};
  amount.limit = bytes > 0 ? copy_limit_of(bytes) : run.tasks > 1 ? kTaskLimit : kLaunchLimit;
  if (run.waves > 0) amount.values["waves"] = static_cast<double>(run.waves);
  return amount;
}

}  // namespace

WorkRun queue_run(const std::shared_ptr<Queue>& queue, const QueueWorkload& work,
                  const RunOptions& options, double bytes) {
  return {.policy = to_string(options.policy),
          .check = [=] { return amount_of(work.run(options), bytes); },
          .run = [queue, work, options] { return work.run(options).wall_seconds; }};
}

PreparedWork under_policies(const std::shared_ptr<Queue>& queue, const QueueWorkload& work,
                            double bytes) {
  PreparedWork prepared;
  for (const Policy policy : kAllPolicies) {
    prepared.runs.push_back(queue_run(queue, work, {.policy = policy}, bytes));
  }
  return prepared;
}

WorkRun peer_run(const std::shared_ptr<Queue>& queue, const QueueWorkload& work,
                 const std::string& name, double bytes) {
  WorkRun peer = queue_run(queue, work, {}, bytes);
  peer.policy.clear();
  peer.peer = name;
  return peer;
}

Workload tasks_workload(const std::string& name, const std::string& what, const SizeChoice& sizes,
                        const MakeQueue& make) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "tasks";
  workload.sizes = sizes;
  workload.size_rule = "is at most 1000000000";
  workload.is_size = [](std::uint64_t size) { return size <= 1'000'000'000; };
  workload.prepare = [make](const std::shared_ptr<Device>& device, const std::string& input,
                            std::uint64_t size) {
    const std::shared_ptr<Queue> queue = device->make_queue();
    return under_policies(queue, make(*queue, input, size));
  };
  return workload;
}

void require_power_of_two(Workload& workload, std::uint64_t least) {
  workload.size_rule = "is a power of two from " + std::to_string(least) + " to 2^31";
  workload.is_size = [least](std::uint64_t size) {
    return std::has_single_bit(size) && size >= least && size <= std::uint64_t{1} << 31;
  };
}

}  // namespace millrace::tools
