// SPDX-License-Identifier: Apache-2.0

// merge_sort: sorts random pairs by fork and join, and compares with std::stable_sort.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/recursion/merge_sort.h>
#include <millrace/runtime/core/check.h>

#include <cstdio>

namespace {

using namespace millrace::examples;

struct Input {
  std::size_t size = 1'000'000;
  std::uint32_t keys = 100'000;
  std::uint64_t seed = 1;

  std::vector<SortPair> pairs() const {
    millrace::check_range("size", size, 1, kMaxMergeSortSize);
    millrace::check_range("keys", keys, 1, 0xFFFFFFFF);
    return random_pairs(size, keys, seed);
  }
};

void add_options(CLI::App& app, Input& input, MergeSortOptions& options) {
  const auto add = [&app](const char* name, auto& value, const char* text) {
    app.add_option(name, value, text)->capture_default_str();
  };
  add("--size", input.size, "pairs, 1 to 134217728");
  add("--keys", input.keys, "different keys at most");
  add("--seed", input.seed, "of the random keys");
  add("--cut-off", options.cut_off, "pairs that one task sorts at most");
  add("--part", options.segment, "pairs that one task merges at most");
}

}  // namespace

int main(int argc, char** argv) {
  ExampleCommand command("Merge sort: a range waits for its halves by a join.",
                         {"ranges", "merges", "segments"});
  Input input;
  MergeSortOptions options;
  add_options(command.app(), input, options);

  std::vector<SortPair> pairs;
  std::vector<SortPair> expected;
  return command.run(argc, argv, [&](millrace::Queue& queue, millrace::Policy policy) {
    options.run.policy = policy;
    if (pairs.empty()) {
      pairs = input.pairs();
      expected = sort_directly(pairs);
    }
    const auto result = merge_sort(queue, pairs, options);
    const double seconds = result.report.seconds;
    std::printf("%s: %zu pairs, %.2f million a second\n", to_string(result.report.policy),
                pairs.size(), seconds > 0 ? static_cast<double>(pairs.size()) / seconds / 1e6 : 0);
    command.add(result.report);
    return result.pairs == expected;
  });
}
