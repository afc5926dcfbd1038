// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/run/task_stack.h>

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace millrace::cpu {
namespace {

struct Small {
  int value;
};
struct Large {
  long padding[9];
  int value;
};
using Set = TaskSet<Small, Large>;
using Stack = TaskStack<Set>;

void push(Stack& stack, int first, int last) {
  for (int value = first; value <= last; ++value) stack.push(Small{value});
}

int pop(Stack& stack) { return stack.pop().slot.get<Small>().value; }

TEST(TaskStack, GivesTheNewestFirst) {
  Stack stack;
  EXPECT_TRUE(stack.empty());
  push(stack, 1, 3);
  EXPECT_EQ(stack.size(), 3u);
  EXPECT_EQ(pop(stack), 3);
  EXPECT_EQ(pop(stack), 2);
  push(stack, 4, 4);
  EXPECT_EQ(pop(stack), 4);
  EXPECT_EQ(pop(stack), 1);
  EXPECT_TRUE(stack.empty());
}

TEST(TaskStack, KeepsEachItemsType) {
  Stack stack;
  stack.push(Small{1});
  stack.push(Large{{}, 2});
  const Stack::Item large = stack.pop();
  EXPECT_EQ(large.tag, Set::tag_of<Large>());
  EXPECT_EQ(large.slot.get<Large>().value, 2);
  EXPECT_EQ(stack.pop().tag, Set::tag_of<Small>());
}

TEST(TaskStack, MovesTheOldestInTheirOrder) {
  Stack stack;
  Stack other;
  push(stack, 1, 10);
  push(other, 100, 100);
  stack.move_oldest_to(other, 4);
  EXPECT_EQ(stack.size(), 6u);
  EXPECT_EQ(other.size(), 5u);
  for (const int value : {4, 3, 2, 1, 100}) EXPECT_EQ(pop(other), value);
  for (const int value : {10, 9, 8, 7, 6, 5}) EXPECT_EQ(pop(stack), value);
}

TEST(TaskStack, MovesAtMostAllItems) {
  Stack stack;
  Stack other;
  stack.move_oldest_to(other, 5);
  EXPECT_TRUE(other.empty());
  push(stack, 1, 3);
  stack.move_oldest_to(other, 0);
  EXPECT_EQ(stack.size(), 3u);
  stack.move_oldest_to(other, 1000);
  EXPECT_TRUE(stack.empty());
  EXPECT_EQ(other.size(), 3u);
  EXPECT_EQ(pop(other), 3);
}

TEST(TaskStack, TheLastItemAfterAMoveIsStillThere) {
  Stack stack;
  Stack other;
  push(stack, 1, 8);
  for (int moved = 0; moved < 7; ++moved) stack.move_oldest_to(other, 1);
  EXPECT_EQ(stack.size(), 1u);
  EXPECT_EQ(pop(stack), 8);
  EXPECT_TRUE(stack.empty());
  push(stack, 9, 9);
  EXPECT_EQ(pop(stack), 9);
}

TEST(TaskStack, ForgetsEverythingWhenCleared) {
  Stack stack;
  Stack other;
  push(stack, 1, 8);
  stack.move_oldest_to(other, 3);
  stack.clear();
  EXPECT_TRUE(stack.empty());
  push(stack, 9, 9);
  EXPECT_EQ(stack.size(), 1u);
  EXPECT_EQ(pop(stack), 9);
}

TEST(TaskStack, BehavesLikeADeque) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Stack stacks[2];
    std::deque<int> models[2];
    for (int step = 0; step < 300; ++step) {
      const unsigned side = random() % 2;
      Stack& stack = stacks[side];
      std::deque<int>& model = models[side];
      const unsigned action = random() % 8;
      if (action < 4) {
        stack.push(Small{step});
        model.push_back(step);
      } else if (action < 6 && !model.empty()) {
        ASSERT_EQ(pop(stack), model.back()) << "seed " << seed;
        model.pop_back();
      } else if (action == 6) {
        const std::size_t count = random() % 6;
        stack.move_oldest_to(stacks[1 - side], count);
        for (std::size_t i = 0; i < count && !model.empty(); ++i) {
          models[1 - side].push_back(model.front());
          model.pop_front();
        }
      }
      ASSERT_EQ(stack.size(), model.size()) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace millrace::cpu
