// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_threads.h>

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace millrace {
namespace {

// Keeps every thread of a team busy until open().
class BusyTeam {
 public:
  explicit BusyTeam(HostThreads& team) : opened_(open_.get_future()) {
    for (int i = 0; i < team.count(); ++i) {
      team.start([opened = opened_] { opened.wait(); });
    }
  }
  ~BusyTeam() { open_.set_value(); }

 private:
  std::promise<void> open_;
  std::shared_future<void> opened_;
};

TEST(HostThreads, CallEveryIndexOnce) {
  HostThreads team(3);
  std::vector<std::atomic<int>> calls(10'000);
  team.for_each(calls.size(), [&](std::size_t i) { ++calls[i]; });
  for (const auto& count : calls) ASSERT_EQ(count, 1);
}

TEST(HostThreads, HaveNothingToDoForNothing) {
  HostThreads team(2);
  team.for_each(0, [](std::size_t) { FAIL(); });
}

TEST(HostThreads, RunWhatIsStarted) {
  HostThreads team(2);
  std::promise<std::thread::id> ran_on;
  team.start([&] { ran_on.set_value(std::this_thread::get_id()); });
  EXPECT_NE(ran_on.get_future().get(), std::this_thread::get_id());
}

TEST(HostThreads, WorkTogether) {
  HostThreads team(3);
  std::atomic<int> present = 0;
  team.for_each(4, [&](std::size_t) {
    ++present;
    while (present < 4) std::this_thread::yield();
  });
  EXPECT_EQ(present, 4);
}

TEST(HostThreads, LeaveNobodyWaitingWhileTheyAreBusy) {
  HostThreads team(2);
  const BusyTeam busy(team);
  int calls = 0;
  team.for_each(100, [&](std::size_t) { ++calls; });
  EXPECT_EQ(calls, 100);
}

TEST(HostThreads, MayBeUsedByTheirOwnJobs) {
  HostThreads team(2);
  std::atomic<int> calls = 0;
  team.for_each(8, [&](std::size_t) { team.for_each(8, [&](std::size_t) { ++calls; }); });
  EXPECT_EQ(calls, 64);
}

TEST(HostThreads, ServeManyAtOnce) {
  HostThreads team(2);
  std::atomic<int> calls = 0;
  std::vector<std::thread> users;
  for (int i = 0; i < 4; ++i) {
    users.emplace_back([&] {
      for (int round = 0; round < 100; ++round) team.for_each(10, [&](std::size_t) { ++calls; });
    });
  }
  for (std::thread& user : users) user.join();
  EXPECT_EQ(calls, 4000);
}

TEST(HostThreads, ThrowTheErrorOfACallAndMakeTheOthers) {
  HostThreads team(2);
  std::atomic<int> calls = 0;
  EXPECT_THROW(team.for_each(100,
                             [&](std::size_t i) {
                               ++calls;
                               if (i == 40) throw std::runtime_error("forty");
                             }),
               std::runtime_error);
  EXPECT_EQ(calls, 100);
}

TEST(HostThreads, ThrowTheErrorOfTheFirstCallThatFailed) {
  HostThreads team(2);
  const BusyTeam busy(team);  // Calls start in order.
  try {
    team.for_each(3, [](std::size_t i) { throw std::runtime_error(std::to_string(i)); });
    FAIL() << "no error was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::string("0"));
  }
}

TEST(HostThreads, EndWhatWasStartedBeforeTheyGo) {
  constexpr int kJobs = 100;
  std::atomic<int> ran = 0;
  {
    HostThreads team(2);
    for (int i = 0; i < kJobs; ++i) team.start([&ran] { ++ran; });
  }
  while (ran < kJobs) std::this_thread::yield();
}

TEST(HostThreads, AreOneTeamForTheProcess) {
  EXPECT_EQ(&HostThreads::shared(), &HostThreads::shared());
  EXPECT_GE(HostThreads::shared().count(), 1);
}

TEST(HostJobs, AllEndBeforeWaitReturns) {
  HostThreads team(3);
  HostJobs jobs(team);
  std::atomic<int> ended = 0;
  for (int i = 0; i < 1000; ++i) jobs.start([&] { ++ended; });
  jobs.wait();
  EXPECT_EQ(ended, 1000);
  jobs.start([&] { ++ended; });
  jobs.wait();
  EXPECT_EQ(ended, 1001);
}

TEST(HostJobs, EndBeforeTheyGo) {
  HostThreads team(2);
  std::atomic<int> ended = 0;
  {
    HostJobs jobs(team);
    for (int i = 0; i < 100; ++i) jobs.start([&] { ++ended; });
  }
  EXPECT_EQ(ended, 100);
}

TEST(HostJobs, ThrowTheFirstErrorOnceAllHaveEnded) {
  HostThreads team(2);
  HostJobs jobs(team);
  std::atomic<int> ended = 0;
  for (int i = 0; i < 100; ++i) {
    jobs.start([&ended, i] {
      ++ended;
      if (i == 7) throw std::runtime_error("seven");
    });
  }
  EXPECT_THROW(jobs.wait(), std::runtime_error);
  EXPECT_EQ(ended, 100);
  jobs.wait();
}

// The waiting thread runs jobs, too.
TEST(HostJobs, UseNoMoreThreadsThanRequested) {
  HostThreads team(4);
  HostJobs jobs(team, 2);
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  for (int i = 0; i < 2000; ++i) {
    jobs.start([&] {
      const int now = ++running;
      int seen = most;
      while (now > seen && !most.compare_exchange_weak(seen, now)) {
      }
      std::this_thread::yield();
      --running;
    });
  }
  jobs.wait();
  EXPECT_LE(most, 3);
}

TEST(HostJobs, CallEveryIndexOnce) {
  HostThreads team(3);
  HostJobs jobs(team);
  std::vector<std::atomic<int>> calls(10'000);
  for (std::size_t first = 0; first < calls.size(); first += 100) {
    jobs.start_each(100, [&, first](std::size_t i) { ++calls[first + i]; });
  }
  jobs.start_each(0, [](std::size_t) { FAIL(); });
  jobs.wait();
  for (const auto& count : calls) ASSERT_EQ(count, 1);
}

TEST(HostJobs, HoldNothingOnceTheyHaveEnded) {
  HostThreads team(3);
  for (int i = 0; i < 300; ++i) {
    const auto held = std::make_shared<int>(0);
    HostJobs jobs(team);
    jobs.start_each(5, [held](std::size_t) {});
    jobs.start([held] {});
    jobs.wait();
    ASSERT_EQ(held.use_count(), 1);
  }
}

// No thread waits for them, so a thread of the team must run them.
TEST(HostJobs, EndByThemselves) {
  for (const bool is_polled : {false, true}) {
    HostThreads team(2);
    HostJobs jobs(team);
    if (is_polled) jobs.keep_polling();
    std::atomic<int> ended = 0;
    for (int i = 1; i <= 2000; ++i) {
      jobs.start([&] { ++ended; });
      while (ended < i) std::this_thread::yield();
    }
    jobs.wait();
  }
}

TEST(HostJobs, EndWhereTheyAreAttended) {
  for (const int count : {1, 2, 4}) {
    HostThreads team(count);
    HostJobs jobs(team);
    std::atomic<int> ended = 0;
    for (int round = 0; round < 3; ++round) {
      jobs.keep_polling();
      for (int i = 0; i < 1000; ++i) jobs.start([&] { ++ended; });
      jobs.wait();
      EXPECT_EQ(ended, 1000 * (round + 1)) << count;
    }
  }
}

TEST(HostJobs, AreBegunWithoutWaitWhereTheyAreAttended) {
  HostThreads team(3);
  HostJobs jobs(team);
  jobs.keep_polling();
  std::promise<void> begun;
  jobs.start([&] { begun.set_value(); });
  begun.get_future().wait();
  jobs.wait();
}

TEST(HostJobs, LeaveTheTeamToOthersWhileTheyAreAttended) {
  HostThreads team(3);
  HostJobs jobs(team);
  jobs.keep_polling();
  const int count = team.count();
  const auto present = std::make_shared<std::atomic<int>>(0);  // Other threads may own it last.
  for (int i = 0; i < count; ++i) {
    team.start([present, count] {
      ++*present;
      while (*present < count) std::this_thread::yield();
    });
  }
  while (*present < count) std::this_thread::yield();
  jobs.start([present] { ++*present; });
  jobs.wait();
  EXPECT_EQ(*present, count + 1);
}

TEST(HostJobs, GiveTheTeamBackThatAttendedThem) {
  HostThreads team(3);
  {
    HostJobs jobs(team);
    jobs.keep_polling();
  }
  HostJobs jobs(team);
  jobs.keep_polling();
  jobs.wait();
  std::atomic<int> present = 0;
  team.for_each(4, [&](std::size_t) {
    ++present;
    while (present < 4) std::this_thread::yield();
  });
}

TEST(HostJobs, EndWhileTheTeamIsBusy) {
  HostThreads team(2);
  HostJobs jobs(team);
  std::atomic<int> ended = 0;
  {
    const BusyTeam busy(team);
    for (int i = 0; i < 10; ++i) jobs.start([&] { ++ended; });
    jobs.wait();
    EXPECT_EQ(ended, 10);
  }
}

}  // namespace
}  // namespace millrace
