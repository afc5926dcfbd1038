// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/tree_search/uts.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/joins/join_workloads.h>
#include <millrace/tools/benchmarks/workloads/joins/uts_trees.h>
#include <millrace/tools/benchmarks/workloads/joins/value_runs.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

using examples::UtsCounts;
using examples::UtsOptions;
using examples::UtsTreeOptions;

constexpr int kWhole = 100;
constexpr int kMaxDepth = 20'000;  // T3L has 17,844 levels.

UtsCounts count_directly(const UtsTreeOptions& tree) {
  return *examples::count_uts_directly(tree, std::numeric_limits<std::uint64_t>::max());
}

std::string to_text(const UtsCounts& counts) {
  return std::to_string(counts.nodes) + " nodes, " + std::to_string(counts.leaves) +
         " leaves and depth " + std::to_string(counts.depth);
}

// Tasks are timed from their first to their last, without the tables that are made before.
PreparedWork prepare(const std::shared_ptr<Device>& device, const UtsTreeOptions& tree) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  const auto published = examples::published_uts_counts(tree);
  const UtsCounts right = published ? *published : count_directly(tree);
  ValueRuns<UtsCounts> runs(right, {static_cast<double>(right.nodes), 0, kTaskLimit}, &to_text);
  for (const Policy policy : kAllPolicies) {
    const UtsOptions options = {.tree = tree, .max_depth = kMaxDepth, .run = {.policy = policy}};
    runs.add(policy, [=] {
      const examples::UtsResult result = examples::search_uts(*queue, options);
      return TimedValue<UtsCounts>{result.counts, result.report.seconds};
    });
  }
  runs.add_peer("one thread", [=] { return timed([&] { return count_directly(tree); }); });
  return runs.take();
}

}  // namespace

Workload uts_workload() {
  Workload workload;
  workload.name = "joins-uts";
  workload.what = "a tree of the unbalanced tree search benchmark, a task for each node";
  workload.item_name = "nodes";
  workload.inputs = uts_tree_names();
  workload.sizes = SizeChoice{.cpu = {kWhole}, .gpu = {kWhole}, .quick = kWhole, .simulated = 40};
  workload.size_rule =
      "is 1 to 100, per cent of the tree's depth, or for T3 and T3L of its probability of children";
  workload.is_size = [](std::uint64_t size) { return size >= 1 && size <= kWhole; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    return prepare(device, scaled_uts_tree(input, static_cast<int>(size)));
  };
  return workload;
}

}  // namespace millrace::tools
