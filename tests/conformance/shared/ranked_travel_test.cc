// SPDX-License-Identifier: Apache-2.0

// Tasks that must travel between ranks: their run cannot end before some have begun on a rank that
// had none. Ranks have no memory in common, so that they may be processes, too: the rank that tasks
// must reach fails, or requests the stop of the run.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/run_shared_tasks.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/run_ranked_tasks.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/runtime/testing/manual_clock.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/shared/leaf_roles.h>
#include <millrace/tests/conformance/shared/shared_totals.h>
#include <millrace/tests/conformance/tasks/fibonacci.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::conformance {
namespace {

constexpr std::uint32_t kDepth = 6;
constexpr std::uint32_t kCalls = 11;

// A root with four children, whose tree has 352 nodes, 221 of them leaves.
constexpr SharedNode kRoot{.state = std::uint64_t{4} << 40, .depth = kDepth, .fails = 0};

// A CPU gives tasks as long as it has two, so no rank keeps all. Runs of several queues of this one
// go on at the same time, which is not so on every CPU.
constexpr const char* kDevice = "tbb";

// Processes are the ranks where there are several; threads of each would be more than cores run.
void on_ranks(int size, const std::function<void(const DistributedQueue&)>& rank) {
  const int processes = world_communicator().size();
  if (processes > 1 && size > processes) GTEST_SKIP() << "there are " << processes << " processes";
  const std::vector<std::string> names = device_names();
  if (std::ranges::find(names, kDevice) == names.end()) GTEST_SKIP() << "there is no " << kDevice;
  run_ranks(size, [&](Communicator& communicator) {
    const auto queue = open_device(kDevice)->make_queue();
    rank({communicator, *queue, /*message_bytes=*/4096});
  });
}

// The sums of all ranks.
Totals sum_over(const DistributedQueue& ranks, Totals totals) {
  ranks.communicator.all_sum(totals.data(), totals.size());
  return totals;
}

// The list on one rank, and an empty one on the others.
template <class Set>
TaskList<Set> at(const DistributedQueue& ranks, int owner, const TaskList<Set>& list) {
  return ranks.communicator.rank() == owner ? list : TaskList<Set>();
}

// Runs tasks whose leaves wait on all ranks but `bad`, where they fail. Returns what is left here.
template <class Set>
TaskList<Set> failed(const DistributedQueue& ranks, int bad, AllSums& sums,
                     const TaskList<Set>& roots) {
  const bool is_bad = ranks.communicator.rank() == bad;
  LeafRoles roles({&ranks.queue}, is_bad ? LeafRole::kFails : LeafRole::kWaits);
  try {
    run_tasks(ranks, roles.give_to(sums.tasks(roots)), {.keep_unfinished = true});
  } catch (const FailedRun<Set>& error) {
    EXPECT_EQ(error.detail(), kLeafFailure) << error.what();
    EXPECT_EQ(error.tasks_left(), error.remaining().size());
    if (ranks.communicator.size() > 1) {
      const std::string name = "rank " + std::to_string(bad) + ": ";
      EXPECT_TRUE(std::string_view(error.what()).starts_with(name)) << error.what();
    }
    return error.remaining();
  }
  ADD_FAILURE() << "no error";
  return {};
}

class RankedTravelTest : public testing::TestWithParam<int> {};

// Each rank in turn fails, and the root is on the one before it.
TEST_P(RankedTravelTest, TheRankThatFailsIsNamedAndTheRestIsHandedBack) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    const Totals expected = shared_totals({kRoot});
    const int size = ranks.communicator.size();
    for (int bad = 0; bad < size; ++bad) {
      AllSums sums;
      const auto roots = at(ranks, (bad + size - 1) % size, list_of({kRoot}));
      const auto rest = failed(ranks, bad, sums, roots);
      EXPECT_LT(sum_over(ranks, sums.totals())[0], expected[0]);
      run_tasks(ranks, sums.tasks(rest));
      EXPECT_EQ(sum_over(ranks, sums.totals()), expected) << "rank " << bad << " failed";
    }
  });
}

// The leaf that fails has arrived at a join of another rank.
TEST_P(RankedTravelTest, ArrivalsOfTheRankThatFailsReachTheirJoins) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    const int last = ranks.communicator.size() - 1;
    AllSums sums;
    const TaskList<SharedCallTasks> root(SharedStart{kCalls, 0});
    const auto rest = failed(ranks, last, sums, at(ranks, 0, root));
    EXPECT_EQ(sum_over(ranks, sums.totals())[1], 0u);  // There is no answer.
    run_tasks(ranks, sums.tasks(rest));
    const Totals totals = sum_over(ranks, sums.totals());
    EXPECT_EQ(totals[0], fibonacci(kCalls));
    EXPECT_EQ(totals[1], 1u);
  });
}

// Runs tasks whose leaves wait on all ranks, of which the last stops the run once a leaf has begun
// there. Returns what is left on this rank.
template <class Set>
TaskList<Set> stopped(const DistributedQueue& ranks, AllSums& sums, const TaskList<Set>& roots,
                      bool by_deadline) {
  const bool stops = ranks.communicator.rank() == ranks.communicator.size() - 1;
  LeafRoles roles({&ranks.queue}, LeafRole::kWaits);
  std::stop_source stop;
  RunOptions options{.stop = stop.get_token(), .keep_unfinished = true};
  if (by_deadline && stops) options.deadline = ManualClock::kFar;
  std::optional<OnceLeavesHaveBegun> watcher;
  if (stops) {
    watcher.emplace(roles, 1, [&stop, by_deadline] {
      if (by_deadline) return ManualClock::advance(ManualClock::kFar);
      stop.request_stop();
    });
  }
  try {
    run_tasks(ranks, roles.give_to(sums.tasks(roots)), options);
  } catch (const UnfinishedRun<Set>& error) {
    EXPECT_TRUE(std::string_view(error.what())
                    .starts_with(by_deadline ? kStoppedByDeadline : kStoppedByRequest))
        << error.what();
    EXPECT_EQ(error.tasks_left(), error.remaining().size());
    return error.remaining();
  }
  ADD_FAILURE() << "the run has ended although its leaves wait";
  return {};
}

// Each rank goes on with its list on another device, where there are several.
TEST_P(RankedTravelTest, CallsStoppedInTheirJoinsGoOnOnAnotherMix) {
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    AllSums sums;
    const TaskList<SharedCallTasks> root(SharedStart{kCalls, 0});
    const auto rest = stopped(ranks, sums, at(ranks, 0, root), /*by_deadline=*/false);
    EXPECT_EQ(sum_over(ranks, sums.totals())[1], 0u);
    EXPECT_GT(all_sum(ranks.communicator, rest.joins().size()), 0u);
    const std::vector<std::string> names = names_in_reach();
    const auto rank = static_cast<std::size_t>(ranks.communicator.rank());
    const auto queue = open_device(names[rank % names.size()])->make_queue();
    run_tasks(DistributedQueue{ranks.communicator, *queue, ranks.message_bytes}, sums.tasks(rest));
    const Totals totals = sum_over(ranks, sums.totals());
    EXPECT_EQ(totals[0], fibonacci(kCalls));
    EXPECT_EQ(totals[1], 1u);
  });
}

// Only the last rank has a deadline, which passes once leaves have begun there. A message stops the
// others.
TEST_P(RankedTravelTest, TheDeadlineOfOneRankStopsAll) {
  const ManualClock clock;
  on_ranks(GetParam(), [](const DistributedQueue& ranks) {
    const Totals expected = shared_totals({kRoot});
    AllSums sums;
    const auto rest = stopped(ranks, sums, at(ranks, 0, list_of({kRoot})), /*by_deadline=*/true);
    const Totals done = sum_over(ranks, sums.totals());
    EXPECT_GT(done[0], 0u);  // Nodes that are no leaves.
    EXPECT_LT(done[0], expected[0]);
    run_tasks(ranks, sums.tasks(rest));
    EXPECT_EQ(sum_over(ranks, sums.totals()), expected);
  });
}

// The lists of three ranks go on as those of four, and as one list of a group.
TEST(RankedTravel, ListsOfStoppedRanksGoOnOnMoreRanksAndOnAGroup) {
  constexpr int kRanks = 3;
  if (world_communicator().size() > 1) GTEST_SKIP() << "lists do not leave their processes";
  std::vector<TaskList<SharedCallTasks>> lists(kRanks);
  const auto list_of_rank = [&lists](const DistributedQueue& ranks) {
    const auto rank = static_cast<std::size_t>(ranks.communicator.rank());
    return rank < lists.size() ? lists[rank] : TaskList<SharedCallTasks>();
  };
  on_ranks(kRanks, [&lists](const DistributedQueue& ranks) {
    AllSums sums;
    const TaskList<SharedCallTasks> root(SharedStart{kCalls, 0});
    lists[static_cast<std::size_t>(ranks.communicator.rank())] =
        stopped(ranks, sums, at(ranks, 0, root), /*by_deadline=*/false);
    EXPECT_EQ(sums.totals()[1], 0u);
  });
  on_ranks(kRanks + 1, [&list_of_rank](const DistributedQueue& ranks) {
    AllSums sums;
    run_tasks(ranks, sums.tasks(list_of_rank(ranks)));
    EXPECT_EQ(sum_over(ranks, sums.totals())[0], fibonacci(kCalls));
  });

  TaskList<SharedCallTasks> all;
  for (const TaskList<SharedCallTasks>& list : lists) {
    all.append(list.slot_data(), list.tag_data(), list.size());
    for (const auto& join : list.joins()) all.push(join);
  }
  EXPECT_FALSE(all.joins().empty());
  std::vector<std::shared_ptr<Device>> devices;
  for (const std::string& name : names_in_reach()) devices.push_back(open_device(name));
  AllSums sums;
  run_tasks(DeviceGroup(devices), sums.tasks(all));
  EXPECT_EQ(sums.totals()[0], fibonacci(kCalls));
}

INSTANTIATE_TEST_SUITE_P(Sizes, RankedTravelTest, testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace millrace::conformance
