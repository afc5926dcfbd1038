// SPDX-License-Identifier: Apache-2.0

// Tasks that end late or never, and tasks that count at a place of their own, so that what was lost
// or run twice is seen.
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

struct CountedPlaces {
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
  CountedPlaces places;
  std::uint64_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(places.runs + index, 1u);
    for (std::uint64_t child = 4 * index + 1; child < 4 * index + 5; ++child) {
      if (child >= places.items) return;
      if (4 * child + 1 >= places.items) {
        context.spawn(CountedLeaf{places.runs + child});
      } else {
        context.spawn(CountedNode{places, child});
      }
    }
  }
};
using CountedTasks = TaskSet<CountedNode, CountedLeaf>;

// Place `index` of a forest of one type: its children are two places further on, of which some are
// empty. The first kRoots places are roots.
struct CountedTwig {
  static constexpr std::uint64_t kRoots = 300;

  CountedPlaces places;
  std::uint64_t index;

  MILLRACE_FUNCTION static bool is_empty(std::uint64_t index) {
    return index >= kRoots && splitmix64(index) % 8 < 3;
  }
  MILLRACE_FUNCTION static std::uint64_t parent(std::uint64_t index) {
    return (index - kRoots) / 2;
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(places.runs + index, 1u);
    const std::uint64_t first = kRoots + 2 * index;
    for (std::uint64_t child = first; child < first + 2 && child < places.items; ++child) {
      if (!is_empty(child)) context.spawn(CountedTwig{places, child});
    }
  }
};
using CountedTwigTasks = TaskSet<CountedTwig>;

// Place `index` of one of kChains chains that run through `items` places in turn; every fourth
// spawns a leaf too, that counts `items` places further.
struct CountedLink {
  static constexpr std::uint64_t kChains = 200;

  CountedPlaces places;
  std::uint64_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(places.runs + index, 1u);
    if (index % 4 == 0) context.spawn(CountedLeaf{places.runs + places.items + index});
    if (index + kChains < places.items) context.spawn(CountedLink{places, index + kChains});
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

// Place `index` of the forest of CountedTwig; one in `kFails` fails once it has counted and spawned
// its first child.
struct FragileTwig {
  static constexpr int kFailure = 10;
  static constexpr std::uint64_t kFails = 64;

  CountedPlaces places;
  std::uint64_t index;

  MILLRACE_FUNCTION static bool fails(std::uint64_t index) {
    return splitmix64(index) / 8 % kFails == 0;
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(places.runs + index, 1u);
    const std::uint64_t first = CountedTwig::kRoots + 2 * index;
    for (std::uint64_t child = first; child < first + 2 && child < places.items; ++child) {
      if (!CountedTwig::is_empty(child)) context.spawn(FragileTwig{places, child});
      if (fails(index)) return context.fail(kFailure);
    }
  }
};
using FragileTwigTasks = TaskSet<FragileTwig>;

// Item `index` of an indexed queue; every fourth spawns a leaf that counts `items` places further.
template <TaskWidth width>
struct CountedItem {
  static constexpr TaskWidth kWidth = width;
  CountedPlaces places;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (context.lane() != 0) return;
    context.add(places.runs + index, 1u);
    if (index % 4 == 0) context.spawn(CountedLeaf{places.runs + places.items + index});
  }
};

struct CountedIndexedTasks
    : TaskSet<CountedItem<TaskWidth::kLane>, CountedItem<TaskWidth::kWarp>, CountedLeaf> {
  using Arguments = CountedPlaces;
};

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_STOP_TASKS_H_
