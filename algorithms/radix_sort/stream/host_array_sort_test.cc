// SPDX-License-Identifier: Apache-2.0

// Sorts of host arrays on every device with memory of its own against the reference.
#include <millrace/algorithms/radix_sort/host_array_sort.h>
#include <millrace/algorithms/radix_sort/host_records_test_input.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/memory_pool.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace millrace::radix_sort {
namespace {

class HostSortTest : public conformance::ConformanceTest {
 protected:
  void SetUp() override {
    if (device->info().shares_host_memory) GTEST_SKIP() << "has no memory of its own";
    RecordProperty("seed", std::to_string(seed));
  }

  HostRecords random_input(const SortCase& sort, std::size_t count, int random_bits = 64) {
    const RecordSize size{key_bytes(sort.type), sort.is_argsort ? 0 : sort.value_bytes};
    return random_records(size, count, random_bits, random);
  }

  SortReport sort_pageable(const SortCase& sort, const HostRecords& in, HostRecords& out,
                           const HostArraySortOptions& options) {
    SortReport report;
    sort_host_arrays(*queue, sort_steps_of(*queue), arguments_for(sort, in, out), options, report);
    return report;
  }

  SortReport sort_pinned(const SortCase& sort, const HostRecords& in, HostRecords& out,
                         const HostArraySortOptions& options) {
    SortArguments arguments = arguments_for(sort, in, out);
    PinnedBytes keys_in = pinned(in.keys);
    PinnedBytes values_in = pinned(in.values);
    PinnedBytes keys_out = pinned(out.keys);
    PinnedBytes values_out = pinned(out.values);
    arguments.keys_in = keys_in.data();
    arguments.keys_out = keys_out.data();
    if (arguments.values_in != nullptr) arguments.values_in = values_in.data();
    arguments.values_out = values_out.data();
    arguments.space = MemorySpace::kPinned;
    SortReport report;
    sort_host_arrays(*queue, sort_steps_of(*queue), arguments, options, report);
    std::copy_n(keys_out.data(), keys_out.size(), out.keys.data());
    std::copy_n(values_out.data(), values_out.size(), out.values.data());
    return report;
  }

  void expect_as_reference(MemorySpace space, const SortCase& sort, const HostRecords& in,
                           const HostArraySortOptions& options) {
    HostRecords out;
    if (space == MemorySpace::kPinned) {
      sort_pinned(sort, in, out, options);
    } else {
      sort_pageable(sort, in, out, options);
    }
    EXPECT_TRUE(out == sorted_by_reference(sort, in))
        << to_string(sort.type) << " keys, values of " << sort.value_bytes << " bytes, "
        << to_string(space) << " memory, seed " << seed;
  }

  // Sorts from pageable and from pinned memory.
  void expect_as_reference(const SortCase& sort, const HostRecords& in,
                           const HostArraySortOptions& options) {
    expect_as_reference(MemorySpace::kHost, sort, in, options);
    expect_as_reference(MemorySpace::kPinned, sort, in, options);
  }

  // Takes all of the device's memory but `bytes` and less than a page.
  std::vector<Buffer<std::byte>> take_all_but(std::size_t bytes) {
    Buffer<std::byte> left(device, MemorySpace::kDevice, bytes);
    std::vector<Buffer<std::byte>> taken;
    for (std::size_t piece = device->info().memory_bytes; piece >= 4096;) {
      try {
        taken.emplace_back(device, MemorySpace::kDevice, piece);
      } catch (const Error&) {
        piece /= 2;
      }
    }
    return taken;
  }

  const std::random_device::result_type seed = std::random_device()();
  std::mt19937_64 random{seed};

 private:
  using PinnedBytes = Buffer<std::byte>;

  PinnedBytes pinned(const Bytes& bytes) const {
    PinnedBytes copied(device, MemorySpace::kPinned, bytes.size());
    std::copy(bytes.begin(), bytes.end(), copied.data());
    return copied;
  }
};

constexpr HostArraySortOptions kStreamedRaw = {.scheme = HostArraySortScheme::kStreamed,
                                               .codec = CodecUse::kRaw,
                                               .most_records = 0,
                                               .chunks = 4};
constexpr HostArraySortOptions kStreamedCoded = {.scheme = HostArraySortScheme::kStreamed,
                                                 .codec = CodecUse::kCoded,
                                                 .most_records = 0,
                                                 .chunks = 3};

TEST_P(HostSortTest, SortsEveryTypeOfKeyStreamed) {
  for (const KeyType type : kKeyTypes) {
    for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
      const SortCase sort{.type = type, .order = order};
      const HostRecords in = random_input(sort, 1001);
      expect_as_reference(sort, in, kStreamedRaw);
      expect_as_reference(sort, in, kStreamedCoded);
    }
  }
}

TEST_P(HostSortTest, SortsWhatHasItsLargestSegmentLast) {
  for (const SortCase sort : {SortCase{}, SortCase{.type = KeyType::kU64}}) {
    expect_as_reference(sort, random_input(sort, 40'001), kStreamedCoded);
  }
}

TEST_P(HostSortTest, MovesValuesWithTheirKeys) {
  for (const KeyType type : {KeyType::kU32, KeyType::kF64}) {
    for (const std::size_t value_bytes : {4, 8}) {
      const SortCase sort{.type = type, .value_bytes = value_bytes};
      const HostRecords in = random_input(sort, 2003, 9);  // Many equal keys.
      expect_as_reference(sort, in, kStreamedRaw);
      expect_as_reference(sort, in, kStreamedCoded);
    }
  }
}

TEST_P(HostSortTest, InterleavesEarlyValuesOverManySegments) {
  const SortCase sort{.value_bytes = 4};
  expect_as_reference(sort, random_input(sort, scaled(3'000'000, 20'000), 32), kStreamedCoded);
}

TEST_P(HostSortTest, SortsByTheCallingThread) {
  for (const KeyType type : kKeyTypes) {
    for (const std::size_t value_bytes : {0, 4, 8}) {
      for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
        const SortCase sort{.type = type, .value_bytes = value_bytes, .order = order};
        expect_as_reference(sort, random_input(sort, 1500, 9),
                            {.scheme = HostArraySortScheme::kHost});
      }
    }
  }
  for (const std::size_t bytes : {4, 8}) {
    const SortCase sort{.value_bytes = bytes, .is_argsort = true, .wants_keys = bytes == 4};
    expect_as_reference(sort, random_input(sort, 3000, 9), {.scheme = HostArraySortScheme::kHost});
  }
}

TEST_P(HostSortTest, SendsRecordsBelowTheThresholdNowhere) {
  for (const SortCase& sort : {SortCase{}, {.value_bytes = 4, .is_argsort = true}}) {
    const HostRecords in = random_input(sort, 10'000);
    HostRecords out;
    EXPECT_EQ(sort_pageable(sort, in, out, {}).bytes_up, 0U);
    EXPECT_TRUE(out == sorted_by_reference(sort, in));
  }
}

TEST_P(HostSortTest, FindsTheIndicesOfKeys) {
  for (const std::size_t index_bytes : {4, 8}) {
    for (const bool wants_keys : {true, false}) {
      const SortCase sort{.type = KeyType::kI32,
                          .value_bytes = index_bytes,
                          .is_argsort = true,
                          .wants_keys = wants_keys};
      expect_as_reference(sort, random_input(sort, 2000, 6), kStreamedCoded);
    }
  }
}

TEST_P(HostSortTest, SortsSmallNumbersOfRecords) {
  for (const std::size_t count : {1, 2, 31, 1023, 1024, 1025}) {
    const SortCase sort{.value_bytes = 8};
    const HostRecords in = random_input(sort, count, 8);
    expect_as_reference(sort, in, kStreamedCoded);
    expect_as_reference(sort, in, {.scheme = HostArraySortScheme::kSerial});
  }
}

TEST_P(HostSortTest, SortsSerially) {
  const SortCase sort{.type = KeyType::kF32, .value_bytes = 4, .order = SortOrder::kDescending};
  expect_as_reference(sort, random_input(sort, 2000), {.scheme = HostArraySortScheme::kSerial});
}

TEST_P(HostSortTest, SortsInPlace) {
  for (const HostArraySortScheme scheme :
       {HostArraySortScheme::kSerial, HostArraySortScheme::kStreamed}) {
    const SortCase sort{.value_bytes = 4};
    HostRecords records = random_input(sort, 4000, 10);
    const HostRecords expected = sorted_by_reference(sort, records);
    HostRecords unused;
    SortArguments arguments = arguments_for(sort, records, unused);
    arguments.keys_out = records.keys.data();
    arguments.values_out = records.values.data();
    SortReport report;
    sort_host_arrays(*queue, sort_steps_of(*queue), arguments,
                     {.scheme = scheme, .codec = CodecUse::kCoded, .chunks = 3}, report);
    EXPECT_TRUE(records == expected) << seed;
  }
}

TEST_P(HostSortTest, CodedKeysAreFewerBytesDown) {
  const SortCase sort;
  const HostRecords in = random_input(sort, 9000, 16);
  HostRecords out;
  const SortReport raw = sort_pageable(sort, in, out, kStreamedRaw);
  const SortReport coded = sort_pageable(sort, in, out, kStreamedCoded);
  EXPECT_EQ(raw.bytes_up, 36'000U);
  EXPECT_EQ(raw.bytes_down, 36'000U);
  EXPECT_EQ(raw.codec, "raw");
  EXPECT_EQ(coded.bytes_up, 36'000U);
  EXPECT_LT(coded.bytes_down, 9000U);
  EXPECT_EQ(coded.codec, "delta-u32");
}

TEST_P(HostSortTest, SendsTheLastKeysRaw) {
  for (const KeyType type : {KeyType::kU32, KeyType::kI64, KeyType::kF32}) {
    for (const double fraction : {0.1, 0.5, 0.99}) {
      HostArraySortOptions options = kStreamedCoded;
      options.raw_fraction = fraction;
      const SortCase sort{.type = type};
      // From pinned memory, where a measured fraction is sent raw too.
      expect_as_reference(MemorySpace::kPinned, sort, random_input(sort, 20'000), options);
    }
  }
}

TEST_P(HostSortTest, CountsTheBytesOfKeysSentRaw) {
  const SortCase sort;
  const HostRecords in = random_input(sort, 20'480, 16);
  HostRecords out;
  HostArraySortOptions options = kStreamedCoded;
  options.raw_fraction = 0.5;
  const SortReport half = sort_pageable(sort, in, out, options);
  options.raw_fraction = 0;
  const SortReport none = sort_pageable(sort, in, out, options);
  EXPECT_GT(half.bytes_down, std::size_t{4} * 10'240);
  EXPECT_LT(half.bytes_down, std::size_t{4} * 20'480);
  EXPECT_LT(none.bytes_down, std::size_t{2} * 20'480);
}

TEST_P(HostSortTest, KeysThatDoNotShrinkAreDownloadedRaw) {
  const SortCase sort{.type = KeyType::kU64};
  const HostRecords in = random_input(sort, 20);
  HostRecords out;
  const SortReport report =
      sort_pageable(sort, in, out, {.scheme = HostArraySortScheme::kStreamed});
  EXPECT_TRUE(out == sorted_by_reference(sort, in)) << seed;
  EXPECT_EQ(report.codec, "raw");
  EXPECT_EQ(report.bytes_down, 160U);
}

// Such keys take no other test's measurements.
TEST_P(HostSortTest, DoesNotTryKeysThatDoNotShrinkAgain) {
  const SortCase sort{.type = KeyType::kI64};
  const HostRecords in = random_input(sort, 40);
  HostRecords out;
  std::uint64_t trials = 0;
  for (int i = 0; i < 12; ++i) {
    const SortReport report =
        sort_pageable(sort, in, out, {.scheme = HostArraySortScheme::kStreamed, .segments = 1});
    EXPECT_EQ(report.raw_segments, 1U);
    EXPECT_EQ(report.coded_segments, 0U);
    trials += report.codec_trials;
  }
  EXPECT_LE(trials, 1U);
}

TEST_P(HostSortTest, TriesTheCodecOfPairsUntilItsRatesAreKnown) {
  const SortCase sort{.type = KeyType::kF32, .value_bytes = 4};
  const HostRecords in = random_input(sort, 6000, 12);
  std::uint64_t trials = 0;
  for (int i = 0; i < 5; ++i) {
    HostRecords out;
    trials += sort_pageable(sort, in, out, {.scheme = HostArraySortScheme::kStreamed}).codec_trials;
  }
  EXPECT_LE(trials, 2U);  // A clock may stand still in one.
}

TEST_P(HostSortTest, SaysHowKeysWereDownloaded) {
  const SortCase sort;
  const HostRecords in = random_input(sort, 32'000, 18);
  HostRecords out;
  HostArraySortOptions options = {
      .scheme = HostArraySortScheme::kStreamed, .segments = 8, .memories = 3};
  options.codec = CodecUse::kRaw;
  const SortReport raw = sort_pageable(sort, in, out, options);
  options.codec = CodecUse::kCoded;
  const SortReport coded = sort_pageable(sort, in, out, options);
  EXPECT_TRUE(out == sorted_by_reference(sort, in));
  EXPECT_EQ(raw.raw_segments, 8U);
  EXPECT_EQ(coded.coded_segments, 8U);  // More than have memory at a time.
  EXPECT_EQ(raw.coded_segments + coded.raw_segments, 0U);
  EXPECT_EQ(raw.codec_trials + coded.codec_trials, 0U);
}

TEST_P(HostSortTest, IndicesAreNeverUploaded) {
  const SortCase sort{.type = KeyType::kI64, .value_bytes = 4, .is_argsort = true};
  const HostRecords in = random_input(sort, 3000);
  HostRecords out;
  const SortReport report = sort_pageable(sort, in, out, kStreamedRaw);
  EXPECT_EQ(report.bytes_up, 3000U * 8);
  EXPECT_EQ(report.bytes_down, 3000U * (8 + 4));
}

TEST_P(HostSortTest, InterleavedValuesAreDownloadedOnceWithTheirMask) {
  const std::size_t count = 20 * kSplitTile + 77;
  const SortCase keys;
  const SortCase pairs{.value_bytes = 4};
  const HostRecords in = random_input(pairs, count, 16);
  HostRecords out;
  const SortReport of_keys = sort_pageable(keys, {in.keys, {}}, out, kStreamedCoded);
  const SortReport of_pairs = sort_pageable(pairs, in, out, kStreamedCoded);
  EXPECT_EQ(of_pairs.bytes_up, 8 * count);
  // A bit for each of the interleaved outputs and a word for each tile.
  const std::size_t mask_and_starts = 20 * kSplitTile / 8 + 4 * (20 + 1);
  EXPECT_EQ(of_pairs.bytes_down, of_keys.bytes_down + 4 * count + mask_and_starts);
}

TEST_P(HostSortTest, ChoosesByWhatEarlierSortsMeasured) {
  const SortCase sort;
  for (int i = 0; i < 4; ++i) {
    expect_as_reference(sort, random_input(sort, 2000, 12),
                        {.scheme = HostArraySortScheme::kStreamed, .chunks = 2});
  }
}

TEST_P(HostSortTest, TakesNoNewMemoryTheSecondTime) {
  const SortCase sort{.value_bytes = 4};
  const HostRecords in = random_input(sort, 3000, 20);
  const auto bytes_after_a_sort = [&](MemorySpace space) {
    expect_as_reference(sort, in, kStreamedCoded);
    return device->pool(space)->statistics().bytes_held;
  };
  for (const MemorySpace space : {MemorySpace::kDevice, MemorySpace::kPinned}) {
    const std::size_t first = bytes_after_a_sort(space);
    EXPECT_GT(first, 0U);
    EXPECT_EQ(bytes_after_a_sort(space), first) << to_string(space);
  }
}

TEST_P(HostSortTest, SortsMoreThanTheDeviceHolds) {
  const SortCase pairs{.type = KeyType::kF32, .value_bytes = 4, .order = SortOrder::kDescending};
  expect_as_reference(pairs, random_input(pairs, 5000), {.most_records = 1300});
  const SortCase indices{.value_bytes = 4, .is_argsort = true, .wants_keys = false};
  expect_as_reference(indices, random_input(indices, 3000, 5), {.most_records = 700});
}

TEST_P(HostSortTest, KeepsNoHostMemoryOfRuns) {
  const SortCase sort;
  const HostRecords in = random_input(sort, 5000);
  const std::size_t before = device->pool(MemorySpace::kHost)->statistics().bytes_held;
  HostRecords out;
  sort_pageable(sort, in, out, {.most_records = 1300});
  EXPECT_EQ(device->pool(MemorySpace::kHost)->statistics().bytes_held, before);
}

TEST_P(HostSortTest, SortsInShorterRunsWhereOthersHaveTheMemory) {
  if (!device->info().is_simulated) GTEST_SKIP() << "others may want its memory";
  const SortCase sort{.value_bytes = 4};
  const HostRecords in = random_input(sort, 20'000);
  MemoryPool& pool = *device->pool(MemorySpace::kDevice);
  HostArraySortOptions options = kStreamedRaw;
  options.least_run = 1;
  pool.trim(0);
  HostRecords out;
  sort_pageable(sort, in, out, options);
  const std::size_t at_once = pool.statistics().bytes_held;
  pool.trim(0);
  const auto taken = take_all_but(at_once / 4 * 3);
  EXPECT_TRUE(out == sorted_by_reference(sort, in)) << seed;
  sort_pageable(sort, in, out, options);
  EXPECT_TRUE(out == sorted_by_reference(sort, in)) << seed;
  EXPECT_LT(pool.statistics().bytes_held, at_once);
}

TEST_P(HostSortTest, OneRecordIsNotHalvedWhereThereIsNoMemory) {
  if (!device->info().is_simulated) GTEST_SKIP() << "others may want its memory";
  device->pool(MemorySpace::kDevice)->trim(0);
  const auto taken = take_all_but(0);
  const SortCase sort{.value_bytes = 4};
  const HostRecords in = random_input(sort, 1);
  HostRecords out;
  HostArraySortOptions options = kStreamedRaw;
  options.least_run = 1;
  EXPECT_THROW(sort_pageable(sort, in, out, options), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, HostSortTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::radix_sort
