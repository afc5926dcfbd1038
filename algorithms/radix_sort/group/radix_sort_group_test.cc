// SPDX-License-Identifier: Apache-2.0

// Sorts of host arrays by groups of devices against the reference.
#include <millrace/algorithms/radix_sort/group/group_sort_peers.h>
#include <millrace/algorithms/radix_sort/group/group_sort_runs.h>
#include <millrace/algorithms/radix_sort/host_records_test_input.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/groups.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace millrace::radix_sort {
namespace {

using testing::HasSubstr;

class RadixSortGroupTest : public conformance::GroupTest {
 protected:
  HostRecords random_input(const SortCase& sort, std::size_t count, int random_bits = 64) {
    const RecordSize size{key_bytes(sort.type), sort.is_argsort ? 0 : sort.value_bytes};
    return random_records(size, count, random_bits, random);
  }

  // Sorts in both ways, with portions so small that every device has one.
  void expect_as_reference(const SortCase& sort, const HostRecords& in) {
    HostRecords out;
    SortReport report;
    if (can_sort_by_peers(group, arguments_for(sort, in, out))) {
      sort_by_peers(group, arguments_for(sort, in, out), report);
      EXPECT_TRUE(out == sorted_by_reference(sort, in))
          << to_string(sort.type) << " keys by peers, values of " << sort.value_bytes
          << " bytes, seed " << seed;
    }
    sort_in_group_runs(group, arguments_for(sort, in, out), Policy::kAuto, 1, report);
    EXPECT_TRUE(out == sorted_by_reference(sort, in))
        << to_string(sort.type) << " keys, values of " << sort.value_bytes << " bytes, seed "
        << seed;
  }

  const std::random_device::result_type seed = std::random_device()();
  std::mt19937_64 random{seed};
};

TEST_P(RadixSortGroupTest, SortsEveryTypeOfKey) {
  for (const KeyType type : kKeyTypes) {
    for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
      const SortCase sort{.type = type, .order = order};
      expect_as_reference(sort, random_input(sort, 1001));
    }
  }
}

TEST_P(RadixSortGroupTest, KeepsTheOrderOfEqualKeys) {
  for (const std::size_t value_bytes : {4, 8}) {
    for (const int random_bits : {0, 1, 9}) {
      const SortCase sort{.type = KeyType::kU32, .value_bytes = value_bytes};
      expect_as_reference(sort, random_input(sort, 3003, random_bits));
    }
  }
}

TEST_P(RadixSortGroupTest, FindsTheIndicesOfKeys) {
  for (const std::size_t index_bytes : {4, 8}) {
    for (const bool wants_keys : {true, false}) {
      const SortCase sort{.type = KeyType::kI64,
                          .value_bytes = index_bytes,
                          .is_argsort = true,
                          .wants_keys = wants_keys};
      expect_as_reference(sort, random_input(sort, 2000, 6));
    }
  }
}

TEST_P(RadixSortGroupTest, CopiesBetweenDevicesWhereTheirSlicesFit) {
  const auto can_sort = [this](std::size_t count) {
    return can_sort_by_peers(group, {.key_type = KeyType::kU32, .count = count});
  };
  if (group.size() == 1 || !can_sort(1000)) GTEST_SKIP() << "these have no peers";
  const std::size_t bytes = group.device(0)->info().memory_bytes;
  const std::size_t most = most_records_on_device(bytes, 4, 0);
  // Slices are by speed; that of sorts before this one is as it happened to be. Each of these
  // halves what is left of it.
  const auto add_speeds = [this](double first, double other) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      DeviceSpeeds::shared().add("records sorted by peers", group.device(i)->info().name,
                                 i == 0 ? first : other, 1);
    }
  };
  for (int i = 0; i < 100; ++i) add_speeds(1, 1);
  EXPECT_TRUE(can_sort(most / 2));
  EXPECT_FALSE(can_sort(most));
  // Nearly all of it is the slice of a device that is so much faster, and of another kind.
  if (group.device(0)->info().description == group.device(1)->info().description) return;
  add_speeds(1e9, 1);
  EXPECT_FALSE(can_sort(most / 2));
}

TEST_P(RadixSortGroupTest, SortsSmallNumbersOfRecords) {
  for (const std::size_t count : {1, 2, 3, 31, 1025}) {
    const SortCase sort{.value_bytes = 8};
    expect_as_reference(sort, random_input(sort, count, 8));
  }
}

TEST_P(RadixSortGroupTest, IsCalledAsAQueueIs) {
  const std::size_t count = has_simulated() ? 40'000 : 5'000'000;
  std::vector<float> keys(count);
  std::vector<std::uint32_t> values(count);
  for (float& key : keys) key = static_cast<float>(random() % 1000) - 500;
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random());
  const SortOptions options = {.space = MemorySpace::kHost};
  std::vector<float> keys_out(count);
  std::vector<std::uint32_t> values_out(count);
  std::vector<float> expected_keys(count);
  std::vector<std::uint32_t> expected(count);
  const SortReport report =
      sort_pairs<float, std::uint32_t>(group, keys, values, keys_out, values_out);
  sort_pairs<float, std::uint32_t>(group.queue(0), keys, values, expected_keys, expected, options);
  EXPECT_EQ(keys_out, expected_keys);
  EXPECT_EQ(values_out, expected);
  EXPECT_EQ(report.portions.size(), group.size() == 1 ? 0U : group.size());
  argsort<float, std::uint32_t>(group, keys, values_out);
  argsort<float, std::uint32_t>(group.queue(0), keys, expected, {}, options);
  EXPECT_EQ(values_out, expected);
  sort_keys<float>(group, keys, keys);  // Sorts in place.
  EXPECT_EQ(keys, expected_keys);
  sort_keys<float>(group, {}, {});
}

TEST_P(RadixSortGroupTest, RejectsWhatOneDeviceRejects) {
  std::vector<std::uint32_t> keys(10);
  try {
    sort_keys<std::uint32_t>(group, keys, std::span(keys).first(5), {.space = MemorySpace::kHost});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  }
  if (group.size() == 1) return;
  try {
    sort_keys<std::uint32_t>(group, keys, keys, {.space = MemorySpace::kDevice});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(error.what(), HasSubstr("arrays of the host"));
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, RadixSortGroupTest, testing::ValuesIn(conformance::group_names()),
                         conformance::name_of_group);

}  // namespace
}  // namespace millrace::radix_sort
