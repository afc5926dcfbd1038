// SPDX-License-Identifier: Apache-2.0

// Tasks that end late or never, and tasks that count at an index of their own, so that what was
// lost or run twice is seen.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_STOP_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_STOP_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>

#include <cstddef>
#include <cstdint>

namespace millrace::conformance {

// Spawns itself for ever.
struct Endless {
  std::uint64_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, std::uint64_t{1});
    context.spawn(*this);
  }
};
using EndlessTasks = TaskSet<Endless>;

// Spawn each other for ever.
struct Pong;
struct Ping {
  std::uint64_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const;
};
struct Pong {
  std::uint64_t* runs;
  std::uint64_t seven;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, std::uint64_t{1});
    context.spawn(Ping{runs});
  }
};
template <class Context>
MILLRACE_FUNCTION void Ping::operator()(Context& context) const {
  context.add(runs, std::uint64_t{1});
  context.spawn(Pong{runs, 7});
}
using EndlessPairTasks = TaskSet<Ping, Pong>;

struct RunCounts {
  std::uint32_t* runs;
  std::uint64_t items;
};

struct CountedLeaf {
  static constexpr bool kSpawns = false;
  std::uint32_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, 1u);
  }
};

// Node `index` of a heap with four children a node.
struct CountedNode {
  RunCounts counts;
  std::uint64_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(counts.runs + index, 1u);
    for (std::uint64_t child = 4 * index + 1; child < 4 * index + 5; ++child) {
      if (child >= counts.items) return;
      if (4 * child + 1 >= counts.items) {
        context.spawn(CountedLeaf{counts.runs + child});
      } else {
        context.spawn(CountedNode{counts, child});
      }
    }
  }
};
using CountedTasks = TaskSet<CountedNode, CountedLeaf>;

// Node `index` of a forest of one type. Its children are node kRoots + 2 * index and the next one,
// of which some are empty. The first kRoots nodes are roots.
struct CountedTwig {
  static constexpr std::uint64_t kRoots = 300;

  RunCounts counts;
  std::uint64_t index;

  MILLRACE_FUNCTION static bool is_empty(std::uint64_t index) {
    return index >= kRoots && splitmix64(index) % 8 < 3;
  }
  MILLRACE_FUNCTION static std::uint64_t parent(std::uint64_t index) {
    return (index - kRoots) / 2;
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(counts.runs + index, 1u);
    const std::uint64_t first = kRoots + 2 * index;
    for (std::uint64_t child = first; child < first + 2 && child < counts.items; ++child) {
      if (!is_empty(child)) context.spawn(CountedTwig{counts, child});
    }
  }
};
using CountedTwigTasks = TaskSet<CountedTwig>;

// Node `index` of one of kChains chains that take `items` nodes in turn. Every fourth also spawns a
// leaf, which counts at `items` + `index`.
struct CountedLink {
  static constexpr std::uint64_t kChains = 200;

  RunCounts counts;
  std::uint64_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(counts.runs + index, 1u);
    if (index % 4 == 0) context.spawn(CountedLeaf{counts.runs + counts.items + index});
    if (index + kChains < counts.items) context.spawn(CountedLink{counts, index + kChains});
  }
};
using CountedChainTasks = TaskSet<CountedLink, CountedLeaf>;

// A flat queue of two types.
template <int kWords>
struct FlatItem {
  static constexpr bool kSpawns = false;
  std::uint32_t* runs;
  std::uint64_t padding[kWords];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, 1u);
  }
};
using CountedFlatTasks = TaskSet<FlatItem<1>, FlatItem<4>>;

// The same, of which some fail once they have counted.
template <int kWords>
struct FragileItem {
  static constexpr bool kSpawns = false;
  static constexpr int kFailure = 9;
  std::uint32_t* runs;
  std::uint64_t fails[kWords];  // The item fails unless the first is 0.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, 1u);
    if (fails[0] != 0) context.fail(kFailure);
  }
};
using FragileFlatTasks = TaskSet<FragileItem<1>, FragileItem<4>>;

// Node `index` of the forest of CountedTwig; one in `kFails` fails once it has counted and spawned
// its first child.
struct FragileTwig {
  static constexpr int kFailure = 10;
  static constexpr std::uint64_t kFails = 64;

  RunCounts counts;
  std::uint64_t index;

  MILLRACE_FUNCTION static bool fails(std::uint64_t index) {
    return splitmix64(index) / 8 % kFails == 0;
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(counts.runs + index, 1u);
    const std::uint64_t first = CountedTwig::kRoots + 2 * index;
    for (std::uint64_t child = first; child < first + 2 && child < counts.items; ++child) {
      if (!CountedTwig::is_empty(child)) context.spawn(FragileTwig{counts, child});
      if (fails(index)) return context.fail(kFailure);
    }
  }
};
using FragileTwigTasks = TaskSet<FragileTwig>;

// Item `index` of an indexed queue. Every fourth spawns a leaf that counts at `items` + `index`.
template <TaskWidth width>
struct CountedItem {
  static constexpr TaskWidth kWidth = width;
  RunCounts counts;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (context.lane() != 0) return;
    context.add(counts.runs + index, 1u);
    if (index % 4 == 0) context.spawn(CountedLeaf{counts.runs + counts.items + index});
  }
};

struct CountedIndexedTasks
    : TaskSet<CountedItem<TaskWidth::kLane>, CountedItem<TaskWidth::kWarp>, CountedLeaf> {
  using Arguments = RunCounts;
};

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_STOP_TASKS_H_
