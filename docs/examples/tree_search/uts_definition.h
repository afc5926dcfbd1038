// SPDX-License-Identifier: Apache-2.0

// The trees of the unbalanced tree search benchmark (S. Olivier et al., UTS: An Unbalanced Tree
// Search Benchmark, LCPC 2006), with SHA-1 as their source of random numbers.
#ifndef MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_UTS_DEFINITION_H_
#define MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_UTS_DEFINITION_H_

#include <cstdint>
#include <optional>

namespace millrace::examples {

// The values are those of the benchmark's option -t.
enum class UtsType : int {
  kBinomial = 0,   // Below the root a node has nonleaf_children or none.
  kGeometric = 1,  // The number of children has a geometric distribution, its mean by `shape`.
  kHybrid = 2,     // Geometric near the root, then binomial.
  kBalanced = 3,   // All nodes above `depth` have equally many children.
};

// The mean number of children of a geometric node by its depth. The values are those of -a.
enum class UtsShape : int { kLinear = 0, kExponential = 1, kCyclic = 2, kFixed = 3 };

// The letters are the benchmark's options; so are the defaults.
struct UtsTreeOptions {
  UtsType type = UtsType::kGeometric;        // -t
  UtsShape shape = UtsShape::kLinear;        // -a
  double branching = 4;                      // -b: mean number of the root's children.
  int depth = 6;                             // -d: of geometric and balanced trees.
  double nonleaf_probability = 15.0 / 64.0;  // -q: that a binomial node has children.
  int nonleaf_children = 4;                  // -m
  double shift = 0.5;  // -f: fraction of `depth` from which a hybrid tree is binomial.
  int seed = 0;        // -r
};

struct UtsCounts {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint32_t depth = 0;  // The deepest node's.

  friend bool operator==(const UtsCounts&, const UtsCounts&) = default;
};

// Throws kInvalidArgument for an option out of range.
void check_uts_tree(const UtsTreeOptions& options);

// Returns the number of depths, from the root on, at which all nodes have uts_equal_children().
int uts_equal_depths(const UtsTreeOptions& options);
int uts_equal_children(const UtsTreeOptions& options);

// Returns the number of depths, from the root on, that may have geometric nodes with children; at
// most `limit`.
int uts_geometric_depths(const UtsTreeOptions& options, int limit);

// Returns the number of children of a node with a random value of 31 bits, and the same of a node
// that is known to be geometric or binomial.
std::uint32_t uts_children(const UtsTreeOptions& options, int depth, std::uint32_t value);
std::uint32_t uts_geometric_children(const UtsTreeOptions& options, int depth, std::uint32_t value);
std::uint32_t uts_binomial_children(const UtsTreeOptions& options, std::uint32_t value);

// Counts on this thread; nothing if the tree has more than `most_nodes` nodes.
std::optional<UtsCounts> count_uts_directly(const UtsTreeOptions& options,
                                            std::uint64_t most_nodes);

// The counts that the benchmark's authors have published for their sample trees T1 to T5, T1L, T2L
// and T3L; nothing for another tree.
std::optional<UtsCounts> published_uts_counts(const UtsTreeOptions& options);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_UTS_DEFINITION_H_
