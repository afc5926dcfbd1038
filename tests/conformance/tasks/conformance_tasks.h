// SPDX-License-Identifier: Apache-2.0

// Task sets that are easy to check: each says what must come out. A new type goes here, its
// RegisterTasks into conformance_tasks.cc (under MILLRACE_UNOPTIMIZED if it is slow to compile),
// and its test into a *_test.cc of this folder, which ../BUILD lists.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_CONFORMANCE_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_CONFORMANCE_TASKS_H_

#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::conformance {

// Items of three sizes up to the largest, each of which counts itself at its own index and carries
// `kWords` words that must arrive as they were sent.
template <int kWords>
struct Mark {
  std::uint32_t* counts;
  std::uint64_t* damaged;
  std::uint64_t index;
  std::uint64_t payload[kWords];

  static Mark make(std::uint32_t* counts, std::uint64_t* damaged, std::uint64_t index) {
    Mark mark{counts, damaged, index, {}};
    for (int i = 0; i < kWords; ++i) mark.payload[i] = splitmix64(index + i);
    return mark;
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(counts + index, 1u);
    for (int i = 0; i < kWords; ++i) {
      if (payload[i] != splitmix64(index + i)) context.add(damaged, std::uint64_t{1});
    }
  }
};
using SmallMark = Mark<1>;
using MiddleMark = Mark<5>;
using LargeMark = Mark<29>;
static_assert(sizeof(LargeMark) == kMaxTaskBytes);
using MarkTasks = TaskSet<SmallMark, MiddleMark, LargeMark>;

// An unbalanced tree: a node has 0 to 3 children, or 4 near the root, by a hash of itself. Each
// adds its hash to a sum and itself to a count; leaves are a type of their own.
struct TreeSums {
  std::uint64_t hashes;
  std::uint64_t nodes;
};

MILLRACE_FUNCTION inline int children_of(std::uint64_t id, int depth) {
  if (depth < 4) return 4;
  return depth < 24 ? static_cast<int>(splitmix64(id) % 4) % 3 + (splitmix64(id) % 16 == 0 ? 1 : 0)
                    : 0;
}

struct TreeLeaf {
  TreeSums* sums;
  std::uint64_t id;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(&sums->hashes, splitmix64(id));
    context.add(&sums->nodes, std::uint64_t{1});
  }
};

struct TreeNode {
  TreeSums* sums;
  std::uint64_t id;
  int depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(&sums->hashes, splitmix64(id));
    context.add(&sums->nodes, std::uint64_t{1});
    for (int i = 0; i < children_of(id, depth); ++i) {
      const std::uint64_t child = splitmix64(id ^ (0x517cc1b727220a95u * (i + 1)));
      if (children_of(child, depth + 1) == 0) {
        context.spawn(TreeLeaf{sums, child});
      } else {
        context.spawn(TreeNode{sums, child, depth + 1});
      }
    }
  }
};
using TreeTasks = TaskSet<TreeNode, TreeLeaf>;

// `left` more links after this one.
struct SpawnLink {
  std::uint64_t* links;
  std::uint64_t left;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(links, std::uint64_t{1});
    if (left > 0) context.spawn(SpawnLink{links, left - 1});
  }
};
using ChainTasks = TaskSet<SpawnLink>;

// Adds its value to the sum.
struct FanOutChild {
  std::uint64_t* sum;
  std::uint64_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(sum, value);
  }
};

// Spawns children of values 0 to width-1.
struct FanOut {
  std::uint64_t* sum;
  std::uint64_t width;
  bool is_opened_at_once = false;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (is_opened_at_once) {
      context.spawn_many(static_cast<std::uint32_t>(width), [&](std::uint32_t i) {
        return FanOutChild{sum, i};
      });
    } else {
      for (std::uint64_t i = 0; i < width; ++i) context.spawn(FanOutChild{sum, i});
    }
  }
};
using FanOutTasks = TaskSet<FanOut, FanOutChild>;

// Counts itself, and fails twice, with `code` first, unless that is 0.
struct MayFail {
  std::uint64_t* runs;
  int code;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, std::uint64_t{1});
    if (code == 0) return;
    context.fail(code);
    context.fail(code + 1);
  }
};

// A tree of `depth` levels in which the node numbered `bad`, counted in heap order from 1, fails.
struct FailingNode {
  std::uint64_t id;
  std::uint64_t bad;
  int depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (id == bad) {
      context.fail(static_cast<int>(id % 1000) + 1);
      return;
    }
    if (depth == 0) return;
    context.spawn(FailingNode{2 * id, bad, depth - 1});
    context.spawn(FailingNode{2 * id + 1, bad, depth - 1});
  }
};
using FailingTasks = TaskSet<MayFail, FailingNode>;

// Sums the squares 0 to n-1 through scratch memory, all lanes together.
struct ScratchSum {
  static constexpr TaskWidth kWidth = TaskWidth::kBlock;
  static constexpr std::size_t kScratchBytes = 4096;
  std::uint64_t* sum;
  int n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    int* squares = context.template scratch<int>(n);
    char* flag = context.template scratch<char>(1);
    auto* after_flag = context.template scratch<std::uint64_t>(1);
    for (int i = context.lane(); i < n; i += context.lanes()) squares[i] = i * i;
    if (context.lane() == 0) {
      *flag = 1;
      *after_flag = 2;
    }
    context.sync();
    if (context.lane() != 0) return;
    std::uint64_t total = *flag == 1 && *after_flag == 2 ? 0 : 1'000'000'000;
    for (int i = 0; i < n; ++i) total += static_cast<std::uint64_t>(squares[i]);
    context.add(sum, total);
  }
};
using ScratchTasks = TaskSet<ScratchSum>;

// Fills more scratch for each lane than shared memory has for all, and sums it.
struct LargeScratchSum {
  static constexpr std::size_t kScratchBytes = 32 * 1024;
  static constexpr bool kSpawns = false;
  std::uint64_t* sum;
  std::uint32_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    constexpr std::uint32_t kCount = kScratchBytes / sizeof(std::uint32_t);
    auto* values = context.template scratch<std::uint32_t>(kCount);
    for (std::uint32_t i = 0; i < kCount; i += 100) values[i] = value + i;
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < kCount; i += 100) total += values[i];
    context.add(sum, total);
  }
};
using LargeScratchTasks = TaskSet<LargeScratchSum>;

// Adds to a target of every type there is.
struct Targets {
  std::int32_t i32;
  std::uint32_t u32;
  std::int64_t i64;
  std::uint64_t u64;
  long long signed_long_long;
  unsigned long long unsigned_long_long;
  float f32;
  double f64;
};

struct AddToAll {
  Targets* targets;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(&targets->i32, -1);
    context.add(&targets->u32, 2u);
    context.add(&targets->i64, -3);
    context.add(&targets->u64, 4u);
    context.add(&targets->signed_long_long, -5);
    context.add(&targets->unsigned_long_long, 6);
    context.add(&targets->f32, 0.5f);
    context.add(&targets->f64, -0.25);
  }
};
using AddTasks = TaskSet<AddToAll>;

// Items of an indexed queue: square or negate, in place; negated multiples of 5 spawn an addition.
struct IndexedArguments {
  std::int64_t* values;
  std::uint64_t* spawned;
};

// Cannot be a root: it is not made from arguments and index.
struct CountSpawned {
  std::uint64_t* spawned;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(spawned, std::uint64_t{1});
  }
};

struct Square {
  IndexedArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {
    arguments.values[index] *= arguments.values[index];
  }
};

struct Negate {
  IndexedArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    arguments.values[index] = -arguments.values[index];
    if (index % 5 == 0) context.spawn(CountSpawned{arguments.spawned});
  }
};

struct IndexedSet : TaskSet<Square, Negate, CountSpawned> {
  using Arguments = IndexedArguments;
};

// Never compiled for any backend.
struct Unregistered {
  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};
using UnregisteredTasks = TaskSet<Unregistered>;

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_CONFORMANCE_TASKS_H_
