// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/picture/frame_clock.h>

#include <gtest/gtest.h>

#include <optional>

namespace millrace::tools {
namespace {

TEST(FrameClockTest, TimesCountFromTheFirstTick) {
  FrameClock clock(100, 40);
  clock.add(103, 7);
  EXPECT_EQ(clock.time().begin, 3);
  EXPECT_EQ(clock.time().duration, 7);
  clock.add(150, 9);
  EXPECT_EQ(clock.time().begin, 50);
  EXPECT_EQ(clock.time().duration, 9);
}

TEST(FrameClockTest, AnUnknownDurationIsThatOfAFrame) {
  FrameClock clock(0, 40);
  clock.add(5, 0);
  EXPECT_EQ(clock.time().duration, 40);
  FrameClock fast(0, 0);  // A rate above the clock's.
  fast.add(5, -1);
  EXPECT_EQ(fast.time().duration, 1);
}

TEST(FrameClockTest, AFrameWithoutATimeFollowsTheOneBefore) {
  FrameClock clock(0, 40);
  clock.add(5, 10);
  clock.add(std::nullopt, 0);
  EXPECT_EQ(clock.time().begin, 15);
  clock.add(std::nullopt, 0);
  EXPECT_EQ(clock.time().begin, 55);
  clock.add(60, 0);
  EXPECT_EQ(clock.time().begin, 60);
}

TEST(FrameClockTest, TimesRise) {
  FrameClock clock(0, 40);
  for (const int time : {7, 7, 3, 9, 100}) clock.add(time, 1);
  EXPECT_EQ(clock.time().begin, 100);
  clock.add(100, 1);
  EXPECT_EQ(clock.time().begin, 101);
  clock.add(20, 1);
  EXPECT_EQ(clock.time().begin, 102);
}

TEST(FrameClockTest, AClockThatBeginsAnewGoesOn) {
  FrameClock clock(1000, 40);
  for (int i = 0; i < 50; ++i) clock.add(1000 + 40 * i, 40);
  EXPECT_EQ(clock.time().begin, 1960);
  for (int i = 0; i < 3; ++i) clock.add(1000 + 50 * i, 50);
  EXPECT_EQ(clock.time().begin, 2000 + 2 * 50);
}

}  // namespace
}  // namespace millrace::tools
