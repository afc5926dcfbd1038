#include <millrace/runtime/host_threads.h>

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
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

}  // namespace
}  // namespace millrace
