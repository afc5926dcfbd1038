// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/tasks/queue_runs.h>
#include <millrace/tools/benchmarks/workloads/tasks/tree_workloads.h>

#include <memory>

namespace millrace::tools {
namespace {

constexpr char kLane[] = "lane";
constexpr char kWarp[] = "warp";
constexpr char kBlock[] = "block";

Workload large_tree_workload() {
  Workload workload = tasks_workload(
      "tasks-large-tree", "the tree of tasks-tree of SIZE elements, with tasks of 32 to 256 bytes",
      {.cpu = {1u << 24}, .gpu = {1u << 24}, .quick = 1u << 18, .simulated = 1u << 12},
      &make_tree_of);
  workload.inputs = {k32Bytes, k64Bytes, k256Bytes};
  require_power_of_two(workload, 64);
  return workload;
}

Workload read_tree_workload() {
  Workload workload;
  workload.name = "tasks-read-tree";
  workload.what = "a sum of SIZE elements in memory, read by leaves of a width";
  workload.item_name = "tasks";
  workload.inputs = leaf_widths();
  workload.sizes =
      SizeChoice{.cpu = {1u << 24}, .gpu = {1u << 27}, .quick = 1u << 20, .simulated = 1u << 15};
  require_power_of_two(workload, kLeastReadTree);
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& leaf_width,
                        std::uint64_t elements) {
    const std::shared_ptr<Queue> queue = device->make_queue();
    const double bytes = sizeof(std::uint32_t) * static_cast<double>(elements);
    return under_policies(queue, make_read_tree_of(*queue, leaf_width, elements), bytes);
  };
  return workload;
}

}  // namespace

std::vector<std::string> leaf_widths() { return {kLane, kWarp, kBlock}; }

QueueWorkload make_tree_of(Queue& queue, const std::string& task_bytes, std::uint64_t elements) {
  const auto count = static_cast<std::uint32_t>(elements);
  if (task_bytes == k32Bytes) return make_tree<32>(queue, count);
  if (task_bytes == k64Bytes) return make_tree<64>(queue, count);
  if (task_bytes == k256Bytes) return make_tree<256>(queue, count);
  return make_tree<16>(queue, count);
}

QueueWorkload make_read_tree_of(Queue& queue, const std::string& leaf_width,
                                std::uint64_t elements) {
  const auto count = static_cast<std::uint32_t>(elements);
  if (leaf_width == kWarp) return make_read_tree<TaskWidth::kWarp>(queue, count);
  if (leaf_width == kBlock) return make_read_tree<TaskWidth::kBlock>(queue, count);
  return make_read_tree<TaskWidth::kLane>(queue, count);
}

std::vector<Workload> tree_workloads() { return {large_tree_workload(), read_tree_workload()}; }

}  // namespace millrace::tools
