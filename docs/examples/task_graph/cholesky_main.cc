// SPDX-License-Identifier: Apache-2.0

// cholesky: factors a random positive definite matrix by a graph of tasks, and checks the residual.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/task_graph/cholesky.h>
#include <millrace/docs/examples/task_graph/shared_cholesky.h>

#include <cstdio>
#include <optional>
#include <utility>

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

struct Factored {
  TiledMatrix factor;
  millrace::SharedRunReport report;
};

Factored factor(const ExampleDevices& devices, const TiledMatrix& matrix, millrace::Policy policy) {
  return devices.visit(
      [&](millrace::Queue& queue) -> Factored {
        auto result = factor_cholesky(queue, matrix, {.policy = policy});
        result.report.tasks_by_type.push_back(0);  // Nothing is copied.
        return {std::move(result.factor), {std::move(result.report), {}}};
      },
      [&](const millrace::DeviceGroup& group) -> Factored {
        auto result = factor_cholesky(group, matrix, policy);
        return {std::move(result.factor), std::move(result.report)};
      });
}

// Prints a line and returns true if the residual is within its bound, or is not requested.
bool report(const Factored& result, const TiledMatrix& matrix, bool is_checked) {
  const double seconds = result.report.run.seconds;
  std::printf("%s: %.2f GFLOP/s, ", to_string(result.report.run.policy),
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
  ExampleCommand command(
      "Cholesky's factorization: steps of tiles wait for others by counters. Several devices have "
      "columns in turn, and copy what others need.",
      {"potrf", "trsm", "syrk", "gemm", "copied"});
  Input input;
  add_options(command.app(), input);

  std::optional<TiledMatrix> matrix;
  return command.run_shared(
      argc, argv, [&](const ExampleDevices& devices, millrace::Policy policy) {
        if (!matrix) matrix = random_positive_definite(input.size, input.tile, input.seed);
        const Factored result = factor(devices, *matrix, policy);
        command.add(result.report.run, result.report.devices);
        if (!input.is_checked) command.skip_check();
        return report(result, *matrix, input.is_checked);
      });
}
