// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/guide_blocks.h>
#include <millrace/docs/examples/several_devices/count_ways.h>
#include <millrace/docs/examples/several_devices/despite_failures.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/run_ranked_tasks.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/groups.h>

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace millrace::examples {
namespace {

constexpr std::uint32_t kSum = 40;

std::vector<std::uint32_t> weights() {
  std::vector<std::uint32_t> numbers(12);
  std::iota(numbers.begin(), numbers.end(), 1u);
  return numbers;
}

// Counts by the table of all sums.
std::uint64_t ways_by_table() {
  std::vector<std::uint64_t> ways(kSum + 1);
  ways[0] = 1;
  for (const std::uint32_t weight : weights()) {
    for (std::uint32_t sum = kSum; sum >= weight; --sum) ways[sum] += ways[sum - weight];
  }
  return ways[kSum];
}

class CountWaysTest : public conformance::GroupTest {};

TEST_P(CountWaysTest, GivesTheNumberOfTheTable) {
  EXPECT_EQ(count_ways(group, weights(), kSum), ways_by_table());
  EXPECT_EQ(count_ways(group.queue(0), weights(), kSum), ways_by_table());
}

// A device of the first group cannot be prepared.
TEST_P(CountWaysTest, AnotherGroupGoesOnWhenADeviceFails) {
  const DeviceGroup other({group.device(0)});
  const std::vector<std::uint32_t> numbers = weights();
  std::map<Queue*, Buffer<std::uint32_t>> copies;
  for (Queue* const queue : {&group.queue(0), &group.queue(group.size() - 1), &other.queue(0)}) {
    Buffer<std::uint32_t> own(queue->device().shared_from_this(), MemorySpace::kDevice,
                              numbers.size());
    copy(*queue, own.span(), BufferSpan<const std::uint32_t>(std::span(numbers)));
    queue->wait();
    copies[queue] = std::move(own);
  }
  SharedSums ways(1);
  int failures = 0;
  const SharedTasks<ChooseTasks> tasks{
      .roots = TaskList<ChooseTasks>(Choose{0, kSum}),
      .prepare =
          [&](Queue& queue) {
            if (&queue == &group.queue(group.size() - 1)) {
              ++failures;
              throw Error(ErrorCode::kIo, "no weights");
            }
            const auto count = static_cast<std::uint32_t>(numbers.size());
            return Weights{copies.at(&queue).data(), count, ways.on(queue)};
          },
      .finish = [&](Queue& queue) { ways.take(queue); }};
  run_despite_failures({&group, &other}, tasks);
  EXPECT_EQ(ways.totals()[0], ways_by_table());
  EXPECT_EQ(failures, 1);
  EXPECT_THROW(run_despite_failures({&group}, tasks), FailedRun<ChooseTasks>);
}

INSTANTIATE_TEST_SUITE_P(Groups, CountWaysTest, testing::ValuesIn(conformance::group_names()),
                         conformance::name_of_group);

TEST(CountWays, RanksAddUpToTheNumberOfTheTable) {
  run_ranks(3, [](Communicator& communicator) {
    const auto queue = open_device("tbb")->make_queue();
    const DistributedQueue ranks{communicator, *queue};
    const std::uint64_t mine =
        count_ways(ranks, weights(), kSum, /*has_root=*/communicator.rank() == 0);
    EXPECT_EQ(all_sum(communicator, mine), ways_by_table());
  });
}

TEST(ManyDevicesGuide, ShowsTheSources) {
  const std::string folder = "docs/examples/several_devices/";
  expect_blocks_of_sources(
      "docs/guide/many_devices.md",
      {folder + "choose_tasks.h", folder + "count_ways.h", folder + "despite_failures.h"}, 3);
}

}  // namespace
}  // namespace millrace::examples
