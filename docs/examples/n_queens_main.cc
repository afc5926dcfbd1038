// SPDX-License-Identifier: Apache-2.0

// n_queens: counts the solutions of the N queens problem, and compares with the known number.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/n_queens.h>

#include <cstdio>

int main(int argc, char** argv) {
  millrace::examples::ExampleCommand command(
      "N queens: placements spawn their continuations down to a cut-off row.",
      {"placements", "counts"});
  millrace::examples::NQueensOptions options;
  command.app()
      .add_option("--queens", options.queens, "board size, 1 to 18")
      ->capture_default_str();
  command.app()
      .add_option("--cut-off", options.cut_off, "rows filled by spawning tasks")
      ->capture_default_str();

  return command.run(argc, argv, [&](millrace::Queue& queue, millrace::Policy policy) {
    options.run.policy = policy;
    const auto result = count_n_queens(queue, options);
    const std::uint64_t known = millrace::examples::known_n_queens(options.queens);
    std::printf("%d queens, %s: %llu solutions, %llu known\n", options.queens,
                to_string(result.report.policy), static_cast<unsigned long long>(result.solutions),
                static_cast<unsigned long long>(known));
    command.add(result.report);
    return result.solutions == known;
  });
}
