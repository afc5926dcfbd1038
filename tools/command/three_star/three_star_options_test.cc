// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/three_star/three_star_options.h>

#include <gtest/gtest.h>

#include <string>

namespace millrace::tools {
namespace {

constexpr std::size_t kMemory = std::size_t{16} << 30;

TEST(ThreeStarOptionsTest, RandomPointsFitIntoMemory) {
  EXPECT_NO_THROW(check_random_points(1, kMemory));
  EXPECT_NO_THROW(check_random_points(102'400'000, kMemory));
  EXPECT_NO_THROW(check_random_points(268'435'456, kMemory));
}

TEST(ThreeStarOptionsTest, MoreThanMemoryHoldsAreRejected) {
  try {
    check_random_points(4'294'967'295, kMemory);
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what())
                  .find("--random is 4294967295; with 16384 MiB of memory, give 1 to 268435456"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace millrace::tools
