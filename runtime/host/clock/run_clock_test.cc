// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/testing/counted_clock.h>

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace millrace {
namespace {

using namespace std::chrono_literals;

TEST(RunClockTest, IsTheSteadyClock) {
  EXPECT_FALSE(RunClock::is_set());
  const auto before = std::chrono::steady_clock::now();
  const auto time = RunClock::now();
  const auto after = std::chrono::steady_clock::now();
  EXPECT_LE(before, time);
  EXPECT_LE(time, after);
}

TEST(RunClockTest, IsTheClockOfATestWhileThatLives) {
  {
    const CountedClock clock;
    EXPECT_TRUE(RunClock::is_set());
    const auto first = RunClock::now();
    EXPECT_EQ(RunClock::now(), first + 20us);
    EXPECT_EQ(RunClock::now(), first + 40us);
  }
  EXPECT_FALSE(RunClock::is_set());
}

TEST(RunClockTest, WaitsForTheTimeOfATest) {
  const CountedClock clock;
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  const auto begin = RunClock::now();
  const auto end = begin + 1h;
  int waits = 0;
  for (; RunClock::now() < begin + 200us; ++waits) RunClock::wait_until(condition, lock, end);
  EXPECT_EQ(waits, 9);  // Each reading is 20 us behind the one before.
  EXPECT_TRUE(lock.owns_lock());
}

}  // namespace
}  // namespace millrace
