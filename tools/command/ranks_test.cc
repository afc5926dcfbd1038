// Subcommands of one process among several ranks.
#include <millrace/tools/command/ranks.h>

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <functional>
#include <vector>

#include <millrace/runtime/thread_communicator.h>

namespace millrace::tools {
namespace {

// A second InterruptGuard would be refused, so one rank waits at most: of two.
constexpr int kRanks = 2;

constexpr int kThrew = -1;  // In place of a status.

// The statuses that ranks end with, and how often `run` was called.
struct Ends {
  std::vector<int> statuses;
  int runs = 0;
};

Ends ends_of(const std::function<void()>& run) {
  std::atomic<int> runs = 0;
  std::vector<int> statuses;
  for (const std::exception_ptr& thrown : catch_ranks(kRanks, [&](Communicator& communicator) {
         run_on_rank_0(communicator, "bench", [&] {
           ++runs;
           EXPECT_EQ(communicator.rank(), 0);
           run();
         });
       })) {
    try {
      if (thrown) std::rethrow_exception(thrown);
      statuses.push_back(0);
    } catch (const CLI::RuntimeError& error) {
      statuses.push_back(error.get_exit_code());
    } catch (const Error&) {
      statuses.push_back(kThrew);
    }
  }
  return {statuses, runs};
}

TEST(RunOnRank0, RunsOnceAndAllEndAlike) {
  const Ends ends = ends_of([] {});
  EXPECT_EQ(ends.runs, 1);
  EXPECT_EQ(ends.statuses, (std::vector<int>{0, 0}));
}

TEST(RunOnRank0, EndsWithItsStatusOnAllRanks) {
  EXPECT_EQ(ends_of([] { throw CLI::RuntimeError(130); }).statuses, (std::vector<int>{130, 130}));
}

TEST(RunOnRank0, ThrowsThereAndEndsOthersWithoutWords) {
  testing::internal::CaptureStderr();
  const Ends ends = ends_of([] { throw Error(ErrorCode::kIo, "r.json: exists already"); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "millrace: bench works on rank 0 alone\n");
  EXPECT_EQ(ends.statuses, (std::vector<int>{kThrew, 2}));
}

TEST(RunOnEachMachine, RunsOnTheFirstRankOfOne) {
  std::atomic<int> runs = 0;
  run_ranks(kRanks, [&](Communicator& communicator) {
    run_on_each_machine(communicator, "tune", [&] {
      ++runs;
      EXPECT_EQ(communicator.local_rank(), 0);
    });
  });
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace millrace::tools
