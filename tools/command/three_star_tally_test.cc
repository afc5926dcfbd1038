#include <millrace/tools/command/three_star_tally.h>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include <millrace/algorithms/three_star/set_hash.h>

namespace millrace::tools {
namespace {

using three_star::ThreeStar;

TEST(StarTallyTest, OfNoneHasAllPointsInNone) {
  const StarTally tally(5);
  EXPECT_EQ(tally.set_hash(), 0U);
  EXPECT_EQ(tally.histogram(), (std::vector<std::uint64_t>{5}));
}

TEST(StarTallyTest, BinsArePowersOfTwo) {
  StarTally tally(7);
  const ThreeStar stars[] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {0, 1, 4}};
  tally.add(stars);
  // 5 and 6 are in none, 4 in one, 2 and 3 in two, 1 in three, 0 in four.
  EXPECT_EQ(tally.histogram(), (std::vector<std::uint64_t>{2, 1, 3, 1}));
}

TEST(StarTallyTest, HashesAreASum) {
  StarTally tally(4);
  const ThreeStar stars[] = {{0, 1, 2}, {1, 2, 3}};
  tally.add(stars);
  EXPECT_EQ(tally.set_hash(), three_star::hash_of(stars[0]) + three_star::hash_of(stars[1]));
}

TEST(StarTallyTest, SeveralThreadsAddAtATime) {
  constexpr int kTimes = 1000;
  StarTally tally(3);
  const ThreeStar star = {0, 1, 2};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int time = 0; time < kTimes; ++time) tally.add({&star, 1});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(tally.set_hash(), 4 * kTimes * three_star::hash_of(star));
  EXPECT_EQ(tally.histogram().size(), 13U);  // 4000 is between 2^11 and 2^12.
  EXPECT_EQ(tally.histogram().back(), 3U);
}

}  // namespace
}  // namespace millrace::tools
