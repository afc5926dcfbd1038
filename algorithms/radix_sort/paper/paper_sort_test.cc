// SPDX-License-Identifier: Apache-2.0

// The paper's schemes on every device with memory of its own against the reference.
#include <millrace/algorithms/radix_sort/host_records_test_input.h>
#include <millrace/algorithms/radix_sort/paper/paper_sort.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace millrace::radix_sort {
namespace {

class PaperSortTest : public conformance::ConformanceTest {
 protected:
  void SetUp() override {
    if (device->info().shares_host_memory) GTEST_SKIP() << "has no memory of its own";
    RecordProperty("seed", std::to_string(seed));
  }

  HostRecords random_input(const SortCase& sort, std::size_t count, int random_bits) {
    const RecordSize size{key_bytes(sort.type), sort.is_argsort ? 0 : sort.value_bytes};
    return random_records(size, count, random_bits, random);
  }

  SortReport sort(const SortCase& sort, const HostRecords& in, PaperSortScheme scheme,
                  PaperSortProfile* profile = nullptr) {
    HostRecords out;
    SortReport report;
    sort_as_paper(*queue, arguments_for(sort, in, out), scheme, report, profile);
    EXPECT_TRUE(out == sorted_by_reference(sort, in)) << "seed " << seed;
    return report;
  }

  const std::random_device::result_type seed = std::random_device()();
  std::mt19937_64 random{seed};
};

TEST_P(PaperSortTest, OriginalSortsAsOneBucket) {
  const SortCase pairs{.value_bytes = 4};
  const SortReport report = sort(pairs, random_input(pairs, 3000, 32), PaperSortScheme::kOriginal);
  EXPECT_EQ(report.buckets, 1U);
  EXPECT_EQ(report.partitions, 0U);
}

TEST_P(PaperSortTest, ModifiedSortsUniformKeysInSixteenBuckets) {
  const SortCase pairs{.value_bytes = 4};
  const SortReport report =
      sort(pairs, random_input(pairs, 20'000, 32), PaperSortScheme::kModified);
  EXPECT_EQ(report.buckets, 16U);
  EXPECT_EQ(report.partitions, 1U);
}

TEST_P(PaperSortTest, ModifiedSplitsBucketsThatAreTooLarge) {
  const SortCase pairs{.value_bytes = 8};
  const SortReport report = sort(pairs, random_input(pairs, 5000, 22), PaperSortScheme::kModified);
  EXPECT_GT(report.partitions, 1U);
  EXPECT_GE(report.buckets, 4U);
}

TEST_P(PaperSortTest, ModifiedSortsEqualKeys) {
  const SortCase pairs{.value_bytes = 4};
  sort(pairs, random_input(pairs, 2000, 0), PaperSortScheme::kModified);
  sort(pairs, random_input(pairs, 1, 32), PaperSortScheme::kModified);
}

TEST_P(PaperSortTest, ModifiedSortsOtherTypes) {
  const SortCase floats{.type = KeyType::kF64, .order = SortOrder::kDescending};
  sort(floats, random_input(floats, 3000, 64), PaperSortScheme::kModified);
  const SortCase indices{.type = KeyType::kI32, .value_bytes = 4, .is_argsort = true};
  sort(indices, random_input(indices, 3000, 10), PaperSortScheme::kModified);
}

TEST_P(PaperSortTest, ProfileHasEveryRow) {
  const SortCase pairs{.value_bytes = 4};
  PaperSortProfile profile;
  sort(pairs, random_input(pairs, 3000, 22), PaperSortScheme::kModified, &profile);
  for (const double row : {profile.passes.reduction, profile.passes.scan, profile.passes.scatter,
                           profile.upload, profile.download, profile.bucketing, profile.balance}) {
    EXPECT_GT(row, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, PaperSortTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::radix_sort
