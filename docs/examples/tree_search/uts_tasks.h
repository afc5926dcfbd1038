// SPDX-License-Identifier: Apache-2.0

// The unbalanced tree search benchmark as tasks: a node is a task, which hashes itself out of its
// parent and spawns its children.
//
// A node's random value has 31 bits, and the number of its children grows with it. Kernels compare
// it with the least values for 1, 2, ... children, integers that the host has computed, so every
// device searches the same tree.
#ifndef MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_UTS_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_UTS_TASKS_H_

#include <millrace/docs/examples/tree_search/sha1_block.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::examples {

inline constexpr std::uint32_t kMaxUtsChildren = 100;  // Children of a node by a random value.
inline constexpr std::uint32_t kUtsValues = 1u << 31;  // Random values are less.
inline constexpr std::uint32_t kMaxUtsEqualChildren =
    65'535;  // Children of a root or of a balanced tree's node.

// The state of a root: the digest of 16 bytes of 0 and the seed.
MILLRACE_FUNCTION inline Sha1Digest uts_root(std::uint32_t seed) {
  std::uint32_t block[16] = {0, 0, 0, 0, seed, 0x80000000};
  block[15] = 8 * 20;
  return sha1_of_block(block);
}

// The state of a node's child: the digest of the node's state and the child's number.
MILLRACE_FUNCTION inline Sha1Digest uts_child(const Sha1Digest& parent, std::uint32_t number) {
  std::uint32_t block[16] = {};
  for (int i = 0; i < 5; ++i) block[i] = parent.words[i];
  block[5] = number;
  block[6] = 0x80000000;
  block[15] = 8 * 24;
  return sha1_of_block(block);
}

// The same, hashed `times` times.
MILLRACE_FUNCTION inline Sha1Digest uts_child(const Sha1Digest& parent, std::uint32_t number,
                                              std::uint32_t times) {
  Sha1Digest child = uts_child(parent, number);
  if (times == 1) return child;
  volatile std::uint32_t same_number = number;  // Compilers would hash once.
  for (std::uint32_t i = 1; i < times; ++i) {
    const Sha1Digest again = uts_child(parent, same_number);
    for (int word = 0; word < 5; ++word) child.words[word] |= again.words[word];
  }
  return child;
}

// The random value of a node.
MILLRACE_FUNCTION inline std::uint32_t uts_value(const Sha1Digest& state) {
  return state.words[4] & (kUtsValues - 1);
}

// A tree states the number of children of its nodes, and holds the counts of a search. Nodes of the
// first depths have equally many children, deeper ones follow a geometric distribution, and the
// rest a binomial one.
struct UtsTree {
  std::uint32_t equal_depths;
  std::uint32_t equal_children;
  std::uint32_t geometric_depths;     // Depths before the first binomial one.
  const std::uint32_t* least_values;  // kMaxUtsChildren for each depth before geometric_depths.
  std::uint32_t branching_values;     // Binomial nodes with smaller values have children.
  std::uint32_t branching_children;   // Number of these.
  std::uint32_t granularity;          // Times that a node is hashed.
  std::uint32_t max_depth;
  std::uint64_t* nodes;   // Number of nodes at each depth from 0 to max_depth.
  std::uint64_t* leaves;  // Number of leaves at all depths together.

  MILLRACE_FUNCTION std::uint32_t children(std::uint32_t depth, std::uint32_t value) const {
    if (depth < equal_depths) return equal_children;
    if (depth < geometric_depths) return geometric_children(depth, value);
    return value < branching_values ? branching_children : 0;
  }

  MILLRACE_FUNCTION std::uint32_t geometric_children(std::uint32_t depth,
                                                     std::uint32_t value) const {
    const std::uint32_t* const least = least_values + depth * kMaxUtsChildren;
    std::uint32_t children = 0;
    while (children < kMaxUtsChildren && value >= least[children]) ++children;
    return children;
  }
};

// A node below the root. It travels: each device has a UtsTree of its own.
struct UtsNode {
  static constexpr bool kTravels = true;
  static constexpr int kTooDeep = 1;  // Failure of a node at max_depth that has children.

  Sha1Digest parent;
  std::uint16_t number;  // Among its parent's children.
  std::uint16_t depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const UtsTree& tree = context.arguments();
    const Sha1Digest state = uts_child(parent, number, tree.granularity);
    const std::uint32_t children = tree.children(depth, uts_value(state));
    if (children == 0) return context.add(tree.leaves, std::uint64_t{1});
    if (depth == tree.max_depth) return context.fail(kTooDeep);
    context.add(tree.nodes + depth + 1, std::uint64_t{children});
    context.spawn_many(children, [&](std::uint32_t i) { return child(state, i); });
  }

 private:
  MILLRACE_FUNCTION UtsNode child(const Sha1Digest& state, std::uint32_t child_number) const {
    return {state, static_cast<std::uint16_t>(child_number), static_cast<std::uint16_t>(depth + 1)};
  }
};
static_assert(sizeof(UtsNode) <= 32,
              "a lane of a GPU holds tasks of at most 32 bytes in registers");

struct UtsTasks : TaskSet<UtsNode> {
  using Arguments = UtsTree;
};

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_UTS_TASKS_H_
