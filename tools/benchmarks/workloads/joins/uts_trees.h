// SPDX-License-Identifier: Apache-2.0

// Sample trees of the unbalanced tree search benchmark, as inputs of workloads.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_UTS_TREES_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_UTS_TREES_H_

#include <millrace/docs/examples/tree_search/uts_definition.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

// Returns the names that the benchmark's authors gave their geometric and binomial trees: first
// those of 4 million nodes each, then those of 100 million.
std::vector<std::string> uts_tree_names();

// A workload's size is a percentage of the tree; this one is the tree itself.
inline constexpr int kWholeUtsTree = 100;

// Workload::size_rule and Workload::is_size of these trees.
inline constexpr char kUtsSizeRule[] =
    "is 1 to 100, per cent of the tree's depth, or for T3 and T3L of its probability of children";
inline bool is_uts_size(std::uint64_t size) { return size >= 1 && size <= kWholeUtsTree; }

// Returns the tree of that name, with `percent` per cent of its depth or, if it is binomial, of its
// nodes' probability to have children.
examples::UtsTreeOptions scaled_uts_tree(const std::string& name, int percent);

// UtsOptions::max_depth for all of these trees: T3L has 17,844 levels.
inline constexpr int kMaxUtsDepth = 20'000;

// Returns the published counts of a tree, or those that count_uts_directly() finds if there are
// none.
examples::UtsCounts known_uts_counts(const examples::UtsTreeOptions& tree);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_UTS_TREES_H_
