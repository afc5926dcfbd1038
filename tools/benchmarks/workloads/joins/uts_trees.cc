// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/joins/uts_trees.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace millrace::tools {
namespace {

using examples::UtsCounts;
using examples::UtsShape;
using examples::UtsTreeOptions;
using examples::UtsType;

struct NamedTree {
  const char* name;
  UtsTreeOptions options;
};

// A quick measurement is of the first one.
constexpr NamedTree kTrees[] = {
    {"T1", {.shape = UtsShape::kFixed, .branching = 4, .depth = 10, .seed = 19}},
    {"T3",
     {.type = UtsType::kBinomial,
      .branching = 2000,
      .nonleaf_probability = 0.124875,
      .nonleaf_children = 8,
      .seed = 42}},
    {"T1L", {.shape = UtsShape::kFixed, .branching = 4, .depth = 13, .seed = 29}},
    {"T3L",
     {.type = UtsType::kBinomial,
      .branching = 2000,
      .nonleaf_probability = 0.200014,
      .nonleaf_children = 5,
      .seed = 7}},
};

}  // namespace

std::vector<std::string> uts_tree_names() {
  std::vector<std::string> names;
  for (const NamedTree& tree : kTrees) names.emplace_back(tree.name);
  return names;
}

UtsTreeOptions scaled_uts_tree(const std::string& name, int percent) {
  UtsTreeOptions tree = std::ranges::find(kTrees, name, &NamedTree::name)->options;
  tree.depth = std::max(1, tree.depth * percent / kWholeUtsTree);
  tree.nonleaf_probability = tree.nonleaf_probability * percent / kWholeUtsTree;
  return tree;
}

UtsCounts known_uts_counts(const UtsTreeOptions& tree) {
  if (const auto published = examples::published_uts_counts(tree)) return *published;
  return *examples::count_uts_directly(tree, std::numeric_limits<std::uint64_t>::max());
}

}  // namespace millrace::tools
