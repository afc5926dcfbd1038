// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/run/work_range.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <vector>

namespace millrace::cpu {
namespace {

constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();

TEST(WorkRange, IsEmptyAtFirst) {
  WorkRange range;
  EXPECT_TRUE(range.empty());
  EXPECT_TRUE(range.take().empty());
  EXPECT_TRUE(range.steal().empty());
}

TEST(WorkRange, IsEmptyWhereverItStands) {
  for (const std::uint32_t index : {0u, 5u, kLast}) {
    WorkRange range;
    range.assign({index, index});
    EXPECT_TRUE(range.empty());
    EXPECT_TRUE(range.take().empty());
    EXPECT_TRUE(range.steal().empty());
  }
}

TEST(WorkRange, TheOwnerTakesAllFromTheFront) {
  for (const std::uint32_t count : {1u, 2u, 7u, 8u, 17u, 5000u, 100'000u}) {
    WorkRange range;
    range.assign({3, 3 + count});
    std::uint32_t next = 3;
    while (!range.empty()) {
      const WorkRange::Items items = range.take();
      ASSERT_EQ(items.begin, next);
      ASSERT_GT(items.end, items.begin);
      next = items.end;
    }
    EXPECT_EQ(next, 3 + count);
    EXPECT_TRUE(range.take().empty());
  }
}

TEST(WorkRange, TheOwnerTakesLessWhenLessIsLeft) {
  WorkRange range;
  range.assign({0, 1'000'000});
  std::uint32_t last = kLast;
  while (!range.empty()) {
    const WorkRange::Items items = range.take();
    ASSERT_LE(items.end - items.begin, last);
    last = items.end - items.begin;
  }
  EXPECT_EQ(last, 1u);
}

TEST(WorkRange, ThievesTakeTheLastHalfRoundedUp) {
  WorkRange range;
  range.assign({10, 15});
  EXPECT_EQ(range.steal().begin, 12u);  // 12, 13, 14
  EXPECT_EQ(range.steal().begin, 11u);
  const WorkRange::Items last = range.steal();
  EXPECT_EQ(last.begin, 10u);
  EXPECT_EQ(last.end, 11u);
  EXPECT_TRUE(range.empty());
}

TEST(WorkRange, HoldsThe32BitNumbersUpToTheLast) {
  WorkRange range;
  range.assign({0, kLast});
  EXPECT_EQ(range.take().begin, 0u);
  const WorkRange::Items half = range.steal();
  EXPECT_EQ(half.end, kLast);
  EXPECT_GE(half.end - half.begin, kLast / 2 - 100'000);
  EXPECT_FALSE(range.empty());

  range.assign({kLast - 3, kLast});
  EXPECT_EQ(range.steal().begin, kLast - 2);
  const WorkRange::Items first = range.take();
  EXPECT_EQ(first.begin, kLast - 3);
  EXPECT_EQ(first.end, kLast - 2);
  EXPECT_TRUE(range.empty());
}

TEST(WorkRange, MillionsOfHalvesReachOne) {
  WorkRange range;
  range.assign({0, kLast});
  int thefts = 0;
  while (!range.steal().empty()) ++thefts;
  EXPECT_EQ(thefts, 32);
}

// One owner and three thieves, who keep the stolen items in ranges of their own, as workers do.
TEST(WorkRange, EachItemIsHandedOutOnceWhateverTheThreadsDo) {
  constexpr std::uint32_t kItems = 20'000;
  constexpr std::size_t kThreads = 4;
  for (int round = 0; round < 50; ++round) {
    std::vector<std::atomic<int>> handed_out(kItems);
    std::vector<WorkRange> ranges(kThreads);
    std::atomic<std::uint32_t> left = kItems;
    ranges[0].assign({0, kItems});
    const auto work = [&](std::size_t self) {
      while (left > 0) {
        const WorkRange::Items items = ranges[self].take();
        for (std::uint32_t i = items.begin; i < items.end; ++i) ++handed_out[i];
        left -= items.end - items.begin;
        if (!items.empty()) continue;
        for (std::size_t i = 1; i < kThreads && ranges[self].empty(); ++i) {
          const WorkRange::Items stolen = ranges[(self + i) % kThreads].steal();
          if (!stolen.empty()) ranges[self].assign(stolen);
        }
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
    ASSERT_TRUE(std::all_of(handed_out.begin(), handed_out.end(),
                            [](const std::atomic<int>& count) { return count == 1; }))
        << "round " << round;
  }
}

}  // namespace
}  // namespace millrace::cpu
