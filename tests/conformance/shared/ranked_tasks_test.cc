// SPDX-License-Identifier: Apache-2.0

// One spawning queue over ranks, which are threads.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/run_ranked_tasks.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/ranks.h>
#include <millrace/tests/conformance/shared/shared_totals.h>
#include <millrace/tests/conformance/tasks/fibonacci.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::conformance {
namespace {

using namespace std::chrono_literals;

// Runs on each rank, with a queue of a device that differs from its neighbours' where there are
// several.
void on_ranks(int size, const std::function<void(const DistributedQueue&)>& rank) {
  run_ranks(size, [&](Communicator& communicator) {
    const auto devices = list_devices();
    const auto& device = devices[static_cast<std::size_t>(communicator.rank()) % devices.size()];
    const auto queue = open_device(device.name)->make_queue();
    rank({communicator, *queue, /*message_bytes=*/4096});
  });
}

std::uint64_t sum_over(const DistributedQueue& ranks, std::uint64_t value) {
  return all_sum(ranks.communicator, value);
}

constexpr std::uint32_t kDepth = 9;
constexpr std::uint32_t kCalls = 14;

class RankedTasksTest : public testing::TestWithParam<int> {};

TEST_P(RankedTasksTest, RunEachTaskOfATreeOnce) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    for (const Policy policy : {Policy::kPersistentThreads, Policy::kUberkernel}) {
      for (const bool is_at_one : {false, true}) {
        // The roots of all ranks, or those of the last alone.
        const int rank = ranks.communicator.rank();
        const int last = ranks.communicator.size() - 1;
        std::vector<SharedNode> all;
        std::vector<SharedNode> mine;
        for (std::uint32_t i = 0; i < 40; ++i) {
          all.push_back({splitmix64(i), kDepth, 0});
          const int owner = is_at_one ? last : static_cast<int>(i) % (last + 1);
          if (owner == rank) mine.push_back(all.back());
        }
        AllSums sums;
        const auto report = run_tasks(ranks, sums.tasks(list_of(mine)), {.policy = policy});
        const Totals expected = shared_totals(all);
        EXPECT_EQ(sum_over(ranks, sums.totals()[0]), expected[0]);
        EXPECT_EQ(sum_over(ranks, sums.totals()[1]), expected[1]);
        EXPECT_EQ(report.run.tasks(), expected[0]);
      }
    }
  });
}

TEST_P(RankedTasksTest, JoinChildrenThatTravel) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    AllSums sums;
    TaskList<SharedCallTasks> roots;
    if (ranks.communicator.rank() == 0) roots.push(SharedStart{kCalls, 0});
    run_tasks(ranks, sums.tasks(roots));
    EXPECT_EQ(sum_over(ranks, sums.totals()[0]), fibonacci(kCalls));
    EXPECT_EQ(sum_over(ranks, sums.totals()[1]), 1);
  });
}

TEST_P(RankedTasksTest, GrowJoinsAndLendThem) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    constexpr std::uint32_t kRoots = 6;
    AllSums sums;
    TaskList<SharedBranchTasks> roots;
    if (ranks.communicator.rank() == 0) {
      for (std::uint32_t i = 0; i < kRoots; ++i) roots.push(SharedBranch{5, 3});
    }
    run_tasks(ranks, sums.tasks(roots));
    EXPECT_EQ(sum_over(ranks, sums.totals()[0]), kRoots * 6);
    EXPECT_EQ(sum_over(ranks, sums.totals()[2]), kRoots * (1 + 2 + 3 + 4 + 5));
  });
}

TEST_P(RankedTasksTest, EndOnAllWithTheFailureOfOne) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    AllSums sums;
    std::vector<SharedNode> nodes;
    for (std::uint32_t i = 0; i < 20; ++i) nodes.push_back({splitmix64(i), kDepth, 0x1f});
    try {
      run_tasks(ranks, sums.tasks(list_of(nodes)));
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kTaskFailed) << error.what();
    }
    // The ranks run on.
    AllSums again;
    run_tasks(ranks, again.tasks(TaskList<SharedTreeTasks>(SharedNode{1, kDepth, 0})));
    EXPECT_EQ(again.totals().size(), kSums);
  });
}

// Returns the sums of what all ranks have run and, by the definition, of the trees below what they
// have left.
Totals totals_over(const DistributedQueue& ranks, const AllSums& sums,
                   const TaskList<SharedTreeTasks>& left) {
  std::vector<SharedNode> nodes;
  for (std::size_t i = 0; i < left.size(); ++i) nodes.push_back(left.view().get<SharedNode>(i));
  Totals totals = shared_totals(nodes);
  for (std::size_t i = 0; i < totals.size(); ++i) totals[i] += sums.totals()[i];
  ranks.communicator.all_sum(totals.data(), totals.size());
  return totals;
}

TEST_P(RankedTasksTest, HandBackToEachRankWhatItHasNotStarted) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    for (const Policy policy : {Policy::kPersistentThreads, Policy::kUberkernel}) {
      std::vector<SharedNode> all;
      for (std::uint32_t i = 0; i < 20; ++i) all.push_back({splitmix64(i), kDepth, 0xff});
      const Totals expected = shared_totals(all);
      ASSERT_GT(expected[2], 0u);
      AllSums sums;
      TaskList<SharedTreeTasks> rest;
      if (ranks.communicator.rank() == 0) rest = list_of(all);
      int failures = 0;
      for (bool is_left = true; is_left;) {
        is_left = false;
        try {
          run_tasks(ranks, sums.tasks(std::exchange(rest, {})),
                    {.policy = policy, .keep_unfinished = true});
        } catch (const FailedRun<SharedTreeTasks>& failed) {
          // All ranks throw.
          is_left = true;
          ++failures;
          EXPECT_EQ(failed.detail(), SharedNode::kFailure) << failed.what();
          EXPECT_EQ(failed.tasks_left(), failed.remaining().size());
          if (ranks.communicator.size() > 1) {
            EXPECT_TRUE(std::string_view(failed.what()).starts_with("rank ")) << failed.what();
          }
          rest = failed.remaining();
        }
        EXPECT_EQ(totals_over(ranks, sums, rest), expected) << to_string(policy);
      }
      EXPECT_GE(failures, 1);
    }
  });
}

TEST_P(RankedTasksTest, HandBackOpenJoins) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    AllSums sums;
    TaskList<SharedCallTasks> rest;
    if (ranks.communicator.rank() == 0) rest.push(SharedStart{kCalls, 0, 1});
    int failures = 0;
    for (bool is_left = true; is_left;) {
      try {
        run_tasks(ranks, sums.tasks(std::exchange(rest, {})), {.keep_unfinished = true});
        is_left = false;
      } catch (const FailedRun<SharedCallTasks>& failed) {
        ++failures;
        EXPECT_EQ(failed.detail(), SharedCall::kFailure) << failed.what();
        rest = failed.remaining();
      }
    }
    EXPECT_GE(failures, 1);
    EXPECT_EQ(sum_over(ranks, sums.totals()[0]), fibonacci(kCalls));
  });
}

TEST_P(RankedTasksTest, NameTheContinuationThatWaits) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    AllSums sums;
    TaskList<SharedCallTasks> roots;
    if (ranks.communicator.rank() == 0) roots.push(SharedStart{8, 2});
    try {
      run_tasks(ranks, sums.tasks(roots));
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("SharedAnswer"), std::string::npos) << error.what();
    }
  });
}

TEST_P(RankedTasksTest, GoOnWhereTheyWereStopped) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    AllSums sums;
    TaskList<SharedCallTasks> rest;
    if (ranks.communicator.rank() == 0) rest.push(SharedStart{kCalls + 2, 0});
    bool is_left = true;
    for (int stops = 0; is_left; ++stops) {
      try {
        const auto deadline = 300us * (1 << std::min(stops / 3, 20));
        run_tasks(ranks, sums.tasks(std::exchange(rest, {})),
                  {.deadline = deadline, .keep_unfinished = true});
        is_left = false;
      } catch (const UnfinishedRun<SharedCallTasks>& stopped) {
        rest = stopped.remaining();
      }
    }
    EXPECT_EQ(sum_over(ranks, sums.totals()[0]), fibonacci(kCalls + 2));
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, RankedTasksTest, testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace millrace::conformance
