// SPDX-License-Identifier: Apache-2.0

// The tasks of queues that grow in different ways.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUEUE_TASKS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUEUE_TASKS_H_

#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/task_set.h>
#include <millrace/tools/benchmarks/workloads/queues/quad.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace millrace::tools {

inline constexpr std::uint32_t kLeafElements = 64;

// An element of a ComputedTree.
MILLRACE_FUNCTION inline std::uint32_t element_at(std::uint32_t index) {
  return index ^ 0x5bd1e995u;
}

// Halves a range down to leaves of kLeafElements, which compute their elements: next to nothing but
// the queue is measured. The sum is modulo 2^32. Ranges are leaves or a power of two of them.
template <std::size_t kBytes>
struct ComputedTree {
  static constexpr int kWords = (kBytes - sizeof(std::uint32_t*)) / sizeof(std::uint32_t);

  std::uint32_t* sum;
  std::uint32_t words[kWords];  // The first element, how many, then the first as often as fits.

  MILLRACE_FUNCTION static ComputedTree make(std::uint32_t* sum, std::uint32_t first,
                                             std::uint32_t count) {
    ComputedTree tree;
    tree.sum = sum;
    for (std::uint32_t& word : tree.words) word = first;
    tree.words[1] = count;
    return tree;
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint32_t first = words[0];
    const std::uint32_t half = words[1] / 2;
    if (words[1] > kLeafElements) {
      context.spawn_many(2, [&](std::uint32_t i) { return make(sum, first + i * half, half); });
      return;
    }
    std::uint32_t total = 0;
    for (std::uint32_t i = 0; i < kLeafElements; ++i) total += element_at(first + i);
    for (int i = 2; i < kWords; ++i) total += words[i] - first;  // Nothing, as it arrives.
    context.add(sum, total);
  }
};
template <std::size_t kBytes>
using ComputedTreeTasks = TaskSet<ComputedTree<kBytes>>;

// Number of elements in the leaves of a ReadTree: 256 bytes, or several loads for each lane of a
// block.
template <TaskWidth kLeafWidth>
inline constexpr std::uint32_t kReadElements =
    kLeafWidth == TaskWidth::kBlock ? 4096 : kLeafElements;

// Sums elements that are in memory, all lanes together.
template <TaskWidth kLeafWidth>
struct ReadLeaf {
  static constexpr TaskWidth kWidth = kLeafWidth;
  static constexpr bool kSpawns = false;
  using Load = std::conditional_t<kWidth == TaskWidth::kWarp, Pair, Quad>;

  const std::uint32_t* values;
  std::uint32_t* sum;
  std::uint32_t first;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    constexpr int kLoads = kReadElements<kWidth> * sizeof(std::uint32_t) / sizeof(Load);
    const auto* const loads = reinterpret_cast<const Load*>(values + first);
    std::uint32_t total = 0;
    for (int i = context.lane(); i < kLoads; i += context.lanes()) total += sum_of(loads[i]);
    context.add(sum, total);
  }
};

// Halves a range down to ReadLeaf.
template <TaskWidth kLeafWidth>
struct ReadTree {
  const std::uint32_t* values;
  std::uint32_t* sum;
  std::uint32_t first;
  std::uint32_t count;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint32_t half = count / 2;
    spawn(context, first, half);
    spawn(context, first + half, half);
  }

 private:
  template <class Context>
  MILLRACE_FUNCTION void spawn(Context& context, std::uint32_t begin, std::uint32_t size) const {
    if (size == kReadElements<kLeafWidth>) {
      context.spawn(ReadLeaf<kLeafWidth>{values, sum, begin});
    } else {
      context.spawn(ReadTree{values, sum, begin, size});
    }
  }
};
template <TaskWidth kLeafWidth>
using ReadTreeTasks = TaskSet<ReadTree<kLeafWidth>, ReadLeaf<kLeafWidth>>;

// A node of an unbalanced tree with geometric child counts of mean 3 and a depth cut-off: it has a
// child for each pair of bits of its hash up to the first that is 0. The sum is that of all ids.
struct GeoNode {
  static constexpr std::uint64_t kLevels = 15;  // Mask of the levels below, in an id's low bits.

  std::uint64_t* sum;
  std::uint64_t id;

  // The node that begins a tree of `levels` more levels, at most kLevels.
  MILLRACE_FUNCTION static std::uint64_t make_id(std::uint64_t seed, std::uint64_t levels) {
    return (splitmix64(seed) & ~kLevels) | levels;
  }

  template <class Visitor>
  MILLRACE_FUNCTION static void visit_children(std::uint64_t id, Visitor&& visitor) {
    const std::uint64_t levels = id & kLevels;
    if (levels == 0) return;
    for (std::uint64_t bits = id >> 4; (bits & 3) != 0; bits >>= 2) {
      visitor(make_id(bits, levels - 1));
    }
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(sum, id);
    visit_children(id, [&](std::uint64_t child) { context.spawn(GeoNode{sum, child}); });
  }
};
using GeoTasks = TaskSet<GeoNode>;

// A node of an unbalanced tree with binomial child counts: eight in nearly one of eight cases, else
// none.
struct BinNode {
  static constexpr double kProbability = 0.12497;
  static constexpr std::uint32_t kChildren = 8;

  std::uint64_t* sum;
  std::uint64_t id;

  MILLRACE_FUNCTION static bool has_children(std::uint64_t id) {
    constexpr auto kThreshold = static_cast<std::uint32_t>(kProbability * 4294967296.0);
    return static_cast<std::uint32_t>(id >> 32) < kThreshold;
  }

  template <class Visitor>
  MILLRACE_FUNCTION static void visit_children(std::uint64_t id, Visitor&& visitor) {
    if (!has_children(id)) return;
    for (std::uint64_t i = 0; i < kChildren; ++i) visitor(splitmix64(id + i));
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(sum, id);
    if (!has_children(id)) return;
    context.spawn_many(kChildren, [&](std::uint32_t i) {
      return BinNode{sum, splitmix64(id + i)};
    });
  }
};
using BinTasks = TaskSet<BinNode>;

// A call of the recursive definition of the n-th number of Fibonacci, which the leaves add up to.
// Calls are counted and do not wait for each other.
struct CallNode {
  std::uint64_t* sum;
  std::uint32_t n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (n < 2) return context.add(sum, std::uint64_t{n});
    context.spawn_many(2, [&](std::uint32_t i) { return CallNode{sum, n - 1 - i}; });
  }
};
using CallTasks = TaskSet<CallNode>;

// A link of a chain, with `left` more after it.
struct ChainLink {
  std::uint64_t* sum;
  std::uint32_t chain;
  std::uint32_t left;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(sum, std::uint64_t{chain} + left);
    if (left > 0) context.spawn(ChainLink{sum, chain, left - 1});
  }
};
using ChainTasks = TaskSet<ChainLink>;

// Nothing is measured but the run.
struct Nothing {
  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};
using NothingTasks = TaskSet<Nothing>;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUEUE_TASKS_H_
