// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/policy.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace millrace {
namespace {

TEST(Policy, IsParsedFromWhatIsPrinted) {
  for (const Policy policy : kConcretePolicies) EXPECT_EQ(parse_policy(to_string(policy)), policy);
  EXPECT_EQ(parse_policy(to_string(Policy::kAuto)), Policy::kAuto);
}

TEST(Policy, NamesAreStable) {
  EXPECT_EQ(parse_policy("persistent"), Policy::kPersistentThreads);
  EXPECT_EQ(parse_policy("uberkernel"), Policy::kUberkernel);
  EXPECT_EQ(parse_policy("kernel-per-type"), Policy::kKernelPerType);
  EXPECT_EQ(parse_policy("auto"), Policy::kAuto);
}

TEST(Policy, OtherNamesAreRejectedWithTheValidOnesAndTheNearest) {
  const std::pair<const char*, const char*> names[] = {
      {"", ""},
      {"waves", ""},
      {"Persistent", "; did you mean 'persistent'?"},
      {"persistent ", "; did you mean 'persistent'?"},
      {"uberkernal", "; did you mean 'uberkernel'?"},
      {"atuo", "; did you mean 'auto'?"}};
  for (const auto& [name, nearest] : names) {
    try {
      parse_policy(name);
      ADD_FAILURE() << "'" << name << "' was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_EQ(std::string(error.what()),
                "no policy '" + std::string(name) +
                    "'; there are: auto, persistent, uberkernel, kernel-per-type" + nearest);
    }
  }
}

}  // namespace
}  // namespace millrace
