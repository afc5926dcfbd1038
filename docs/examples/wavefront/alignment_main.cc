// SPDX-License-Identifier: Apache-2.0

// alignment: scores the best local alignment of two sequences, and compares with one thread.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/wavefront/alignment.h>
#include <millrace/docs/examples/wavefront/fasta.h>
#include <millrace/runtime/core/check.h>

#include <cstdio>
#include <optional>

namespace {

using namespace millrace::examples;

struct Input {
  std::string first_path;
  std::string second_path;
  std::size_t length = 4000;
  std::uint64_t seed = 1;
  std::uint64_t check_limit = 1'000'000'000;
};

struct Sequences {
  std::string first;
  std::string second;

  std::uint64_t cells() const { return std::uint64_t{first.size()} * second.size(); }
};

Sequences make_sequences(const Input& input) {
  if (input.first_path.empty() != input.second_path.empty()) {
    millrace::reject("one file is '" + input.first_path + input.second_path +
                     "'; give --first and --second, or neither");
  }
  if (!input.first_path.empty()) {
    return {read_fasta(input.first_path), read_fasta(input.second_path)};
  }
  millrace::check_range("length", input.length, 1, kMaxAlignmentLength);
  return {random_sequence(input.length, input.seed), random_sequence(input.length, ~input.seed)};
}

// True if the alignment is that of one thread, or if there is none to compare with.
bool is_right(const Alignment& best, const std::optional<Alignment>& expected) {
  return !expected || best == *expected;
}

void print(const AlignmentResult& result, std::uint64_t cells, bool is_checked) {
  const double seconds = result.report.seconds;
  std::printf("%s: score %d, ends at letters %u and %u%s, %.3f billion cells a second\n",
              to_string(result.report.policy), result.best.score, result.best.first_end,
              result.best.second_end, is_checked ? "" : " (not checked: more than --check-limit)",
              seconds > 0 ? static_cast<double>(cells) / seconds / 1e9 : 0.0);
}

void add_options(CLI::App& app, Input& input, AlignmentOptions& options) {
  const auto add = [&app](const char* name, auto& value, const char* text) {
    app.add_option(name, value, text)->capture_default_str();
  };
  add("--first", input.first_path, "FASTA file, of which the first record is aligned");
  add("--second", input.second_path, "FASTA file of the other sequence");
  add("--length", input.length, "letters of random sequences, where no files are given");
  add("--seed", input.seed, "of the random sequences");
  add("--match", options.match, "score of equal letters, 0 to 1000");
  add("--mismatch", options.mismatch, "score of different letters, -1000 to 0");
  add("--gap", options.gap, "score of a letter without partner, -1000 to 0");
  add("--tile", options.tile, "rows and columns of a task, 1 to 128");
  add("--check-limit", input.check_limit, "cells that one thread computes at most to check");
}

}  // namespace

int main(int argc, char** argv) {
  ExampleCommand command("Local alignment: tiles of a table wait for those above and to the left.",
                         {"tiles"});
  Input input;
  AlignmentOptions options;
  add_options(command.app(), input, options);

  std::optional<Sequences> sequences;
  std::optional<Alignment> expected;
  return command.run(argc, argv, [&](millrace::Queue& queue, millrace::Policy policy) {
    options.run.policy = policy;
    const bool is_first = !sequences;
    if (is_first) sequences = make_sequences(input);
    const auto result = align(queue, sequences->first, sequences->second, options);
    if (is_first && sequences->cells() <= input.check_limit) {
      expected = align_directly(sequences->first, sequences->second, options);
    }
    print(result, sequences->cells(), expected.has_value());
    command.add(result.report);
    if (!expected) command.skip_check();
    return is_right(result.best, expected);
  });
}
