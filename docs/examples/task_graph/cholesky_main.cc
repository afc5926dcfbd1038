// SPDX-License-Identifier: Apache-2.0

// cholesky: factors a random positive definite matrix by a graph of tasks, and checks the residual.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/task_graph/cholesky.h>

#include <cstdio>
#include <optional>

namespace {

using namespace millrace::examples;

struct Input {
  int size = 1000;
  int tile = 64;
  std::uint64_t seed = 1;
  bool is_checked = true;
};

void add_options(CLI::App& app, Input& input) {
  const auto add = [&app](const char* name, auto& value, const char* text) {
    app.add_option(name, value, text)->capture_default_str();
  };
  add("--size", input.size, "rows of the matrix, 1 to 32768");
  add("--tile", input.tile, "rows of a tile, a multiple of 8 up to 256");
  add("--seed", input.seed, "of the random matrix");
  app.add_flag("--check,!--no-check", input.is_checked,
               "compute the residual, on one thread (the default)");
}

// Prints a line and returns true if the residual is within its bound, or is not asked for.
bool report(const CholeskyResult& result, const TiledMatrix& matrix, bool is_checked) {
  const double seconds = result.report.seconds;
  std::printf("%s: %.2f GFLOP/s, ", to_string(result.report.policy),
              seconds > 0 ? cholesky_operations(matrix.size()) / seconds / 1e9 : 0.0);
  if (!is_checked) {
    std::printf("not checked: --no-check\n");
    return true;
  }
  const double residual = cholesky_residual(matrix, result.factor);
  const double bound = cholesky_residual_bound(matrix);
  std::printf("|A - L L^T| / (|A| n eps) is %.3g, at most %.3g\n", residual, bound);
  return residual <= bound;
}

}  // namespace

int main(int argc, char** argv) {
  ExampleCommand command("Cholesky's factorization: steps of tiles wait for others by counters.",
                         {"potrf", "trsm", "syrk", "gemm"});
  Input input;
  add_options(command.app(), input);

  std::optional<TiledMatrix> matrix;
  return command.run(argc, argv, [&](millrace::Queue& queue, millrace::Policy policy) {
    if (!matrix) matrix = random_positive_definite(input.size, input.tile, input.seed);
    const auto result = factor_cholesky(queue, *matrix, {.policy = policy});
    command.add(result.report);
    if (!input.is_checked) command.skip_check();
    return report(result, *matrix, input.is_checked);
  });
}
