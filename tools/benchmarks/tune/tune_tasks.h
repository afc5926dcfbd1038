// SPDX-License-Identifier: Apache-2.0

// The tasks that tune runs: of a given amount of work, flat or in trees of a given shape.
#ifndef MILLRACE_TOOLS_BENCHMARKS_TUNE_TUNE_TASKS_H_
#define MILLRACE_TOOLS_BENCHMARKS_TUNE_TUNE_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {

// `units` steps, each of which needs the one before: a linear congruential generator. Kinds have
// different ones, or a compiler would make one body of all.
template <int kKind>
MILLRACE_FUNCTION inline std::uint32_t turn(std::uint32_t value, std::uint32_t units) {
  constexpr std::uint32_t kFactor = kKind == 0 ? 1664525u : 22695477u;
  constexpr std::uint32_t kSummand = kKind == 0 ? 1013904223u : 1u;
  for (std::uint32_t i = 0; i < units; ++i) value = value * kFactor + kSummand;
  return value;
}

struct TuneArguments {
  std::uint32_t* sum;
  std::uint32_t units;
};

template <int kKind>
struct TuneItem {
  static constexpr bool kSpawns = false;
  TuneArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(arguments.sum, turn<kKind>(static_cast<std::uint32_t>(index), arguments.units));
  }
};
struct TuneFlatTasks : TaskSet<TuneItem<0>> {
  using Arguments = TuneArguments;
};
struct TuneMixedFlatTasks : TaskSet<TuneItem<0>, TuneItem<1>> {
  using Arguments = TuneArguments;
};

struct TuneShape {
  std::uint32_t levels;    // Below this node.
  std::uint32_t children;  // Children of each node above the lowest level.
  std::uint32_t units;
};

// A node of a regular tree, with so many words that are only carried. Of its children, an even
// number where there are two kinds, every other one is of the other kind; whether the first is, is
// as good as random.
template <int kKind, int kKinds, int kWords>
struct TuneNode {
  std::uint32_t* sum;
  TuneShape shape;
  std::uint32_t words[kWords];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(sum, turn<kKind>(words[0], shape.units));
    if (shape.levels == 0) return;
    if constexpr (kKinds == 1) {
      context.spawn_many(shape.children, [this](std::uint32_t i) { return child<kKind>(i); });
    } else {
      const std::uint32_t first = turn<0>(words[0], 2) >> 31;
      for (std::uint32_t i = 0; i < shape.children; ++i) {
        if (((first + i) & 1) == 0) {
          context.spawn(child<0>(i));
        } else {
          context.spawn(child<1>(i));
        }
      }
    }
  }

  template <int kOther>
  MILLRACE_FUNCTION TuneNode<kOther, kKinds, kWords> child(std::uint32_t i) const {
    TuneNode<kOther, kKinds, kWords> made{sum, shape, {}};
    --made.shape.levels;
    made.words[0] = shape.children * words[0] + i + 1;
    return made;
  }
};
using TuneTreeTasks = TaskSet<TuneNode<0, 1, 1>>;
using TuneMixedTreeTasks = TaskSet<TuneNode<0, 2, 1>, TuneNode<1, 2, 1>>;
using TuneLargeTreeTasks = TaskSet<TuneNode<0, 1, 27>>;  // 128 bytes.

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_TUNE_TUNE_TASKS_H_
