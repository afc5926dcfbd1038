// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/group/internal/giver_choice.h>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace millrace {
namespace {

constexpr auto kAny = [](std::size_t) { return true; };

TEST(GiverChoice, RequestsTheLargestSurplusFirstAndThenTheNext) {
  GiverChoice givers(4);
  givers.publish(0, 5);
  givers.publish(1, 80);
  givers.publish(2, 0);
  givers.publish(3, 7);
  EXPECT_EQ(givers.request(kAny), 1u);
  EXPECT_EQ(givers.request(kAny), 3u);
  EXPECT_EQ(givers.request(kAny), 0u);
  EXPECT_EQ(givers.request(kAny), 2u);
  EXPECT_EQ(givers.request(kAny), std::nullopt);
}

TEST(GiverChoice, ReadsTheWordsAtEachRequest) {
  GiverChoice givers(3);
  givers.publish(1, 10);
  EXPECT_EQ(givers.request(kAny), 1u);
  givers.publish(0, 3);
  givers.publish(2, 4);
  EXPECT_EQ(givers.request(kAny), 2u);
  EXPECT_EQ(givers.surplus(2), 4u);
}

TEST(GiverChoice, OmitsThoseThatMayNotGive) {
  GiverChoice givers(3);
  givers.publish(2, 100);
  const auto is_low = [](std::size_t participant) { return participant < 2; };
  givers.publish(0, 1);
  EXPECT_EQ(givers.request(is_low), 0u);
  EXPECT_EQ(givers.request(is_low), 1u);
  EXPECT_EQ(givers.request(is_low), std::nullopt);
  EXPECT_FALSE(givers.is_requested(2));
}

TEST(GiverChoice, RequestsEachOfEqualOnesOnceARound) {
  GiverChoice givers(5);
  for (int round = 0; round < 3; ++round) {
    std::set<std::size_t> requested;
    for (int i = 0; i < 5; ++i) requested.insert(givers.request(kAny).value());
    EXPECT_EQ(requested.size(), 5u);
    EXPECT_EQ(givers.request(kAny), std::nullopt);
    givers.end_round();
  }
}

TEST(GiverChoice, ChoosesEqualOnesEquallyOften) {
  constexpr int kRounds = 3000;
  GiverChoice givers(3);
  std::array<int, 3> chosen{};
  for (int i = 0; i < kRounds; ++i) {
    ++chosen[givers.request(kAny).value()];
    givers.end_round();
  }
  for (const int count : chosen) EXPECT_NEAR(count, kRounds / 3, kRounds / 10);
}

// One of 1024 participants has tasks, and each of the others requests some of another at a time.
// Those that have been given some give, too. In turn it would take hundreds of requests.
TEST(GiverChoice, SpreadsTasksBySixtyRoundsWhereNothingIsKnown) {
  constexpr std::size_t kParticipants = 1024;
  std::vector<GiverChoice> choices;
  for (std::size_t i = 0; i < kParticipants; ++i) choices.emplace_back(kParticipants, i);
  std::vector<bool> has_tasks(kParticipants);
  has_tasks[0] = true;
  int requests = 0;
  for (std::size_t left = kParticipants - 1; left > 0; ++requests) {
    ASSERT_LT(requests, 60);
    const std::vector<bool> before = has_tasks;
    for (std::size_t i = 0; i < kParticipants; ++i) {
      if (before[i]) continue;
      const auto giver =
          choices[i].request([i](std::size_t participant) { return participant != i; });
      if (!before[giver.value()]) continue;
      has_tasks[i] = true;
      --left;
    }
  }
}

TEST(GiverChoice, MayRequestAllAgainInTheNextRound) {
  GiverChoice givers(2);
  givers.publish(1, 9);
  EXPECT_EQ(givers.request(kAny), 1u);
  EXPECT_TRUE(givers.is_requested(1));
  givers.end_round();
  EXPECT_FALSE(givers.is_requested(1));
  EXPECT_EQ(givers.request(kAny), 1u);
}

}  // namespace
}  // namespace millrace
