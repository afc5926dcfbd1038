// SPDX-License-Identifier: Apache-2.0

// More partitions than there are devices: each on a queue of its own.
#include <millrace/algorithms/radix_sort/group/peer_partition.h>
#include <millrace/algorithms/radix_sort/group/splitter.h>
#include <millrace/algorithms/radix_sort/host_records_test_input.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/tests/conformance/groups.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace millrace::radix_sort {
namespace {

class PeerPartitionTest : public conformance::GroupTest {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t k = 0; k < group.size(); ++k) {
        if (group.device(i)->info().shares_host_memory ||
            (i != k && !can_copy_from(group.queue(i), *group.device(k)))) {
          GTEST_SKIP() << "these devices do not copy from each other";
        }
      }
    }
  }

  // Sorts slices of these sizes, and merges as many ranges of keys.
  void sort(const SortArguments& arguments, const std::vector<std::size_t>& sizes) {
    std::vector<std::unique_ptr<Queue>> queues;
    std::vector<std::unique_ptr<PeerPartition>> partitions;
    std::vector<PeerPartition::SortedSlice> sorted;
    std::vector<Splitter> sample;
    std::size_t first = 0;
    for (const std::size_t size : sizes) {
      queues.push_back(group.device(partitions.size() % group.size())->make_queue());
      partitions.push_back(
          std::make_unique<PeerPartition>(*queues.back(), arguments, RecordSpan{first, size}));
      sorted.push_back(partitions.back()->sort_slice());
      const std::vector<Splitter> some = sorted.back().sample(size / 2);
      sample.insert(sample.end(), some.begin(), some.end());
      first += size;
    }
    const auto splitters =
        choose_splitters(std::move(sample), std::vector<double>(sizes.size(), 1.0));
    std::vector<std::vector<std::size_t>> cuts;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      cuts.push_back(sorted[i].positions_of(splitters));
      cuts.back().insert(cuts.back().begin(), 0);
      cuts.back().push_back(sizes[i]);
    }
    std::vector<std::vector<PeerRun>> ranges(sizes.size());
    for (std::size_t range = 0; range < sizes.size(); ++range) {
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        ranges[range].push_back(sorted[i].run(cuts[i][range], cuts[i][range + 1]));
      }
    }
    std::size_t output = 0;
    std::vector<PeerPartition::OrderedValues> ordered;
    for (std::size_t range = 0; range < sizes.size(); ++range) {
      PeerPartition::SentKeys sent =
          std::move(sorted[range])
              .merge_and_send(
                  {.runs = ranges[range], .first_output = output, .devices = sizes.size()});
      ordered.push_back(std::move(sent).receive_and_order_values());
      for (const PeerRun& run : ranges[range]) output += run.count;
    }
    for (std::size_t range = 0; range < sizes.size(); ++range) {
      std::move(ordered[range]).send_values(ranges[range]).finish();
    }
    EXPECT_EQ(output, arguments.count);
  }

  const std::random_device::result_type seed = std::random_device()();
  std::mt19937_64 random{seed};
};

TEST_P(PeerPartitionTest, MergesRangesOfManySlices) {
  for (const KeyType type : {KeyType::kU32, KeyType::kF64}) {
    for (const int random_bits : {2, 64}) {
      const SortCase sort_case{.type = type, .value_bytes = 4};
      const HostRecords in = random_records({key_bytes(type), 4}, 1500, random_bits, random);
      for (const std::vector<std::size_t>& sizes :
           {std::vector<std::size_t>{300, 500, 700}, {1, 499, 0, 800, 200}, {1500}}) {
        HostRecords out;
        sort(arguments_for(sort_case, in, out), sizes);
        EXPECT_TRUE(out == sorted_by_reference(sort_case, in))
            << to_string(type) << ", " << random_bits << " bits, " << sizes.size()
            << " slices, seed " << seed;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, PeerPartitionTest, testing::ValuesIn(conformance::group_names()),
                         conformance::name_of_group);

}  // namespace
}  // namespace millrace::radix_sort
