// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/queues/queue_tasks.h>
#include <millrace/tools/benchmarks/workloads/tasks/queue_runs.h>
#include <millrace/tools/benchmarks/workloads/tasks/task_workloads.h>

#include <string>

namespace millrace::tools {
namespace {

Workload tree_workload() {
  Workload workload =
      tasks_workload("tasks-tree", "a sum of SIZE elements, halved down to 64",
                     {.cpu = {1u << 20, 1u << 24},
                      .gpu = {1u << 20, 1u << 24, 1u << 27},
                      .quick = 1u << 22,
                      .simulated = 1u << 12},
                     [](Queue& queue, const std::string&, std::uint64_t size) {
                       return make_tree<16>(queue, static_cast<std::uint32_t>(size));
                     });
  require_power_of_two(workload, 64);
  return workload;
}

Workload geo_workload() {
  Workload workload =
      tasks_workload("tasks-geo", "an unbalanced tree of SIZE levels",
                     {.cpu = {10, 14}, .gpu = {10, 14}, .quick = 11, .simulated = 5},
                     [](Queue& queue, const std::string&, std::uint64_t size) {
                       QueueSizes sizes = kFullSizes;
                       sizes.geo_levels = size;
                       return make_geo(queue, sizes);
                     });
  workload.size_rule = "is 1 to 15";
  workload.is_size = [](std::uint64_t size) { return size <= GeoNode::kLevels; };
  return workload;
}

Workload bin_workload() {
  return tasks_workload("tasks-bin", "binomial trees from SIZE roots",
                        {.cpu = {500, 2000}, .gpu = {500, 2000}, .quick = 200, .simulated = 40},
                        [](Queue& queue, const std::string&, std::uint64_t size) {
                          QueueSizes sizes = kFullSizes;
                          sizes.bin_roots = size;
                          return make_bin(queue, sizes);
                        });
}

Workload calls_workload() {
  constexpr std::uint64_t kMost = 45;  // 3.7 billion tasks.
  Workload workload = tasks_workload(
      "tasks-calls",
      "the calls of Fibonacci number SIZE, which are only counted: of 40, 331,160,281",
      {.cpu = {24, 30}, .gpu = {30, 40}, .quick = 20, .simulated = 10},
      [](Queue& queue, const std::string&, std::uint64_t size) {
        return make_calls(queue, static_cast<std::uint32_t>(size));
      });
  workload.size_rule = "is 0 to 45";
  workload.is_size = [](std::uint64_t size) { return size <= kMost; };
  return workload;
}

Workload chains_workload() {
  return tasks_workload("tasks-chains", "SIZE chains of 200 tasks, each of which spawns the next",
                        {.cpu = {64, 4096}, .gpu = {64, 4096}, .quick = 256, .simulated = 2},
                        [](Queue& queue, const std::string&, std::uint64_t size) {
                          QueueSizes sizes = kFullSizes;
                          sizes.chains = static_cast<std::uint32_t>(size);
                          sizes.links = 200;
                          return make_chains(queue, sizes);
                        });
}

Workload flat_workload() {
  constexpr double kItemBytes = 16;
  Workload workload = tasks_workload("tasks-flat", "a flat queue that sums SIZE items of 16 bytes",
                                     {.cpu = {100'000, 16'000'000},
                                      .gpu = {100'000, 16'000'000},
                                      .quick = 1'000'000,
                                      .simulated = 2000},
                                     {});
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    const std::shared_ptr<Queue> queue = device->make_queue();
    const FlatItems items(*queue, size);
    const double bytes = kItemBytes * static_cast<double>(size);
    PreparedWork prepared = under_policies(queue, items.tasks(), bytes);
    if (!device->info().shares_host_memory) {
      prepared.runs.push_back(peer_run(queue, items.loop(), "static loop", bytes));
    }
    return prepared;
  };
  return workload;
}

Workload copies_workload() {
  Workload workload = tasks_workload(
      "tasks-copies", "a flat queue of two types that copies SIZE pieces of 512 B",
      {.cpu = {10'000, 200'000}, .gpu = {10'000, 1'000'000}, .quick = 50'000, .simulated = 100},
      {});
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    const std::shared_ptr<Queue> queue = device->make_queue();
    const CopyPieces pieces(*queue, size);
    const double bytes = 2 * static_cast<double>(pieces.bytes());
    PreparedWork prepared = under_policies(queue, pieces.tasks(), bytes);
    prepared.runs.push_back(peer_run(queue, pieces.copy(), "Queue::copy", bytes));
    return prepared;
  };
  return workload;
}

Workload nothing_workload(const std::string& name, const std::string& what, int tasks) {
  const auto size = static_cast<std::uint64_t>(tasks);
  Workload workload =
      tasks_workload(name, what, {.cpu = {size}, .gpu = {size}, .quick = size, .simulated = size},
                     [tasks](Queue& queue, const std::string&, std::uint64_t) {
                       return make_nothing(queue, tasks);
                     });
  workload.size_rule.clear();
  return workload;
}

}  // namespace

std::vector<Workload> task_workloads() {
  return {tree_workload(),
          geo_workload(),
          bin_workload(),
          calls_workload(),
          chains_workload(),
          flat_workload(),
          copies_workload(),
          nothing_workload("micro-empty", "a run without a task", 0),
          nothing_workload("micro-one-task", "a run of one empty task", 1)};
}

}  // namespace millrace::tools
