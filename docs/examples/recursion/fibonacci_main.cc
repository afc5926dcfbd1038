// SPDX-License-Identifier: Apache-2.0

// fibonacci: computes a number of Fibonacci by a task for every call, and compares with additions.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/recursion/fibonacci.h>

#include <cstdio>

int main(int argc, char** argv) {
  millrace::examples::ExampleCommand command(
      "Fibonacci's numbers: every call is a task that waits for two others by a join.",
      {"start", "calls", "sums", "end"});
  millrace::examples::FibonacciOptions options;
  command.app().add_option("--n", options.n, "index of the number, 0 to 45")->capture_default_str();

  return command.run_shared(
      argc, argv, [&](const millrace::examples::ExampleDevices& devices, millrace::Policy policy) {
        options.run.policy = policy;
        const auto result = compute_fibonacci(devices, options);
        const std::uint64_t expected = millrace::examples::fibonacci_by_additions(options.n);
        const double seconds = result.report.seconds;
        std::printf("fibonacci(%d), %s: %llu, %llu by additions, %.2f million tasks a second\n",
                    options.n, to_string(result.report.policy),
                    static_cast<unsigned long long>(result.value),
                    static_cast<unsigned long long>(expected),
                    seconds > 0 ? static_cast<double>(result.report.tasks()) / seconds / 1e6 : 0.0);
        command.add(result.report, result.devices);
        return result.value == expected;
      });
}
