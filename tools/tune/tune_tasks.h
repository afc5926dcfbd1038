// The tasks that tune runs: of a given amount of work, flat or in trees of a given shape.
#ifndef MILLRACE_TOOLS_TUNE_TUNE_TASKS_H_
#define MILLRACE_TOOLS_TUNE_TUNE_TASKS_H_

#include <cstddef>
#include <cstdint>

#include <millrace/runtime/task_set.h>

namespace millrace::tools {

// `units` steps, each of which needs the one before: a linear congruential generator.
MILLRACE_FUNCTION inline std::uint32_t turn(std::uint32_t value, std::uint32_t units) {
  for (std::uint32_t i = 0; i < units; ++i) value = value * 1664525u + 1013904223u;
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
    const auto start = static_cast<std::uint32_t>(index) ^ static_cast<std::uint32_t>(kKind);
    context.add(arguments.sum, turn(start, arguments.units));
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
  std::uint32_t children;  // Of each node above the lowest level.
  std::uint32_t units;
};

// A node of a regular tree, with so many words that are only carried. Its children are of the other
// kind, where there are two.
template <int kKind, int kKinds, int kWords>
struct TuneNode {
  std::uint32_t* sum;
  TuneShape shape;
  std::uint32_t words[kWords];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(sum, turn(words[0], shape.units));
    if (shape.levels == 0) return;
    context.spawn_many(shape.children, [this](std::uint32_t i) {
      TuneNode<(kKind + 1) % kKinds, kKinds, kWords> child{sum, shape, {}};
      --child.shape.levels;
      child.words[0] = words[0] + i;
      return child;
    });
  }
};
using TuneTreeTasks = TaskSet<TuneNode<0, 1, 1>>;
using TuneMixedTreeTasks = TaskSet<TuneNode<0, 2, 1>, TuneNode<1, 2, 1>>;
using TuneLargeTreeTasks = TaskSet<TuneNode<0, 1, 27>>;  // 128 bytes.

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TUNE_TUNE_TASKS_H_
