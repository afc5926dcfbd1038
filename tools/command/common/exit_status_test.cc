// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/exit_status.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace millrace::tools {
namespace {

int status_of(std::uint64_t failed, std::uint64_t succeeded) {
  try {
    check_failed_inputs(failed, succeeded);
  } catch (const ExitStatus& exit) {
    return exit.status();
  }
  return 0;
}

TEST(ExitStatusTest, SaysHowManyInputsHaveFailed) {
  EXPECT_EQ(status_of(0, 3), 0);
  EXPECT_EQ(status_of(0, 0), 0);
  EXPECT_EQ(status_of(1, 2), 1);
  EXPECT_EQ(status_of(3, 0), 2);
}

}  // namespace
}  // namespace millrace::tools
