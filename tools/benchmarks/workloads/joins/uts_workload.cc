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

// One thread takes half a minute for a tree of 100 million nodes, and a choice of policies leaves
// peers in.
constexpr std::uint64_t kMostNodesOfPeer = 1 << 24;

UtsCounts count_directly(const UtsTreeOptions& tree) {
  return *examples::count_uts_directly(tree, std::numeric_limits<std::uint64_t>::max());
}

std::string counts_text(const UtsCounts& counts) {
  return std::to_string(counts.nodes) + " nodes, " + std::to_string(counts.leaves) +
         " leaves and depth " + std::to_string(counts.depth);
}

// Tasks are timed from their first to their last, without the tables that are made before.
PreparedWork prepare_trees(const std::shared_ptr<Device>& device, const UtsTreeOptions& tree) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  const UtsCounts right = known_uts_counts(tree);
  ValueRuns<UtsCounts> runs(right, {static_cast<double>(right.nodes), 0, kTaskLimit}, &counts_text);
  for (const Policy policy : kAllPolicies) {
    const UtsOptions options = {.tree = tree, .max_depth = kMaxUtsDepth, .run = {.policy = policy}};
    runs.add(policy, [=] {
      const examples::UtsResult result = examples::search_uts(*queue, options);
      return TimedValue<UtsCounts>{result.counts, result.report.seconds};
    });
  }
  if (right.nodes <= kMostNodesOfPeer) {
    runs.add_peer("one thread", [=] { return timed([&] { return count_directly(tree); }); });
  }
  return runs.take();
}

}  // namespace

Workload uts_workload() {
  Workload workload;
  workload.name = "joins-uts";
  workload.what = "a tree of the unbalanced tree search benchmark, a task for each node";
  workload.item_name = "nodes";
  workload.inputs = uts_tree_names();
  workload.sizes = SizeChoice{
      .cpu = {kWholeUtsTree}, .gpu = {kWholeUtsTree}, .quick = kWholeUtsTree, .simulated = 40};
  workload.size_rule = kUtsSizeRule;
  workload.is_size = is_uts_size;
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    return prepare_trees(device, scaled_uts_tree(input, static_cast<int>(size)));
  };
  return workload;
}

}  // namespace millrace::tools
