// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_probe.h>
#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_simd.h>

#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using conformance::device_names;

constexpr ArithmeticKind kKinds[] = {ArithmeticKind::kAdditions, ArithmeticKind::kMultiplyAdds};

TEST(ArithmeticOperations, AreOneOrTwoForEachValueAndIteration) {
  EXPECT_EQ(arithmetic_operations(ArithmeticKind::kAdditions, 10), 80);
  EXPECT_EQ(arithmetic_operations(ArithmeticKind::kMultiplyAdds, 10), 160);
}

// The first lane's numbers are 1 to 8. An iteration makes them, in the order of the code, 3, 7, 11,
// 15, and then 2 + 7, 4 + 11, 6 + 15 and 8 + 3.
TEST(Calculate, AddsNeighbours) {
  EXPECT_EQ(calculate(ArithmeticKind::kAdditions, 0), 36);
  EXPECT_EQ(calculate(ArithmeticKind::kAdditions, 1), 3 + 7 + 11 + 15 + 9 + 15 + 21 + 11);
}

TEST(Calculate, MultipliesAndAdds) {
  const double sum = 1.1 + 1.2 + 1.3 + 1.4 + 1.5 + 1.6 + 1.7 + 1.8;
  EXPECT_NEAR(calculate(ArithmeticKind::kMultiplyAdds, 0), sum, 1e-12);
  EXPECT_NEAR(calculate(ArithmeticKind::kMultiplyAdds, 1), 0.999 * sum + 8 * 0.001, 1e-12);
}

TEST(Calculate, HasVectorsOfOneWidth) {
  EXPECT_EQ(arithmetic_lanes(ArithmeticKind::kAdditions),
            4 * arithmetic_lanes(ArithmeticKind::kMultiplyAdds));
}

TEST(ArithmeticProbe, RunsOnEachDevice) {
  for (const std::string& name : device_names()) {
    const auto device = open_device(name);
    const auto queue = device->make_queue();
    for (const ArithmeticKind kind : kKinds) {
      ArithmeticProbe probe(*queue, kind);
      if (!probe.is_there()) continue;
      const ArithmeticRun run = probe.run();
      EXPECT_GT(run.operations, 0) << name;
      EXPECT_GE(run.seconds, 0) << name;
      EXPECT_EQ(probe.run().operations, run.operations) << name;
    }
  }
}

TEST(ArithmeticProbe, IsThereOnTheCpu) {
  const auto queue = open_device("tbb")->make_queue();
  for (const ArithmeticKind kind : kKinds) EXPECT_TRUE(ArithmeticProbe(*queue, kind).is_there());
}

}  // namespace
}  // namespace millrace::tools
