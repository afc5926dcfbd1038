// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/run/join_pool.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace millrace::cpu {
namespace {

struct Sum {
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t left, right;

  template <class Context>
  void operator()(Context&) const {}
};
using Set = TaskSet<Sum>;
using Cache = JoinCache<Set>;

class JoinPoolTest : public testing::Test {
 protected:
  JoinPoolTest() {
    worker.use(pool);
    other.use(pool);
  }
  static Join<> handle(const JoinRecord<Set>& record) { return {record.index, 0}; }

  JoinPool<Set> pool;
  Cache worker;
  Cache other;
};

TEST_F(JoinPoolTest, TheLastArrivalReturnsTheJoinWithAllValues) {
  const JoinRecord<Set>& join = worker.open(2, Sum{0, 0});
  const OpenedJoin<Sum> handles(join.index);
  EXPECT_EQ(worker.arrive(handles.to(&Sum::right), 8), nullptr);
  const JoinRecord<Set>* const ended = worker.arrive(handles.to(&Sum::left), 5);
  ASSERT_EQ(ended, &join);
  EXPECT_EQ(ended->continuation.get<Sum>().left, 5u);
  EXPECT_EQ(ended->continuation.get<Sum>().right, 8u);
  EXPECT_THROW(worker.arrive(handle(join)), Error);
}

// The order of the arrivals is the only one between the two threads: without it ThreadSanitizer
// reports a race.
TEST_F(JoinPoolTest, TheLastArrivalObservesTheValuesOfOtherThreads) {
  constexpr std::uint64_t kJoins = 1000;
  std::vector<OpenedJoin<Sum>> joins;
  for (std::uint64_t i = 0; i < kJoins; ++i) joins.emplace_back(worker.open(2, Sum{}).index);
  worker.let_others_know();
  // Arrives at all joins, and adds up the values of those that it ends.
  const auto arrive = [&joins](Cache& cache, auto member, std::uint64_t* sum) {
    for (std::uint64_t i = 0; i < kJoins; ++i) {
      JoinRecord<Set>* const ended = cache.arrive(joins[i].to(member), i);
      if (ended == nullptr) continue;
      const Sum values = ended->continuation.get<Sum>();
      *sum += values.left + values.right;
      cache.give_back(*ended);
    }
  };
  std::uint64_t sums[2] = {};
  {
    std::jthread first([&] { arrive(worker, &Sum::left, &sums[0]); });
    std::jthread second([&] { arrive(other, &Sum::right, &sums[1]); });
  }
  EXPECT_EQ(sums[0] + sums[1], kJoins * (kJoins - 1));
}

TEST_F(JoinPoolTest, AWorkerKnowsItsJoinsAloneUntilOthersMayKnowThem) {
  const JoinRecord<Set>& before = worker.open(1, Sum{});
  EXPECT_EQ(worker.find_known(before.index), &before);
  EXPECT_EQ(other.find_known(before.index), nullptr);
  worker.let_others_know();
  EXPECT_EQ(worker.find_known(before.index), nullptr);
  const JoinRecord<Set>& after = worker.open(1, Sum{});
  EXPECT_EQ(worker.find_known(after.index), &after);
  EXPECT_EQ(worker.find_known(Join<>::kNone), nullptr);
}

TEST_F(JoinPoolTest, AJoinThatEndsTwiceDoesNotKeepItsWorker) {
  JoinRecord<Set>& join = worker.open(1, Sum{});
  worker.give_back(join);
  worker.give_back(join);
  worker.give_back_all();
  EXPECT_EQ(pool.open_count(), 0u);
}

TEST_F(JoinPoolTest, ExpectedArrivalsAreWaitedForWhetherOthersKnowTheJoinOrNot) {
  for (const bool is_known_to_others : {false, true}) {
    const JoinRecord<Set>& join = worker.open(1, Sum{});
    if (is_known_to_others) worker.let_others_know();
    worker.expect(handle(join), 2);
    EXPECT_EQ(worker.arrive(handle(join)), nullptr);
    EXPECT_EQ(worker.arrive(handle(join)), nullptr);
    EXPECT_EQ(worker.arrive(handle(join)), &join);
  }
}

TEST_F(JoinPoolTest, OpenJoinsHaveDifferentIndicesInAllSegments) {
  constexpr std::uint32_t kJoins = 3 * JoinPool<Set>::kFirst;
  std::set<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < kJoins; ++i) {
    const JoinRecord<Set>& join = worker.open(1, Sum{i, 0});
    indices.insert(join.index);
    EXPECT_EQ(&pool[join.index], &join);
  }
  EXPECT_EQ(indices.size(), kJoins);
  for (const std::uint32_t index : indices) {
    JoinRecord<Set>* const ended = worker.arrive(Join<>(index, 0));
    ASSERT_NE(ended, nullptr);
    worker.give_back(*ended);
  }
  worker.give_back_all();
  other.give_back_all();
  EXPECT_EQ(pool.open_count(), 0u);
}

TEST_F(JoinPoolTest, AWorkerThatEndsTheJoinsOfAnotherGivesTheirRecordsBack) {
  std::uint32_t last = 0;
  for (int i = 0; i < 100'000; ++i) {
    const JoinRecord<Set>& join = worker.open(1, Sum{});
    last = std::max(last, join.index);
    worker.let_others_know();
    other.give_back(*other.arrive(handle(join)));
  }
  EXPECT_LT(last, 8 * JoinPool<Set>::kBatch);
}

// Up to 600 joins are open at a time, and end in another order than they began.
TEST_F(JoinPoolTest, AWorkerUsesTheRecordsOfJoinsThatHaveEndedAgain) {
  constexpr std::uint32_t kOpen = 600;
  std::uint32_t last = 0;
  for (std::uint32_t round = 0; round < 500; ++round) {
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < kOpen; ++i) indices.push_back(worker.open(1, Sum{}).index);
    last = std::max(last, *std::ranges::max_element(indices));
    for (std::uint32_t i = 0; i < kOpen; ++i) {
      // The worker knows every other round's joins alone.
      if (i == 0 && round % 2 == 1) worker.let_others_know();
      worker.give_back(*worker.arrive(Join<>(indices[(i + round) % kOpen], 0)));
    }
  }
  EXPECT_LT(last, kOpen + 3 * JoinPool<Set>::kBatch);
}

TEST_F(JoinPoolTest, OpenJoinsAreReturnedAndMayBeLoadedUnderTheirIndices) {
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 1; i <= 3; ++i) indices.push_back(worker.open(i, Sum{i, 0}).index);
  worker.give_back(*worker.arrive(Join<>(indices[0], 0)));
  worker.give_back_all();
  EXPECT_EQ(pool.open_count(), 2u);
  const std::vector<WaitingJoin<Set>> open = pool.open_joins();
  ASSERT_EQ(open.size(), 2u);

  JoinPool<Set> next;
  next.load(open);
  EXPECT_EQ(next.open_count(), 2u);
  Cache successor;
  successor.use(next);
  for (const WaitingJoin<Set>& join : open) {
    EXPECT_EQ(join.missing, join.continuation.get<Sum>().left);
    EXPECT_NE(successor.open(1, Sum{}).index, join.index);
    for (std::uint32_t i = 1; i < join.missing; ++i) {
      EXPECT_EQ(successor.arrive(Join<>(join.index, 0)), nullptr);
    }
    EXPECT_NE(successor.arrive(Join<>(join.index, 0)), nullptr);
  }
}

}  // namespace
}  // namespace millrace::cpu
