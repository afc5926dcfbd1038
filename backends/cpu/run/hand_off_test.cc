// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/run/hand_off.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace millrace::cpu {
namespace {

struct Number {
  std::uint64_t value;
};
using Set = TaskSet<Number>;

HandOff<Set>::Item item_of(std::uint64_t value) {
  HandOff<Set>::Item item;
  item.tag = Set::tag_of<Number>();
  item.slot.store(Number{value});
  return item;
}

std::uint64_t value_of(TaskStack<Set>& stack) { return stack.pop().slot.get<Number>().value; }

TEST(HandOff, GivesAnItemToAnOwnerThatWaits) {
  HandOff<Set> hand_off;
  TaskStack<Set> stack;
  EXPECT_FALSE(hand_off.reserve());  // The owner does not wait.
  hand_off.begin_waiting();
  EXPECT_FALSE(hand_off.has_item());
  ASSERT_TRUE(hand_off.reserve());
  EXPECT_FALSE(hand_off.reserve());  // Somebody else gives one.
  EXPECT_FALSE(hand_off.has_item());
  hand_off.give(item_of(7));
  EXPECT_TRUE(hand_off.has_item());
  EXPECT_FALSE(hand_off.reserve());
  EXPECT_TRUE(hand_off.end_waiting(stack));
  EXPECT_EQ(value_of(stack), 7U);
  EXPECT_FALSE(hand_off.reserve());
}

TEST(HandOff, AnOwnerMayEndWithoutAnItem) {
  HandOff<Set> hand_off;
  TaskStack<Set> stack;
  hand_off.begin_waiting();
  EXPECT_FALSE(hand_off.end_waiting(stack));
  EXPECT_TRUE(stack.empty());
  EXPECT_FALSE(hand_off.reserve());
}

// Owners end while others give: what is given comes, once, with all that was written before.
TEST(HandOff, NoItemIsLostOrComesTwice) {
  constexpr std::uint64_t kItems = 20'000;
  HandOff<Set> hand_off;
  std::vector<std::uint64_t> written(kItems + 1, 0);
  std::atomic<std::uint64_t> next = 1;
  const auto give = [&] {
    while (next.load() <= kItems) {
      if (!hand_off.reserve()) continue;
      const std::uint64_t value = next.fetch_add(1);
      if (value <= kItems) written[value] = 3 * value;
      hand_off.give(item_of(value));
    }
  };
  std::vector<std::uint64_t> received;
  {
    std::jthread first(give);
    std::jthread second(give);
    TaskStack<Set> stack;
    while (next.load() <= kItems) {
      hand_off.begin_waiting();
      if (hand_off.end_waiting(stack)) received.push_back(value_of(stack));
    }
    // The other thread may wait with an item of its own until the owner waits no more.
    hand_off.begin_waiting();
    if (hand_off.end_waiting(stack)) received.push_back(value_of(stack));
  }
  for (std::size_t i = 0; i < received.size(); ++i) {
    EXPECT_EQ(received[i], i + 1);
    if (received[i] <= kItems) {
      EXPECT_EQ(written[received[i]], 3 * received[i]);
    }
  }
  EXPECT_GE(received.size(), kItems);
}

}  // namespace
}  // namespace millrace::cpu
