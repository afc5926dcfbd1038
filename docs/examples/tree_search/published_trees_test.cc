// SPDX-License-Identifier: Apache-2.0

// The published trees of the unbalanced tree search benchmark, and a number of Fibonacci by joins,
// on groups of devices of several kinds and on four ranks.
#include <millrace/docs/examples/recursion/fibonacci.h>
#include <millrace/docs/examples/tree_search/uts.h>
#include <millrace/docs/examples/tree_search/uts_definition.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/groups.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

namespace millrace::examples {
namespace {

struct PublishedTree {
  std::string name;
  UtsTreeOptions options;

  UtsCounts counts() const { return published_uts_counts(options).value(); }
};

const PublishedTree kT1 = {"T1",
                           {.shape = UtsShape::kFixed, .branching = 4, .depth = 10, .seed = 19}};
const PublishedTree kT3 = {"T3",
                           {.type = UtsType::kBinomial,
                            .branching = 2000,
                            .nonleaf_probability = 0.124875,
                            .nonleaf_children = 8,
                            .seed = 42}};
const PublishedTree kT4 = {"T4",
                           {.type = UtsType::kHybrid,
                            .branching = 6,
                            .depth = 16,
                            .nonleaf_probability = 0.234375,
                            .nonleaf_children = 4,
                            .seed = 1}};
const PublishedTree kT1L = {"T1L",
                            {.shape = UtsShape::kFixed, .branching = 4, .depth = 13, .seed = 29}};

// Searches a tree, and expects its counts and that several devices have run some of it.
void expect_published(const DeviceGroup& group, const PublishedTree& tree) {
  const UtsResult result = search_uts(ExampleDevices(group), UtsOptions{.tree = tree.options});
  EXPECT_EQ(result.counts, tree.counts()) << tree.name << " on " << group.name();
  std::uint64_t tasks = 0;
  std::uint64_t given = 0;
  int busy = 0;
  for (const SharedDeviceReport& device : result.devices) {
    tasks += device.run.tasks();
    given += device.exchanged.tasks_given;
    busy += device.run.tasks() > 0 ? 1 : 0;
  }
  EXPECT_EQ(tasks, tree.counts().nodes - 1) << tree.name;  // The host counts the root.
  EXPECT_GE(busy, 2) << tree.name;
  EXPECT_GT(given, 0u) << tree.name;
}

void expect_fibonacci(const ExampleDevices& devices, int n) {
  const FibonacciResult result = compute_fibonacci(devices, {.n = n});
  EXPECT_EQ(result.value, fibonacci_by_additions(n));
}

class PublishedTreesTest : public conformance::GroupTest {
 protected:
  // The group learns the speeds of its devices by a small tree. By the first guess a simulated GPU
  // would get most of a tree.
  void SetUp() override {
    search_uts(ExampleDevices(group),
               {.tree = {.shape = UtsShape::kFixed, .branching = 4, .depth = 6, .seed = 19}});
  }
};

TEST_P(PublishedTreesTest, T1) { expect_published(group, kT1); }
TEST_P(PublishedTreesTest, T3) { expect_published(group, kT3); }
TEST_P(PublishedTreesTest, T4) { expect_published(group, kT4); }
TEST_P(PublishedTreesTest, Fibonacci27) { expect_fibonacci(ExampleDevices(group), 27); }

using LargeTreesTest = PublishedTreesTest;

TEST_P(LargeTreesTest, T1L) { expect_published(group, kT1L); }
TEST_P(LargeTreesTest, Fibonacci40) { expect_fibonacci(ExampleDevices(group), 40); }

INSTANTIATE_TEST_SUITE_P(Groups, PublishedTreesTest,
                         testing::ValuesIn(conformance::group_names_in_reach()),
                         conformance::name_of_group);
INSTANTIATE_TEST_SUITE_P(Groups, LargeTreesTest,
                         testing::ValuesIn(conformance::group_names_in_reach()),
                         conformance::name_of_group);

// Runs on four ranks, each with a queue of the CPU.
void on_four_ranks(const std::function<void(const DistributedQueue&)>& rank) {
  run_ranks(4, [&](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    rank({communicator, *queue});
  });
}

// All ranks have the same counts, and several have run some of the tree.
void expect_published_on_ranks(const PublishedTree& tree) {
  on_four_ranks([&tree](const DistributedQueue& ranks) {
    const UtsResult result = search_uts(ExampleDevices(ranks), UtsOptions{.tree = tree.options});
    EXPECT_EQ(result.counts, tree.counts()) << tree.name;
    const std::uint64_t own = result.devices.at(0).run.tasks();
    EXPECT_EQ(all_sum(ranks.communicator, own), tree.counts().nodes - 1) << tree.name;
    EXPECT_GE(all_sum(ranks.communicator, own > 0 ? 1 : 0), 2u) << tree.name;
  });
}

TEST(PublishedTreesOnRanks, T1) { expect_published_on_ranks(kT1); }
TEST(PublishedTreesOnRanks, T3) { expect_published_on_ranks(kT3); }
TEST(PublishedTreesOnRanks, T4) { expect_published_on_ranks(kT4); }
TEST(PublishedTreesOnRanks, Fibonacci27) {
  on_four_ranks([](const DistributedQueue& ranks) { expect_fibonacci(ExampleDevices(ranks), 27); });
}

TEST(LargeTreesOnRanks, T1L) { expect_published_on_ranks(kT1L); }
TEST(LargeTreesOnRanks, Fibonacci40) {
  on_four_ranks([](const DistributedQueue& ranks) { expect_fibonacci(ExampleDevices(ranks), 40); });
}

}  // namespace
}  // namespace millrace::examples
