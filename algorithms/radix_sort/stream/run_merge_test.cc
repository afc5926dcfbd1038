// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/host_records_test_input.h>
#include <millrace/algorithms/radix_sort/stream/run_merge.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <vector>

namespace millrace::radix_sort {
namespace {

// Sorts each run by the reference, merges, and compares with the reference of the whole.
void check_merge(const SortCase& sort, std::size_t count, std::size_t run_count, int random_bits) {
  const auto seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const std::size_t key_size = key_bytes(sort.type);
  HostRecords in = random_records({key_size, sort.value_bytes}, count, random_bits, random);
  const HostRecords expected = sorted_by_reference(sort, in);
  std::vector<RecordSpan> runs;
  for (std::size_t first = 0; first < count; first += run_count) {
    runs.push_back({first, std::min(run_count, count - first)});
    HostRecords unused;
    SortArguments run = arguments_for(sort, in, unused);
    run.count = runs.back().count;
    run.keys_in = run.keys_out = in.keys.data() + key_size * first;
    if (sort.value_bytes > 0) {
      run.values_in = run.values_out = in.values.data() + sort.value_bytes * first;
    }
    reference_sort(run);
  }
  HostRecords out;
  merge_runs(arguments_for(sort, in, out), runs);
  EXPECT_TRUE(out == expected);
}

TEST(HostMerge, MergesRunsOfEveryTypeAndOrder) {
  for (const KeyType type : kKeyTypes) {
    for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
      check_merge({.type = type, .order = order}, 10'000, 3001, 64);
    }
  }
}

TEST(HostMerge, EqualKeysKeepTheirOrder) {
  check_merge({.value_bytes = 4}, 20'000, 2999, 4);
  check_merge({.type = KeyType::kU64, .value_bytes = 8}, 20'000, 7001, 0);
}

TEST(HostMerge, TakesAnyNumberOfRuns) {
  check_merge({.value_bytes = 4}, 1000, 1000, 8);
  check_merge({.value_bytes = 4}, 1000, 10, 8);
  check_merge({.value_bytes = 4}, 5, 1, 8);
}

}  // namespace
}  // namespace millrace::radix_sort
