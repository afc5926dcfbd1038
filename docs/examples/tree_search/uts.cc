// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/tree_search/uts.h>
#include <millrace/docs/examples/tree_search/uts_tasks.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/group/shared_sums.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <mutex>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <utility>

namespace millrace::examples {
namespace {

constexpr int kMaxGranularity = 1'000'000;
constexpr int kMaxCountedDepth = std::numeric_limits<std::uint16_t>::max() - 1;

void check(const UtsOptions& options) {
  check_uts_tree(options.tree);
  check_range("granularity", options.granularity, 1, kMaxGranularity);
  check_range("max_depth", options.max_depth, 1, kMaxCountedDepth);
}

// The least value with which a geometric node at `depth` has that many children, or kUtsValues.
// The numbers of children never decrease: logarithms of neighbouring values differ by more than
// their rounding.
std::uint32_t least_value(const UtsTreeOptions& tree, int depth, std::uint32_t children) {
  const auto values = std::views::iota(std::uint32_t{0}, kUtsValues);
  const auto least = std::ranges::partition_point(values, [&](std::uint32_t value) {
    return uts_geometric_children(tree, depth, value) < children;
  });
  return static_cast<std::uint32_t>(least - values.begin());
}

// UtsTree::least_values.
std::vector<std::uint32_t> least_values(const UtsTreeOptions& tree, int depths) {
  std::vector<std::uint32_t> values(static_cast<std::size_t>(depths) * kMaxUtsChildren, kUtsValues);
  for (int depth = 0; depth < depths; ++depth) {
    const std::uint32_t most = uts_geometric_children(tree, depth, kUtsValues - 1);
    std::uint32_t* const row = &values[static_cast<std::size_t>(depth) * kMaxUtsChildren];
    for (std::uint32_t i = 0; i < most; ++i) row[i] = least_value(tree, depth, i + 1);
  }
  return values;
}

// The number of values with which a binomial node has children. Scaling by a power of 2 is exact.
std::uint32_t branching_values(const UtsTreeOptions& tree) {
  if (uts_binomial_children(tree, 0) == 0) return 0;
  return static_cast<std::uint32_t>(std::ceil(tree.nonleaf_probability * kUtsValues));
}

template <class T>
Buffer<T> upload(Queue& queue, const std::vector<T>& host) {
  if (host.empty()) return {};
  Buffer<T> buffer(queue.device().shared_from_this(), MemorySpace::kDevice, host.size());
  copy(queue, buffer.span(), BufferSpan<const T>(std::span(host)));
  queue.wait();
  return buffer;
}

// The tree on the devices of a run, each with its own tables and counts. The host counts the root,
// whose children are the run's roots.
class DeviceTrees {
 public:
  explicit DeviceTrees(const UtsOptions& options)
      : options_(options),
        depths_(uts_geometric_depths(options.tree, options.max_depth + 1)),
        least_values_(least_values(options.tree, depths_)),
        sums_(static_cast<std::size_t>(options.max_depth) + 2) {}

  SharedTasks<UtsTasks> nodes_below(const Sha1Digest& root, std::uint32_t children) {
    TaskList<UtsTasks> list;
    for (std::uint32_t i = 0; i < children; ++i) {
      list.push(UtsNode{root, static_cast<std::uint16_t>(i), 1});
    }
    return {.roots = list,
            .prepare = [this](Queue& queue) { return describe(queue); },
            .finish = [this](Queue& queue) { sums_.take(queue); }};
  }

  // Leaves, then the nodes at each depth.
  std::vector<std::uint64_t>& totals() { return sums_.totals(); }

 private:
  UtsTree describe(Queue& queue) {
    Buffer<std::uint32_t> uploaded = upload(queue, least_values_);
    std::uint64_t* const sums = sums_.on(queue);
    const std::lock_guard lock(mutex_);
    const Buffer<std::uint32_t>& table = tables_.emplace_back(std::move(uploaded));
    const UtsTreeOptions& tree = options_.tree;
    return {.equal_depths = static_cast<std::uint32_t>(uts_equal_depths(tree)),
            .equal_children = static_cast<std::uint32_t>(uts_equal_children(tree)),
            .geometric_depths = static_cast<std::uint32_t>(depths_),
            .least_values = table.data(),
            .branching_values = branching_values(tree),
            .branching_children = uts_binomial_children(tree, 0),
            .granularity = static_cast<std::uint32_t>(options_.granularity),
            .max_depth = static_cast<std::uint32_t>(options_.max_depth),
            .nodes = sums + 1,
            .leaves = sums};
  }

  const UtsOptions& options_;
  int depths_;
  std::vector<std::uint32_t> least_values_;
  SharedSums sums_;
  std::mutex mutex_;
  std::deque<Buffer<std::uint32_t>> tables_;
};

// Runs the tasks, and says what to do if the tree is too deep.
SharedRunReport run_nodes(const ExampleDevices& devices, const SharedTasks<UtsTasks>& tasks,
                          const UtsOptions& options) {
  try {
    return devices.run(tasks, options.run);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kTaskFailed || error.detail() != UtsNode::kTooDeep) throw;
    reject("max_depth is " + std::to_string(options.max_depth) +
           ", but the tree is deeper; increase it, to " + std::to_string(kMaxCountedDepth) +
           " at most");
  }
}

UtsCounts count(const std::vector<std::uint64_t>& nodes_by_depth, std::uint64_t leaves) {
  return {std::accumulate(nodes_by_depth.begin(), nodes_by_depth.end(), std::uint64_t{0}), leaves,
          static_cast<std::uint32_t>(nodes_by_depth.size() - 1)};
}

}  // namespace

UtsResult search_uts(const ExampleDevices& devices, const UtsOptions& options) {
  check(options);
  const Sha1Digest root = uts_root(static_cast<std::uint32_t>(options.tree.seed));
  const std::uint32_t children = uts_children(options.tree, 0, uts_value(root));
  if (children == 0) {
    return {{1, 1, 0}, {1}, {.policy = options.run.policy, .tasks_by_type = {0}}, {}};
  }
  DeviceTrees trees(options);
  SharedRunReport report =
      run_nodes(devices, trees.nodes_below(root, devices.is_first() ? children : 0), options);
  devices.add_up(trees.totals());
  const std::vector<std::uint64_t>& totals = trees.totals();
  UtsResult result{.counts = {},
                   .nodes_by_depth = {totals.begin() + 1, totals.end()},
                   .report = std::move(report.run),
                   .devices = std::move(report.devices)};
  result.nodes_by_depth[0] = 1;
  result.nodes_by_depth[1] = children;
  while (result.nodes_by_depth.back() == 0) result.nodes_by_depth.pop_back();
  result.counts = count(result.nodes_by_depth, totals[0]);
  return result;
}

UtsResult search_uts(Queue& queue, const UtsOptions& options) {
  return search_uts(ExampleDevices(queue), options);
}

}  // namespace millrace::examples
