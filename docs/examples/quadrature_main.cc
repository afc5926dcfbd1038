// SPDX-License-Identifier: Apache-2.0

// quadrature: integrates four functions adaptively, and compares with the exact integrals.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/quadrature.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

using millrace::examples::Integral;

void print(const std::vector<Integral>& integrals) {
  std::printf("%-21s %10s %20s %10s %10s\n", "integrand", "intervals", "integral", "error",
              "bound");
  for (const Integral& integral : integrals) {
    std::printf("%-21s %10llu %20.14f %10.1e %10.1e  %s\n", integral.name.c_str(),
                static_cast<unsigned long long>(integral.intervals), integral.value,
                std::fabs(integral.value - integral.exact), integral.bound,
                integral.correct() ? "ok" : "WRONG");
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  millrace::examples::ExampleCommand command(
      "Adaptive quadrature: intervals spawn their halves until the estimated error is small.",
      {"runge", "chirp", "near pole", "near root"});
  millrace::examples::QuadratureOptions options;
  command.app()
      .add_option("--tolerance", options.tolerance, "absolute error allowed for each integral")
      ->capture_default_str();

  return command.run(argc, argv, [&](millrace::Queue& queue, millrace::Policy policy) {
    options.run.policy = policy;
    const auto result = integrate_all(queue, options);
    print(result.integrals);
    command.add(result.report);
    return std::all_of(result.integrals.begin(), result.integrals.end(),
                       [](const Integral& integral) { return integral.correct(); });
  });
}
