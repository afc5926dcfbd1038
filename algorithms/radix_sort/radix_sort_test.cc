// SPDX-License-Identifier: Apache-2.0

// Radix sort on every device against the reference.
#include <millrace/algorithms/radix_sort/cpu/quick_sort_choice.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/radix_sort_test_input.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace millrace::radix_sort {
namespace {

// An array in device memory with the values of a host array, at `lead` elements past an aligned
// address.
template <class T>
class DeviceCopy {
 public:
  DeviceCopy(Queue& queue, const std::vector<T>& values, std::size_t lead = 0)
      : queue_(queue),
        lead_(lead),
        buffer_(queue.device().shared_from_this(), MemorySpace::kDevice, lead + values.size()) {
    copy(queue, buffer_.span(lead, values.size()), BufferSpan<const T>(std::span<const T>(values)));
    queue.wait();
  }

  T* data() { return buffer_.data() + lead_; }
  std::span<T> span() { return {data(), buffer_.size() - lead_}; }
  std::vector<T> read() {
    std::vector<T> values(span().size());
    copy(queue_, BufferSpan<T>(std::span<T>(values)), buffer_.span(lead_, values.size()));
    queue_.wait();
    return values;
  }

 private:
  Queue& queue_;
  std::size_t lead_;
  Buffer<T> buffer_;
};

class RadixSortTest : public conformance::ConformanceTest {
 protected:
  void SetUp() override {
    try {
      sort(*queue, {});
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kUnsupported);
      GTEST_SKIP() << error.what();
    }
  }

  RecordBytes sorted_on_device(const TestSort& kind, const RecordBytes& in,
                               std::size_t lead_bytes = 0, Policy policy = Policy::kAuto) {
    const RecordBytes empty = empty_records(kind, in.count);
    DeviceCopy<std::byte> keys(*queue, in.keys, lead_bytes);
    DeviceCopy<std::byte> values(*queue, in.values, lead_bytes);
    DeviceCopy<std::byte> keys_out(*queue, empty.keys, 3 * lead_bytes);
    DeviceCopy<std::byte> values_out(*queue, empty.values, 5 * lead_bytes);
    report = sort(*queue,
                  arguments_for(kind, in.count, keys.data(), values.data(), keys_out.data(),
                                values_out.data()),
                  policy);
    return {in.count, keys_out.read(), values_out.read()};
  }

  SeededRandom random;
  SortReport report;
};

TEST_P(RadixSortTest, EveryKindOfSmallSortEqualsTheReference) {
  for (const TestSort& kind : all_sort_kinds()) {
    for (const std::size_t count : {1, 2, 3, 24, 25, 601}) {
      const RecordBytes in = random_records(kind, KeyDistribution::kUniform, count, random);
      ASSERT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in))
          << count << " records of " << to_string(kind);
    }
  }
}

TEST_P(RadixSortTest, EveryKindOfLargeSortEqualsTheReference) {
  const std::size_t count = scaled(110'001, 1003);
  for (const TestSort& kind : all_sort_kinds()) {
    const RecordBytes in = random_records(kind, KeyDistribution::kUniform, count, random);
    ASSERT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in)) << to_string(kind);
  }
}

// Most of a Zipf distribution's keys have the same first digit, so that they are partitioned by
// splitters from 4 threads on, and once.
TEST_P(RadixSortTest, SkewedKeysAreSortedByAnyNumberOfThreads) {
  if (device->info().target != "cpu") GTEST_SKIP() << "not a CPU";
  for (const int threads : {1, 4, 16, 32}) {
    queue = device->make_queue({.concurrency = threads});
    for (const auto distribution :
         {KeyDistribution::kZipf, KeyDistribution::kEqual, KeyDistribution::kOutlier}) {
      for (const std::size_t value_bytes : {0, 4, 8}) {
        const TestSort kind{KeyType::kU64, value_bytes};
        const RecordBytes in = random_records(kind, distribution, 150'001, random);
        ASSERT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in))
            << threads << " threads, " << to_string(distribution) << ' ' << to_string(kind);
        // Keys alone may be partitioned by pivots.
        if (distribution != KeyDistribution::kOutlier && value_bytes > 0) {
          ASSERT_EQ(report.partitions, 1U) << threads << " threads, " << to_string(distribution);
        }
      }
    }
  }
}

TEST_P(RadixSortTest, EveryKindOfSkewedSortEqualsTheReference) {
  if (device->info().target != "cpu") GTEST_SKIP() << "not a CPU";
  queue = device->make_queue({.concurrency = 16});
  for (const TestSort& kind : all_sort_kinds()) {
    const RecordBytes in = random_records(kind, KeyDistribution::kZipf, 110'001, random);
    ASSERT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in)) << to_string(kind);
  }
}

// Keys that may be sampled are of a Zipf distribution, all others are above these: one bucket is
// still too large for a thread.
TEST_P(RadixSortTest, KeysUnlikeTheirSampleAreSorted) {
  if (device->info().target != "cpu") GTEST_SKIP() << "not a CPU";
  queue = device->make_queue({.concurrency = 16});
  const TestSort kind{KeyType::kU32, 4};
  const std::size_t count = 256'000;
  const RecordBytes zipf = random_records(kind, KeyDistribution::kZipf, count, random);
  RecordBytes in = zipf;
  for (std::size_t i = 0; i < count; ++i) {
    const auto key = static_cast<std::uint32_t>(0x8000'0000U + random() % 1000);
    std::memcpy(&in.keys[i * sizeof(key)], &key, sizeof(key));
  }
  for (const std::size_t samples : {256, 512, 1024, 2048}) {
    for (std::size_t i = 0; i < samples; ++i) {
      const std::size_t offset = (count - 1) * i / (samples - 1) * sizeof(std::uint32_t);
      std::memcpy(&in.keys[offset], &zipf.keys[offset], sizeof(std::uint32_t));
    }
  }
  EXPECT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in));
  // The partition by the splitters leaves too large a bucket. One thread uses none.
  if (device->info().compute_units > 1) {
    EXPECT_GT(report.partitions, 1);
  }
}

// At most as many as one thread sorts.
TEST_P(RadixSortTest, KeysAloneOfOneThreadEqualTheReference) {
  for (const KeyType type : {KeyType::kU32, KeyType::kI32, KeyType::kF32, KeyType::kF64}) {
    for (const auto distribution : kKeyDistributions) {
      for (const std::size_t count : {31, 32, 33, 1000, 20'000}) {
        const TestSort kind{type, 0, SortOrder::kDescending};
        const RecordBytes in =
            random_records(kind, distribution, scaled(count, count / 16), random);
        ASSERT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in))
            << in.count << ' ' << to_string(distribution) << ' ' << to_string(kind);
      }
    }
  }
}

// A queue of one thread sorts more keys as one bucket by pivots than by digits.
TEST_P(RadixSortTest, KeysAloneOfAQueueOfOneThreadEqualTheReference) {
  if (device->info().target != "cpu") GTEST_SKIP() << "not a CPU";
  queue = device->make_queue({.concurrency = 1});
  for (const KeyType type : {KeyType::kF32, KeyType::kI64}) {
    const TestSort kind{type, 0};
    const RecordBytes in = random_records(kind, KeyDistribution::kUniform, 110'001, random);
    ASSERT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in)) << to_string(kind);
  }
}

TEST_P(RadixSortTest, KeysAloneAreSortedByDigitsWithoutAvx2) {
  if (device->info().target != "cpu") GTEST_SKIP() << "not a CPU";
  // Better targets have smaller numbers.
  const SimdTarget target(hwy::SupportedTargets() & ~(HWY_AVX2 | (HWY_AVX2 - 1)));
  for (const KeyType type : {KeyType::kI32, KeyType::kF64}) {
    const TestSort kind{type, 0};
    const RecordBytes in = random_records(kind, KeyDistribution::kUniform, 110'001, random);
    ASSERT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in)) << to_string(kind);
    EXPECT_EQ(report.partitions, 1U) << "partitioned by pivots";
  }
}

TEST_P(RadixSortTest, TwoThreadsPartitionKeysAloneByPivotsWhereThatIsFast) {
  if (device->info().target != "cpu") GTEST_SKIP() << "not a CPU";
  queue = device->make_queue({.concurrency = 2});
  for (const KeyType type : {KeyType::kU32, KeyType::kF32}) {
    const TestSort kind{type, 0};
    const RecordBytes in = random_records(kind, KeyDistribution::kUniform, 60'001, random);
    const RecordBytes expected = sorted_by_reference(kind, in);
    ASSERT_EQ(sorted_on_device(kind, in), expected) << to_string(kind);
    EXPECT_EQ(report.partitions > 1, is_quick_sort_fast<std::uint32_t>()) << to_string(kind);
    ASSERT_EQ(sorted_on_device(kind, expected), expected) << to_string(kind);
    EXPECT_LE(report.partitions, 1U) << "sorted keys are partitioned by pivots";
  }
}

TEST_P(RadixSortTest, LargerKeysAndKeysOfManyThreadsArePartitionedByDigits) {
  if (device->info().target != "cpu") GTEST_SKIP() << "not a CPU";
  struct Case {
    KeyType type;
    std::size_t count;
    int threads;
  };
  for (const auto& [type, count, threads] :
       {Case{KeyType::kF64, 300'000, 2}, {KeyType::kU32, 200'000, 16}}) {
    queue = device->make_queue({.concurrency = threads});
    const TestSort kind{type, 0};
    const RecordBytes in = random_records(kind, KeyDistribution::kUniform, count, random);
    ASSERT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in)) << to_string(kind);
    EXPECT_EQ(report.partitions, 1U) << "partitioned by pivots";
  }
}

TEST_P(RadixSortTest, EveryDistributionEqualsTheReference) {
  const auto check = [this](const TestSort& kind, KeyDistribution distribution, std::size_t count) {
    const RecordBytes in = random_records(kind, distribution, count, random);
    ASSERT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in))
        << count << ' ' << to_string(distribution) << ' ' << to_string(kind);
  };
  for (const KeyDistribution distribution : kKeyDistributions) {
    for (const TestSort& kind :
         {TestSort{KeyType::kF32, 4}, TestSort{KeyType::kI64, 8}, TestSort{KeyType::kU32, 0}}) {
      for (const std::size_t count : {std::size_t{1000}, scaled(300'000, 1500)}) {
        check(kind, distribution, count);
      }
    }
    check({KeyType::kI64, 0, SortOrder::kDescending}, distribution, scaled(50'000, 500));
  }
}

TEST_P(RadixSortTest, ThreeKeysInAHundredAboveEqualOnesAreSorted) {
  // All but three of a hundred are at most the pivot, wherever it is taken.
  const TestSort kind{KeyType::kU32, 0};
  const std::size_t count = scaled(100'000, 2000);
  RecordBytes in = empty_records(kind, count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t key = i % 100 < 3 ? static_cast<std::uint32_t>(random()) : 7;
    std::memcpy(&in.keys[i * sizeof(key)], &key, sizeof(key));
  }
  EXPECT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in));
}

TEST_P(RadixSortTest, AMillionPairsEqualTheReference) {
  const TestSort kind{KeyType::kU32, 4};
  const RecordBytes in =
      random_records(kind, KeyDistribution::kUniform, scaled(1'000'000, 20'000), random);
  EXPECT_EQ(sorted_on_device(kind, in), sorted_by_reference(kind, in));
}

TEST_P(RadixSortTest, ArraysAtOddAddressesAreSorted) {
  for (const TestSort& kind : {TestSort{KeyType::kU64, 8}, TestSort{KeyType::kF64, 4}}) {
    const RecordBytes in =
        random_records(kind, KeyDistribution::kNormal, scaled(200'000, 1000), random);
    ASSERT_EQ(sorted_on_device(kind, in, 8), sorted_by_reference(kind, in)) << to_string(kind);
  }
}

TEST_P(RadixSortTest, SortsInPlace) {
  const auto check = [this](const TestSort& kind, KeyDistribution distribution, std::size_t count) {
    const RecordBytes in = random_records(kind, distribution, count, random);
    DeviceCopy<std::byte> keys(*queue, in.keys);
    DeviceCopy<std::byte> values(*queue, in.values);
    sort(*queue,
         arguments_for(kind, count, keys.data(), values.data(), keys.data(), values.data()));
    ASSERT_EQ((RecordBytes{count, keys.read(), values.read()}), sorted_by_reference(kind, in))
        << count << ' ' << to_string(distribution) << ' ' << to_string(kind);
  };
  for (const KeyDistribution distribution : kKeyDistributions) {
    for (const std::size_t count : {std::size_t{1000}, scaled(300'000, 2000)}) {
      check({KeyType::kI32, 8, SortOrder::kDescending}, distribution, count);
    }
    check({KeyType::kF32, 0, SortOrder::kDescending}, distribution, scaled(50'000, 500));
  }
}

TEST_P(RadixSortTest, LeavesItsInputAsItWas) {
  const TestSort kind{KeyType::kF32, 4};
  const RecordBytes in =
      random_records(kind, KeyDistribution::kZipf, scaled(300'000, 2000), random);
  const RecordBytes empty = empty_records(kind, in.count);
  DeviceCopy<std::byte> keys(*queue, in.keys);
  DeviceCopy<std::byte> values(*queue, in.values);
  DeviceCopy<std::byte> keys_out(*queue, empty.keys);
  DeviceCopy<std::byte> values_out(*queue, empty.values);
  sort(*queue, arguments_for(kind, in.count, keys.data(), values.data(), keys_out.data(),
                             values_out.data()));
  EXPECT_EQ(keys.read(), in.keys);
  EXPECT_EQ(values.read(), in.values);
}

TEST_P(RadixSortTest, EveryPolicySorts) {
  const TestSort kind{KeyType::kU32, 4};
  const RecordBytes in =
      random_records(kind, KeyDistribution::kZipf, scaled(500'000, 2000), random);
  for (const Policy policy : kConcretePolicies) {
    ASSERT_EQ(sorted_on_device(kind, in, 0, policy), sorted_by_reference(kind, in))
        << to_string(policy);
  }
}

TEST_P(RadixSortTest, FloatingPointKeysAreInTotalOrder) {
  using Limits = std::numeric_limits<float>;
  const float nan = Limits::quiet_NaN();
  const std::vector<float> keys = {0.0F,
                                   nan,
                                   -1.0F,
                                   Limits::infinity(),
                                   -0.0F,
                                   -nan,
                                   1.0F,
                                   -Limits::infinity(),
                                   Limits::denorm_min()};
  const std::vector<float> expected = {-nan, -Limits::infinity(),  -1.0F, -0.0F,
                                       0.0F, Limits::denorm_min(), 1.0F,  Limits::infinity(),
                                       nan};
  DeviceCopy<float> in(*queue, keys);
  DeviceCopy<float> out(*queue, keys);
  sort_keys<float>(*queue, in.span(), out.span());
  const std::vector<float> sorted = out.read();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(sorted[i]), std::bit_cast<std::uint32_t>(expected[i]))
        << "index " << i;
  }
}

TEST_P(RadixSortTest, EqualKeysKeepTheirOrderInBothOrders) {
  DeviceCopy<std::int32_t> keys(*queue, {2, 1, 2, 1, 2});
  DeviceCopy<std::uint64_t> values(*queue, {10, 11, 12, 13, 14});
  DeviceCopy<std::int32_t> keys_out(*queue, std::vector<std::int32_t>(5));
  DeviceCopy<std::uint64_t> values_out(*queue, std::vector<std::uint64_t>(5));
  const auto sorted_values = [&](SortOrder order) {
    sort_pairs<std::int32_t, std::uint64_t>(*queue, keys.span(), values.span(), keys_out.span(),
                                            values_out.span(), {.order = order});
    return values_out.read();
  };
  EXPECT_EQ(sorted_values(SortOrder::kAscending), (std::vector<std::uint64_t>{11, 13, 10, 12, 14}));
  EXPECT_EQ(sorted_values(SortOrder::kDescending),
            (std::vector<std::uint64_t>{10, 12, 14, 11, 13}));
}

TEST_P(RadixSortTest, ArgsortNumbersTheKeys) {
  DeviceCopy<double> keys(*queue, {0.5, -2.0, 7.0});
  DeviceCopy<std::uint32_t> indices(*queue, std::vector<std::uint32_t>(3));
  argsort<double, std::uint32_t>(*queue, keys.span(), indices.span());
  EXPECT_EQ(indices.read(), (std::vector<std::uint32_t>{1, 0, 2}));
}

TEST_P(RadixSortTest, ArgsortOfManyKeysNeedsNoOutputForThem) {
  for (const std::size_t count : {std::size_t{1000}, scaled(300'000, 2000)}) {
    const TestSort kind{KeyType::kU64, 4, SortOrder::kDescending, true};
    const RecordBytes in = random_records(kind, KeyDistribution::kFewDistinct, count, random);
    DeviceCopy<std::byte> keys(*queue, in.keys);
    DeviceCopy<std::byte> indices(*queue, std::vector<std::byte>(4 * count));
    sort(*queue, arguments_for(kind, count, keys.data(), nullptr, nullptr, indices.data()));
    ASSERT_EQ(indices.read(), sorted_by_reference(kind, in).values) << count;
  }
}

TEST_P(RadixSortTest, NothingIsSortedAtOnce) {
  const SortReport report = sort_keys<float>(*queue, {}, {});
  EXPECT_EQ(report.buckets, 0U);
}

INSTANTIATE_TEST_SUITE_P(Devices, RadixSortTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::radix_sort
