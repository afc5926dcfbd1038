// SPDX-License-Identifier: Apache-2.0

// Sample trees of the unbalanced tree search benchmark, as inputs of workloads.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_UTS_TREES_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_UTS_TREES_H_

#include <millrace/docs/examples/tree_search/uts_definition.h>

#include <string>
#include <vector>

namespace millrace::tools {

// Returns the names that the benchmark's authors gave their geometric and binomial trees: first
// those of 4 million nodes each, then those of 100 million.
std::vector<std::string> uts_tree_names();

// Returns the tree of that name, with `percent` per cent of its depth or, if it is binomial, of its
// nodes' probability to have children.
examples::UtsTreeOptions scaled_uts_tree(const std::string& name, int percent);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_JOINS_UTS_TREES_H_
