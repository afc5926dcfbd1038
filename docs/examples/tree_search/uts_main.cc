// SPDX-License-Identifier: Apache-2.0

// uts: searches a tree of the unbalanced tree search benchmark, whose options it takes, and
// compares with the published counts, or for other trees with those of one thread.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/tree_search/uts.h>

#include <cstdio>
#include <optional>

namespace {

using namespace millrace::examples;

// A right count, if there is one.
class Expected {
 public:
  // Counts other trees than the published ones up to `most_nodes`.
  Expected(const UtsTreeOptions& tree, std::uint64_t most_nodes)
      : counts_(published_uts_counts(tree)), source_("published") {
    if (counts_) return;
    counts_ = count_uts_directly(tree, most_nodes);
    source_ = counts_ ? "by one thread" : "not checked: more than --check-limit";
  }

  bool is_right(const UtsCounts& counts) const { return !counts_ || counts == *counts_; }
  const char* source() const { return source_; }

 private:
  std::optional<UtsCounts> counts_;
  const char* source_;
};

void print(const UtsResult& result, const char* source) {
  const double seconds = result.report.seconds;
  std::printf("%s: %llu nodes, depth %u, %llu leaves (%s), %.2f million nodes a second\n",
              to_string(result.report.policy), static_cast<unsigned long long>(result.counts.nodes),
              result.counts.depth, static_cast<unsigned long long>(result.counts.leaves), source,
              seconds > 0 ? static_cast<double>(result.counts.nodes) / seconds / 1e6 : 0.0);
}

void add_options(CLI::App& app, UtsOptions& options, std::uint64_t& check_limit) {
  // The benchmark's own command lines give some options twice.
  const auto add = [&app](const char* name, auto& value, const char* text) {
    app.add_option(name, value, text)->capture_default_str()->take_last();
  };
  UtsTreeOptions& tree = options.tree;
  add("-t,--type", tree.type, "0 binomial, 1 geometric, 2 hybrid, 3 balanced");
  add("-a,--shape", tree.shape, "0 linear, 1 exponential, 2 cyclic, 3 fixed (geometric, hybrid)");
  add("-b,--branching", tree.branching, "mean number of the root's children");
  add("-d,--depth", tree.depth, "depth of the shape (geometric, hybrid), of the tree (balanced)");
  add("-q,--probability", tree.nonleaf_probability, "of having children (binomial, hybrid)");
  add("-m,--children", tree.nonleaf_children, "number of them (binomial, hybrid)");
  add("-f,--shift", tree.shift, "fraction of the depth that is geometric (hybrid)");
  add("-r,--seed", tree.seed, "of the root");
  add("-g,--granularity", options.granularity, "times that each node is hashed");
  add("--max-depth", options.max_depth, "deepest node that is counted");
  add("--check-limit", check_limit, "nodes that one thread counts at most to check");
}

}  // namespace

int main(int argc, char** argv) {
  ExampleCommand command("Unbalanced tree search: a node is a task that spawns its children.",
                         {"nodes"});
  UtsOptions options;
  std::uint64_t check_limit = 10'000'000;
  add_options(command.app(), options, check_limit);

  std::optional<Expected> expected;
  return command.run_shared(argc, argv,
                            [&](const ExampleDevices& devices, millrace::Policy policy) {
                              options.run.policy = policy;
                              const UtsResult result = search_uts(devices, options);
                              if (!expected) expected.emplace(options.tree, check_limit);
                              print(result, expected->source());
                              command.add(result.report, result.devices);
                              return expected->is_right(result.counts);
                            });
}
