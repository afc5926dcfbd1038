// SPDX-License-Identifier: Apache-2.0

// Arguments that sorts reject.
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::radix_sort {
namespace {

// One valid call, for tests that spoil one argument each. Arguments are checked before the device
// is used.
class SortArgumentTest : public testing::Test {
 protected:
  void expect_rejected(const std::string& word) {
    try {
      sort(*queue, arguments);
      FAIL() << "no error was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }

  std::unique_ptr<Queue> queue = open_device(list_devices().front().name)->make_queue();
  std::vector<std::uint64_t> memory = std::vector<std::uint64_t>(64);
  SortArguments arguments{.key_type = KeyType::kU64,
                          .value_bytes = 8,
                          .count = 8,
                          .keys_in = &memory[0],
                          .keys_out = &memory[16],
                          .values_in = &memory[32],
                          .values_out = &memory[48]};
};

TEST_F(SortArgumentTest, RejectsNullArrays) {
  for (const void* SortArguments::*array : {&SortArguments::keys_in, &SortArguments::values_in}) {
    const void* const valid = std::exchange(arguments.*array, nullptr);
    expect_rejected("_in is null");
    arguments.*array = valid;
  }
  for (void* SortArguments::*array : {&SortArguments::keys_out, &SortArguments::values_out}) {
    void* const valid = std::exchange(arguments.*array, nullptr);
    expect_rejected("_out is null");
    arguments.*array = valid;
  }
}

TEST_F(SortArgumentTest, RejectsValuesThatWouldNotBeUsed) {
  arguments.value_bytes = 0;
  expect_rejected("values_in is not null");
  arguments.value_bytes = 8;
  arguments.is_argsort = true;
  expect_rejected("values_in is not null");
}

TEST_F(SortArgumentTest, RejectsOverlappingArrays) {
  arguments.keys_out = &memory[7];
  expect_rejected("keys_out overlaps keys_in");
  arguments.keys_out = &memory[25];
  expect_rejected("keys_out overlaps values_in");
  arguments.keys_out = &memory[41];
  expect_rejected("keys_out overlaps values_out");
  arguments.keys_out = &memory[16];
  arguments.values_out = &memory[0];
  expect_rejected("values_out overlaps keys_in");
}

TEST_F(SortArgumentTest, RejectsArraysBetweenElements) {
  arguments.keys_in = reinterpret_cast<const char*>(&memory[0]) + 4;
  expect_rejected("keys_in is at an address that is not a multiple of its elements' 8 bytes");
}

TEST_F(SortArgumentTest, RejectsOtherSizesOfValues) {
  arguments.value_bytes = 2;
  expect_rejected("value_bytes is 2; it must be 0, 4 or 8");
}

TEST_F(SortArgumentTest, RejectsAnUnknownKeyType) {
  arguments.key_type = static_cast<KeyType>(11);
  expect_rejected("key_type is 11");
}

TEST_F(SortArgumentTest, RejectsMoreKeysThanMemoryHolds) {
  arguments.count = std::numeric_limits<std::size_t>::max() / 8;
  expect_rejected("count is");
}

TEST_F(SortArgumentTest, RejectsIndicesThatCannotNumberTheKeys) {
  arguments.is_argsort = true;
  arguments.values_in = nullptr;
  arguments.value_bytes = 4;
  arguments.count = (std::size_t{1} << 32) + 1;
  expect_rejected("indices of 4 bytes");
  arguments.value_bytes = 0;
  expect_rejected("value_bytes is 0 for an argsort; it must be 4 or 8");
}

TEST_F(SortArgumentTest, RejectsSpansOfDifferentSizes) {
  std::vector<float> in(5);
  std::vector<float> out(4);
  EXPECT_THROW(sort_keys<float>(*queue, in, out), Error);
  std::vector<std::uint32_t> indices(6);
  EXPECT_THROW((argsort<float, std::uint32_t>(*queue, in, indices)), Error);
}

}  // namespace
}  // namespace millrace::radix_sort
