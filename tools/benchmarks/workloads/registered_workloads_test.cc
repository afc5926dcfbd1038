// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/registered_workloads.h>

#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

Workload named(const char* name) {
  Workload workload;
  workload.name = name;
  return workload;
}

std::vector<Workload> make_two() { return {named("second"), named("third")}; }
std::vector<Workload> make_one() { return {named("first")}; }

const RegisterWorkloads registered_two(&make_two);
const RegisterWorkloads registered_one(&make_one);

TEST(RegisteredWorkloadsTest, AreOrderedByName) {
  const std::vector<Workload> workloads = registered_workloads();
  ASSERT_EQ(workloads.size(), 3u);
  EXPECT_EQ(workloads[0].name, "first");
  EXPECT_EQ(workloads[1].name, "second");
  EXPECT_EQ(workloads[2].name, "third");
}

}  // namespace
}  // namespace millrace::tools
