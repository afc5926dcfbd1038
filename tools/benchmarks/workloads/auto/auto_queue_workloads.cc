// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/auto/auto_runs.h>
#include <millrace/tools/benchmarks/workloads/auto/auto_workloads.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_tasks.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_workloads.h>
#include <millrace/tools/benchmarks/workloads/tasks/queue_runs.h>
#include <millrace/tools/benchmarks/workloads/tasks/tree_workloads.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

constexpr char k300Links[] = "300-links";
constexpr char k1000Links[] = "1000-links";

PreparedWork prepare(const MakeQueue& make, const std::shared_ptr<Device>& device,
                     const std::string& input, std::uint64_t size) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  const QueueWorkload work = make(*queue, input, size);
  const AutoCase one_run = [queue, work](Policy policy) {
    const QueueRun run = work.run({.policy = policy});
    return AutoRun{run.wall_seconds, static_cast<double>(run.tasks), run.policy, run.switches};
  };
  return auto_runs(one_run, device->info().is_simulated ? kSimulatedAutoRuns : AutoRunCounts{});
}

Workload auto_workload(const std::string& name, const std::string& what, const SizeChoice& sizes,
                       const MakeQueue& make) {
  Workload workload = tasks_workload(name, what, sizes, make);
  workload.strategies = {kBestAgain};
  workload.prepare = [make](const std::shared_ptr<Device>& device, const std::string& input,
                            std::uint64_t size) { return prepare(make, device, input, size); };
  return workload;
}

Workload tree() {
  Workload workload = auto_workload("auto-tree", "kAuto on a tree of SIZE elements",
                                    {.cpu = {1u << 14, 1u << 18, 1u << 22, 1u << 25},
                                     .gpu = {1u << 16, 1u << 20, 1u << 24, 1u << 27},
                                     .quick = 1u << 14,
                                     .simulated = 1u << 11},
                                    &make_tree_of);
  workload.inputs = {k16Bytes, k64Bytes, k256Bytes};
  require_power_of_two(workload, 64);
  return workload;
}

Workload read_tree() {
  Workload workload = auto_workload(
      "auto-read-tree", "kAuto on a tree whose leaves read SIZE elements",
      {.cpu = {1u << 23}, .gpu = {1u << 27}, .quick = 1u << 15, .simulated = 1u << 14},
      &make_read_tree_of);
  workload.inputs = leaf_widths();
  require_power_of_two(workload, kLeastReadTree);
  return workload;
}

Workload geo() {
  Workload workload =
      auto_workload("auto-geo", "kAuto on an unbalanced tree of SIZE levels",
                    {.cpu = {5, 8, 11}, .gpu = {8, 11, 14}, .quick = 5, .simulated = 4},
                    [](Queue& queue, const std::string&, std::uint64_t levels) {
                      QueueSizes sizes = kSmallSizes;
                      sizes.geo_levels = levels;
                      return make_geo(queue, sizes);
                    });
  workload.size_rule = "is 1 to 15";
  workload.is_size = [](std::uint64_t size) { return size <= GeoNode::kLevels; };
  return workload;
}

Workload bin() {
  return auto_workload("auto-bin", "kAuto on binomial trees from SIZE roots",
                       {.cpu = {100, 2000}, .gpu = {100, 2000}, .quick = 100, .simulated = 20},
                       [](Queue& queue, const std::string&, std::uint64_t roots) {
                         QueueSizes sizes = kSmallSizes;
                         sizes.bin_roots = roots;
                         return make_bin(queue, sizes);
                       });
}

Workload chains() {
  Workload workload =
      auto_workload("auto-chains", "kAuto on SIZE chains of tasks, each of which spawns the next",
                    {.cpu = {64, 1024, 4096}, .gpu = {64, 1024, 4096}, .quick = 64, .simulated = 2},
                    [](Queue& queue, const std::string& links, std::uint64_t chains) {
                      QueueSizes sizes = kSmallSizes;
                      sizes.chains = static_cast<std::uint32_t>(chains);
                      sizes.links = links == k1000Links ? 1000 : 300;
                      return make_chains(queue, sizes);
                    });
  workload.inputs = {k300Links, k1000Links};
  workload.size_rule = "is at most 1000000";
  workload.is_size = [](std::uint64_t size) { return size <= 1'000'000; };
  return workload;
}

Workload flat() {
  return auto_workload("auto-flat", "kAuto on a flat queue that sums SIZE items of 16 bytes",
                       {.cpu = {5'000, 200'000, 16'000'000},
                        .gpu = {5'000, 200'000, 16'000'000},
                        .quick = 5'000,
                        .simulated = 1'000},
                       [](Queue& queue, const std::string&, std::uint64_t count) {
                         return FlatItems(queue, count).tasks();
                       });
}

Workload copies() {
  return auto_workload(
      "auto-copies", "kAuto on a flat queue of two types that copies SIZE pieces of 512 B",
      {.cpu = {20'000, 500'000}, .gpu = {20'000, 500'000}, .quick = 2'000, .simulated = 50},
      [](Queue& queue, const std::string&, std::uint64_t count) {
        return CopyPieces(queue, count).tasks();
      });
}

Workload one_task() {
  Workload workload = auto_workload(
      "auto-one-task", "kAuto on a run of one empty task",
      {.cpu = {1}, .gpu = {1}, .quick = 1, .simulated = 1},
      [](Queue& queue, const std::string&, std::uint64_t) { return make_nothing(queue, 1); });
  workload.size_rule.clear();
  return workload;
}

}  // namespace

std::vector<Workload> auto_queue_workloads() {
  return {tree(), read_tree(), geo(), bin(), chains(), flat(), copies(), one_task()};
}

}  // namespace millrace::tools
