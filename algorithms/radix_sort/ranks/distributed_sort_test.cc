// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort_test_input.h>
#include <millrace/algorithms/radix_sort/ranks/distributed_sort.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/ranks.h>

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace millrace::radix_sort {
namespace {

// So small that pieces are several and each has several messages.
constexpr std::size_t kMessageBytes = 1000;

// RecordBytes `first` to `first + count` of all.
RecordBytes slice(const TestSort& kind, const RecordBytes& all, std::size_t first,
                  std::size_t count) {
  const auto bytes_of_slice = [&](const std::vector<std::byte>& bytes, std::size_t size) {
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(first * size);
    return std::vector<std::byte>(begin, begin + static_cast<std::ptrdiff_t>(count * size));
  };
  return {count, bytes_of_slice(all.keys, key_bytes(kind.type)),
          bytes_of_slice(all.values, kind.value_bytes)};
}

// Arrays in `space`, and the way there and back.
class Array {
 public:
  Array(Queue& queue, MemorySpace space, const std::vector<std::byte>& bytes)
      : queue_(queue), buffer_(queue.device().shared_from_this(), space, bytes.size()) {
    if (bytes.empty()) return;
    queue_.copy(buffer_.data(), bytes.data(), bytes.size());
    queue_.wait();
  }

  std::byte* data() { return buffer_.data(); }

  std::vector<std::byte> read() {
    std::vector<std::byte> bytes(buffer_.size());
    if (bytes.empty()) return bytes;
    queue_.copy(bytes.data(), buffer_.data(), bytes.size());
    queue_.wait();
    return bytes;
  }

 private:
  Queue& queue_;
  Buffer<std::byte> buffer_;
};

RecordBytes sort_portion(Communicator& communicator, Queue& queue, MemorySpace space,
                         const TestSort& kind, const RecordBytes& mine) {
  Array keys(queue, space, mine.keys);
  Array values(queue, space, mine.values);
  Array keys_out(queue, space, mine.keys);
  Array values_out(queue, space, mine.values);
  SortArguments arguments = arguments_for(kind, mine.count, keys.data(), values.data(),
                                          keys_out.data(), values_out.data());
  arguments.space = space;
  sort({communicator, queue, kMessageBytes}, arguments);
  return {mine.count, keys_out.read(), values_out.read()};
}

// Counts of ranks: none for rank 1, half of all for the last, the rest for the others.
std::vector<std::size_t> uneven(std::size_t count, int ranks) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(ranks), 0);
  std::size_t left = count;
  for (std::size_t rank = counts.size(); rank-- > 1;) {
    if (rank == 1) continue;
    counts[rank] = left / 2;
    left -= counts[rank];
  }
  counts[0] = left;
  return counts;
}

void expect_sorted(const std::string& device_name, MemorySpace space, const TestSort& kind,
                   const RecordBytes& all, const std::vector<std::size_t>& counts) {
  const RecordBytes expected = sorted_by_reference(kind, all);
  run_ranks(static_cast<int>(counts.size()), [&](Communicator& communicator) {
    const auto device = open_device(device_name);
    const auto queue = device->make_queue();
    const auto rank = static_cast<std::size_t>(communicator.rank());
    const std::size_t first =
        std::accumulate(counts.begin(), counts.begin() + communicator.rank(), std::size_t{0});
    const RecordBytes mine =
        sort_portion(communicator, *queue, space, kind, slice(kind, all, first, counts[rank]));
    EXPECT_TRUE(mine == slice(kind, expected, first, counts[rank]))
        << "rank " << rank << " of " << counts.size() << ", " << to_string(kind);
  });
}

using Case = std::tuple<std::string, int>;  // A device, ranks.

class DistributedSortTest : public testing::TestWithParam<Case> {
 protected:
  std::string device() const { return std::get<0>(GetParam()); }
  int ranks() const { return std::get<1>(GetParam()); }
  std::size_t count() const { return conformance::scaled(*open_device(device()), 20'000, 1'500); }

  SeededRandom random;
};

TEST_P(DistributedSortTest, EveryKindOfRecordsIsSortedAsOne) {
  std::size_t next = 0;
  for (const TestSort& kind : all_sort_kinds()) {
    if (next++ % 5 != 0 && device() != conformance::some_device_name())
      continue;  // Other devices are slow, and test nothing more.
    const RecordBytes all = random_records(kind, KeyDistribution::kUniform, count(), random);
    expect_sorted(device(), MemorySpace::kDevice, kind, all, uneven(count(), ranks()));
  }
}

TEST_P(DistributedSortTest, EveryDistributionOfKeysIsSortedStably) {
  const TestSort kind = {KeyType::kU32, 4};
  for (const KeyDistribution distribution : kKeyDistributions) {
    const RecordBytes all = random_records(kind, distribution, count(), random);
    expect_sorted(device(), MemorySpace::kHost, kind, all, uneven(count(), ranks()));
  }
}

TEST_P(DistributedSortTest, OneRankMayHaveEverythingAndAllMayHaveNothing) {
  const TestSort kind = {KeyType::kF32, 8, SortOrder::kDescending};
  std::vector<std::size_t> counts(static_cast<std::size_t>(ranks()), 0);
  expect_sorted(device(), MemorySpace::kDevice, kind, empty_records(kind, 0), counts);
  counts.back() = 1000;
  const RecordBytes all = random_records(kind, KeyDistribution::kUniform, 1000, random);
  expect_sorted(device(), MemorySpace::kDevice, kind, all, counts);
}

INSTANTIATE_TEST_SUITE_P(Devices, DistributedSortTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::Values(2, 4)));
INSTANTIATE_TEST_SUITE_P(Ranks, DistributedSortTest,
                         testing::Combine(testing::Values(conformance::some_device_name()),
                                          testing::Values(1, 3, 4, 7)));

// The arrays are vectors.
constexpr SortOptions kOnHost = {.space = MemorySpace::kHost};

TEST(DistributedSort, RunsOfManyRanksAreSortedStably) {
  SeededRandom random;
  const TestSort kind = {KeyType::kU32, 4};
  const RecordBytes all = random_records(kind, KeyDistribution::kUniform, 3000, random);
  expect_sorted(conformance::some_device_name(), MemorySpace::kHost, kind, all, uneven(3000, 20));
}

TEST(DistributedSort, IndicesOfManyRanksNeedNoKeys) {
  run_ranks(20, [](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    const auto rank = static_cast<std::uint32_t>(communicator.rank());
    const std::vector<std::uint32_t> keys = {7, 100 - rank};
    std::vector<std::uint32_t> indices(2);
    argsort<std::uint32_t, std::uint32_t>({communicator, *queue}, keys, indices, {}, kOnHost);
    // Equal keys come first, in order of their ranks; then the others, the last rank's first.
    const auto index_of = [](std::uint32_t i) { return i < 20 ? 2 * i : 2 * (39 - i) + 1; };
    EXPECT_EQ(indices, (std::vector<std::uint32_t>{index_of(2 * rank), index_of(2 * rank + 1)}));
  });
}

TEST(DistributedSort, ABadArgumentOfOneRankIsThrownOnAll) {
  conformance::expect_thrown(3, "rank 2: out has 9 elements for 10 keys; the numbers must match",
                             [](const DistributedQueue& ranks) {
                               const std::vector<float> in(10);
                               std::vector<float> out(ranks.communicator.rank() == 2 ? 9 : 10);
                               sort_keys<float>(ranks, in, out, kOnHost);
                             });
}

TEST(DistributedSort, AnArgumentThatDiffersIsNamed) {
  conformance::expect_thrown(
      3, "rank 1 and rank 0 were given different values of order (sort); give all ranks the same",
      [](const DistributedQueue& ranks) {
        std::vector<float> keys(10);
        const bool is_other = ranks.communicator.rank() == 1;
        const auto order = is_other ? SortOrder::kDescending : SortOrder::kAscending;
        sort_keys<float>(ranks, keys, keys, {.order = order, .space = MemorySpace::kHost});
      });
}

TEST(DistributedSort, MessagesOfNoBytesAreRejected) {
  conformance::expect_thrown(
      2, "rank 0: message_bytes is 0; it must be 1 to 2147483647",
      [](const DistributedQueue& ranks) {
        std::vector<float> keys(10);
        sort_keys<float>({ranks.communicator, ranks.queue, 0}, keys, keys, kOnHost);
      });
}

TEST(DistributedSort, ArgumentsThatRanksDoNotSupportAreNamed) {
  const auto expect_thrown = [](const std::string& message, const SortArguments& arguments) {
    conformance::expect_thrown(2, "rank 0: " + message,
                               [&](const DistributedQueue& ranks) { sort(ranks, arguments); });
  };
  const std::uint64_t count = 0;
  expect_thrown(
      "key_type is f16; ranks sort keys of 4 and 8 bytes: widen the keys, or sort in one process",
      {.key_type = KeyType::kF16, .space = MemorySpace::kHost});
  expect_thrown("bits are 8 to 31; ranks sort by all bits: set them to {}, or sort in one process",
                {.space = MemorySpace::kHost, .bits = {.first = 8, .end = 0}});
  expect_thrown(
      "count_in is not null; ranks sort a number of keys that the host knows: set `count` to it "
      "and count_in to null",
      {.space = MemorySpace::kHost, .count_in = &count});
}

TEST(DistributedSort, IndicesCountTheKeysOfAllRanks) {
  run_ranks(2, [](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    const std::vector<std::uint32_t> keys =
        communicator.rank() == 0 ? std::vector<std::uint32_t>{5, 3} : std::vector<std::uint32_t>{4};
    std::vector<std::uint32_t> indices(keys.size());
    argsort<std::uint32_t, std::uint32_t>({communicator, *queue}, keys, indices, {}, kOnHost);
    EXPECT_EQ(indices, communicator.rank() == 0 ? (std::vector<std::uint32_t>{1, 2})
                                                : std::vector<std::uint32_t>{0});
  });
}

// The same words, whatever sorts.
template <class On>
std::vector<float> sorted_on(On& on, std::vector<float> keys) {
  sort_keys<float>(on, keys, keys, kOnHost);
  return keys;
}

TEST(DistributedSort, IsCalledAsThatOfAQueueAndOfAGroup) {
  SeededRandom random;
  std::vector<float> all(1000);
  for (float& key : all) key = static_cast<float>(random());
  run_ranks(2, [&](Communicator& communicator) {
    const DeviceGroup group = open_device_group(conformance::some_device_name());
    Queue& queue = group.queue(0);
    DistributedQueue ranks{communicator, queue};
    const std::vector<float> expected = sorted_on(queue, all);
    EXPECT_EQ(sorted_on(group, all), expected);
    const auto half_of = [&](const std::vector<float>& keys) {
      const auto begin = keys.begin() + 500 * communicator.rank();
      return std::vector<float>(begin, begin + 500);
    };
    EXPECT_EQ(sorted_on(ranks, half_of(all)), half_of(expected));
  });
}

TEST(DistributedSort, TheReportCountsWhatTravelled) {
  run_ranks(2, [](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    // Rank 0 has the upper half, so all keys change ranks.
    std::vector<std::uint32_t> keys(100);
    std::iota(keys.begin(), keys.end(), communicator.rank() == 0 ? 100U : 0U);
    const DistributedSortReport report =
        sort_keys<std::uint32_t>({communicator, *queue}, keys, keys, kOnHost);
    EXPECT_EQ(report.bytes_sent, 400U);
    EXPECT_EQ(report.count, 200U);
    EXPECT_EQ(report.first_index, communicator.rank() == 0 ? 0U : 100U);
  });
}

}  // namespace
}  // namespace millrace::radix_sort
