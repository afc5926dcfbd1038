// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/copies/byte_pattern.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace millrace::tools {
namespace {

TEST(RequireEqual, NamesTheFirstByteThatDiffers) {
  std::vector<std::byte> original(1000);
  for (std::size_t i = 0; i < original.size(); ++i) original[i] = static_cast<std::byte>(i % 251);
  std::vector<std::byte> copy = original;
  EXPECT_NO_THROW(require_equal(original, copy));
  copy[999] = std::byte{0};
  EXPECT_THAT(
      [&] { require_equal(original, copy); },
      testing::ThrowsMessage<Error>(testing::HasSubstr("byte 999 of the copy is 0; right is 246")));
  copy[300] = std::byte{255};
  EXPECT_THAT([&] { require_equal(original, copy); },
              testing::ThrowsMessage<Error>(
                  testing::HasSubstr("byte 300 of the copy is 255; right is 49")));
}

}  // namespace
}  // namespace millrace::tools
