// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/tree_search/uts_definition.h>
#include <millrace/docs/examples/tree_search/uts_tasks.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string_view>
#include <vector>

namespace millrace::examples {
namespace {

constexpr int kMaxDepthOption = 10'000;

void check_real(std::string_view name, double value, double least, double most) {
  if (value >= least && value <= most) return;
  std::ostringstream message;
  message << name << " is " << value << "; it must be " << least << " to " << most;
  reject(message.str());
}

// The mean number of children of the root and of geometric nodes at `depth`.
double mean_children(const UtsTreeOptions& options, int depth) {
  const double mean = options.branching;
  if (depth == 0) return mean;
  const double at = depth;
  switch (options.shape) {
    case UtsShape::kExponential:
      return mean * std::pow(at, -std::log(mean) / std::log(static_cast<double>(options.depth)));
    case UtsShape::kCyclic:
      if (depth > 5 * options.depth) return 0;
      return std::pow(mean, std::sin(2 * std::numbers::pi * at / options.depth));
    case UtsShape::kFixed: return depth < options.depth ? mean : 0;
    case UtsShape::kLinear: break;
  }
  return std::max(0.0, mean * (1 - at / options.depth));
}

// Depths from which geometric nodes have no children.
int shape_end(const UtsTreeOptions& options, int limit) {
  if (options.shape == UtsShape::kExponential) return limit;
  return options.shape == UtsShape::kCyclic ? 5 * options.depth + 1 : options.depth;
}

struct Node {
  Sha1Digest state;
  int depth;
};

// True if the options differ at most in members that their type does not use.
bool is_same_tree(const UtsTreeOptions& a, const UtsTreeOptions& b) {
  const bool is_geometric = a.type == UtsType::kGeometric || a.type == UtsType::kHybrid;
  const bool is_binomial = a.type == UtsType::kBinomial || a.type == UtsType::kHybrid;
  return a.type == b.type && a.branching == b.branching && a.seed == b.seed &&
         (!is_geometric || (a.shape == b.shape && a.depth == b.depth)) &&
         (!is_binomial || (a.nonleaf_probability == b.nonleaf_probability &&
                           a.nonleaf_children == b.nonleaf_children)) &&
         (a.type != UtsType::kHybrid || a.shift == b.shift);
}

}  // namespace

void check_uts_tree(const UtsTreeOptions& options) {
  check_range("type", static_cast<int>(options.type), 0, 3);
  check_range("shape", static_cast<int>(options.shape), 0, 3);
  // Else the exponential shape has no logarithm to divide by, or grows.
  const bool is_exponential = options.shape == UtsShape::kExponential;
  check_real("branching", options.branching, is_exponential ? 1 : 1e-3, kMaxUtsEqualChildren);
  check_range("depth", options.depth, is_exponential ? 2 : 1, kMaxDepthOption);
  check_real("nonleaf_probability", options.nonleaf_probability, 0, 1);
  check_range("nonleaf_children", options.nonleaf_children, 0, static_cast<int>(kMaxUtsChildren));
  check_real("shift", options.shift, 0, 1);
}

int uts_equal_depths(const UtsTreeOptions& options) {
  if (options.type == UtsType::kBalanced) return options.depth;
  return options.type == UtsType::kBinomial ? 1 : 0;
}

int uts_equal_children(const UtsTreeOptions& options) {
  return static_cast<int>(options.branching);
}

int uts_geometric_depths(const UtsTreeOptions& options, int limit) {
  switch (options.type) {
    case UtsType::kGeometric: return std::min(shape_end(options, limit), limit);
    case UtsType::kHybrid:
      return std::min(static_cast<int>(std::ceil(options.shift * options.depth)), limit);
    default: return 0;
  }
}

std::uint32_t uts_geometric_children(const UtsTreeOptions& options, int depth,
                                     std::uint32_t value) {
  const double probability = 1 / (1 + mean_children(options, depth));
  const double uniform = value / static_cast<double>(kUtsValues);
  const double children = std::floor(std::log(1 - uniform) / std::log(1 - probability));
  return children < kMaxUtsChildren ? static_cast<std::uint32_t>(children) : kMaxUtsChildren;
}

std::uint32_t uts_binomial_children(const UtsTreeOptions& options, std::uint32_t value) {
  if (options.type != UtsType::kBinomial && options.type != UtsType::kHybrid) return 0;
  const double uniform = value / static_cast<double>(kUtsValues);
  const bool has_children = uniform < options.nonleaf_probability;
  return has_children ? static_cast<std::uint32_t>(options.nonleaf_children) : 0;
}

std::uint32_t uts_children(const UtsTreeOptions& options, int depth, std::uint32_t value) {
  if (depth < uts_equal_depths(options)) {
    return static_cast<std::uint32_t>(uts_equal_children(options));
  }
  if (depth < uts_geometric_depths(options, depth + 1)) {
    return uts_geometric_children(options, depth, value);
  }
  return uts_binomial_children(options, value);
}

std::optional<UtsCounts> count_uts_directly(const UtsTreeOptions& options,
                                            std::uint64_t most_nodes) {
  check_uts_tree(options);
  UtsCounts counts;
  std::vector<Node> waiting = {{uts_root(static_cast<std::uint32_t>(options.seed)), 0}};
  while (!waiting.empty()) {
    if (++counts.nodes > most_nodes) return {};
    const Node node = waiting.back();
    waiting.pop_back();
    counts.depth = std::max(counts.depth, static_cast<std::uint32_t>(node.depth));
    const std::uint32_t children = uts_children(options, node.depth, uts_value(node.state));
    if (children == 0) ++counts.leaves;
    for (std::uint32_t i = 0; i < children; ++i) {
      waiting.push_back({uts_child(node.state, i), node.depth + 1});
    }
  }
  return counts;
}

std::optional<UtsCounts> published_uts_counts(const UtsTreeOptions& options) {
  struct Sample {
    UtsTreeOptions options;
    UtsCounts counts;
  };
  using enum UtsType;
  using enum UtsShape;
  // Nodes, leaves and depth of T1 to T5, T1L, T2L and T3L.
  const Sample samples[] = {
      {{.type = kGeometric, .shape = kFixed, .branching = 4, .depth = 10, .seed = 19},
       {4'130'071, 3'305'118, 10}},
      {{.type = kGeometric, .shape = kCyclic, .branching = 6, .depth = 16, .seed = 502},
       {4'117'769, 2'342'762, 81}},
      {{.type = kBinomial,
        .branching = 2000,
        .nonleaf_probability = 0.124875,
        .nonleaf_children = 8,
        .seed = 42},
       {4'112'897, 3'599'034, 1572}},
      {{.type = kHybrid,
        .shape = kLinear,
        .branching = 6,
        .depth = 16,
        .nonleaf_probability = 0.234375,
        .nonleaf_children = 4,
        .seed = 1},
       {4'132'453, 3'108'986, 134}},
      {{.type = kGeometric, .shape = kLinear, .branching = 4, .depth = 20, .seed = 34},
       {4'147'582, 2'181'318, 20}},
      {{.type = kGeometric, .shape = kFixed, .branching = 4, .depth = 13, .seed = 29},
       {102'181'082, 81'746'377, 13}},
      {{.type = kGeometric, .shape = kCyclic, .branching = 7, .depth = 23, .seed = 220},
       {96'793'510, 53'791'152, 67}},
      {{.type = kBinomial,
        .branching = 2000,
        .nonleaf_probability = 0.200014,
        .nonleaf_children = 5,
        .seed = 7},
       {111'345'631, 89'076'904, 17'844}},
  };
  for (const Sample& sample : samples) {
    if (is_same_tree(options, sample.options)) return sample.counts;
  }
  return {};
}

}  // namespace millrace::examples
