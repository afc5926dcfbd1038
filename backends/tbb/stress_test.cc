// SPDX-License-Identifier: Apache-2.0

// Runs of many shapes, many times: each task must run once.
#include <millrace/backends/cpu/task_target.h>
#include <millrace/backends/tbb/host_tasks.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <vector>

namespace millrace::tbb_backend {
namespace {

// A precomputed forest: node i has the children first_child[i] to first_child[i + 1] - 1.
struct Forest {
  std::vector<int> first_child;
  int roots = 0;
  std::vector<std::atomic<int>> runs;

  // Makes up to 3,000 nodes. A `bushiness` of 1 gives mostly chains; larger values give more
  // children.
  Forest(unsigned seed, int bushiness) : runs(std::mt19937(seed)() % 3000 + 1) {
    std::mt19937 random(seed + 1);
    const int nodes = static_cast<int>(runs.size());
    roots = 1 + static_cast<int>(random() % 5);
    roots = std::min(roots, nodes);
    int next = roots;
    for (int node = 0; node < nodes; ++node) {
      first_child.push_back(next);
      const bool must = node + 1 == next;  // Otherwise the remaining nodes would be unreachable.
      const int children = static_cast<int>(random() % static_cast<unsigned>(2 * bushiness + 1));
      next = std::min(nodes, next + std::max(children, must ? 1 : 0));
    }
    first_child.push_back(next);
  }

  bool each_ran_once() const {
    return std::all_of(runs.begin(), runs.end(), [](const auto& count) { return count == 1; });
  }
};

struct ForestNode {
  Forest* forest;
  int index;

  template <class Context>
  void operator()(Context& context) const;
};

// The same task in a larger type.
struct HeavyForestNode {
  ForestNode node;
  long payload[20];

  template <class Context>
  void operator()(Context& context) const {
    spin(node.index % 500);
    node(context);
  }
};

template <class Context>
void spawn_node(Context& context, Forest* forest, int index) {
  const ForestNode node{forest, index};
  if (index % 3 == 0) {
    context.spawn(HeavyForestNode{node, {}});
  } else {
    context.spawn(node);
  }
}

template <class Context>
void ForestNode::operator()(Context& context) const {
  ++forest->runs[index];
  for (int child = forest->first_child[index]; child < forest->first_child[index + 1]; ++child) {
    spawn_node(context, forest, child);
  }
}

using ForestTasks = TaskSet<ForestNode, HeavyForestNode>;
const cpu::RegisterTasks<ForestTasks> registered_forests;

// Spawns `width` leaves at once, and a chain of `links` at whose end all of it begins again,
// `phases` times.
struct Phase {
  std::uint64_t* leaves;
  std::uint64_t* links;
  int width;
  int length;
  int phases;
  int left;  // Links left of the chain.

  template <class Context>
  void operator()(Context& context) const;
};

struct PhaseLeaf {
  std::uint64_t* leaves;

  template <class Context>
  void operator()(Context& context) const {
    context.add(leaves, 1);
  }
};

template <class Context>
void Phase::operator()(Context& context) const {
  Phase next = *this;
  if (left == 0) {
    for (int i = 0; i < width; ++i) context.spawn(PhaseLeaf{leaves});
    if (phases == 0) return;
    next.left = length;
    --next.phases;
  } else {
    context.add(links, 1);
    --next.left;
  }
  context.spawn(next);
}

using PhaseTasks = TaskSet<Phase, PhaseLeaf>;
const cpu::RegisterTasks<PhaseTasks> registered_phases;

// Fills scratch, waits inside a parallel algorithm, in which its thread may run another such task,
// and checks that scratch is unchanged.
struct NestedScratch {
  static constexpr std::size_t kScratchBytes = 64 * sizeof(int);
  std::uint64_t* damaged;
  std::uint64_t* inner;
  int index;

  template <class Context>
  void operator()(Context& context) const {
    int* const values = context.template scratch<int>(32);
    std::fill(values, values + 32, index);
    std::atomic<int> calls = 0;
    tbb::parallel_for(0, 50, [&](int) {
      spin(200);
      ++calls;
    });
    int* const more = context.template scratch<int>(32);
    std::fill(more, more + 32, -1);
    if (!std::all_of(values, values + 32, [this](int value) { return value == index; })) {
      context.add(damaged, 1);
    }
    context.add(inner, static_cast<std::uint64_t>(calls));
    if (index % 2 == 0) context.spawn(NestedScratch{damaged, inner, index + 1});
  }
};

using NestedTasks = TaskSet<NestedScratch>;
const cpu::RegisterTasks<NestedTasks> registered_nested;

class StressTest : public testing::TestWithParam<Policy> {
 protected:
  std::unique_ptr<Queue> queue = open_device("tbb")->make_queue({.concurrency = 4});
  RunOptions options = {.policy = GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Tbb, StressTest, testing::ValuesIn(kConcretePolicies),
                         [](const auto& info) { return std::to_string(info.index); });

TEST_P(StressTest, EveryNodeOfAForestRunsOnce) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Forest forest(seed, 1 + static_cast<int>(seed % 4) * 2);
    TaskList<ForestTasks> roots;
    for (int root = 0; root < forest.roots; ++root) {
      const ForestNode node{&forest, root};
      if (root % 2 == 0) {
        roots.push(node);
      } else {
        roots.push(HeavyForestNode{node, {}});
      }
    }
    const RunReport report = run_tasks(*queue, roots, options);
    ASSERT_EQ(report.tasks(), forest.runs.size()) << "seed " << seed;
    ASSERT_TRUE(forest.each_ran_once()) << "seed " << seed;
  }
}

TEST_P(StressTest, WideThenSerialThenWide) {
  // During a chain all workers but one find no work and retire; the next leaves call them back.
  for (int round = 0; round < 100; ++round) {
    std::uint64_t leaves = 0;
    std::uint64_t links = 0;
    const Phase root{&leaves, &links, 500, round % 5 == 0 ? 5000 : 500, 4, 0};
    const RunReport report = run_tasks(*queue, TaskList<PhaseTasks>(root), options);
    ASSERT_EQ(leaves, 5u * 500) << "round " << round;
    ASSERT_EQ(links, 4u * static_cast<std::uint64_t>(root.length)) << "round " << round;
    ASSERT_EQ(report.tasks_by_type[1], leaves);
  }
}

TEST_P(StressTest, ScratchIsATasksOwnThroughNestedParallelism) {
  for (int round = 0; round < 20; ++round) {
    std::uint64_t damaged = 0;
    std::uint64_t inner = 0;
    TaskList<NestedTasks> roots;
    for (int i = 0; i < 100; ++i) roots.push(NestedScratch{&damaged, &inner, i});
    EXPECT_EQ(run_tasks(*queue, roots, options).tasks(), 150u);
    EXPECT_EQ(damaged, 0u);
    EXPECT_EQ(inner, 150u * 50);
  }
}

}  // namespace
}  // namespace millrace::tbb_backend
