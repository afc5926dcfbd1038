// SPDX-License-Identifier: Apache-2.0

// Contenders whose times are drawn or counted, on a clock that only they advance.
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/harness/statistics.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class SamplerTest : public testing::Test {
 protected:
  TimedRun takes(const std::string& name, double seconds) {
    return [this, name, seconds] {
      ran_ += name;
      time_ += seconds;
      return seconds;
    };
  }

  // One second, then two, and so on: no interval of it gets narrow.
  TimedRun slows_down() {
    return [this, next = 0.0]() mutable {
      time_ += ++next;
      return next;
    };
  }

  SamplerOptions options() {
    return {.now = [this] { return time_; }};
  }

  double time_ = 100;
  std::string ran_;
};

TEST_F(SamplerTest, SteadyContendersNeedSixRoundsAndTheWarmUp) {
  const SamplingResult samples = sample_in_turns({takes("a", 1e-3), takes("b", 2e-3)}, options());
  // The warm-up takes half a second of five.
  EXPECT_THAT(samples.runs[0].seconds, ElementsAre(1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3));
  EXPECT_THAT(samples.runs[1].seconds, SizeIs(6));
  EXPECT_FALSE(samples.is_stopped);
  const auto warm_up = static_cast<int>(std::ranges::count(ran_, 'a')) - 6;
  EXPECT_NEAR(warm_up * 3e-3, 0.5, 4e-3);
}

TEST_F(SamplerTest, EachRoundHasAllInAnOrderOfItsOwn) {
  sample_in_turns({takes("a", 1), takes("b", 1), takes("c", 1)},
                  {.seconds = 1000, .now = [this] { return time_; }});
  ASSERT_EQ(ran_.size() % 3, 0U);
  bool changes = false;
  for (std::size_t i = 0; i < ran_.size(); i += 3) {
    std::string round = ran_.substr(i, 3);
    changes = changes || round != ran_.substr(0, 3);
    std::ranges::sort(round);
    EXPECT_EQ(round, "abc");
  }
  EXPECT_TRUE(changes);
}

TEST_F(SamplerTest, TheTimeEndsWhatDoesNotGetKnown) {
  const SamplingResult samples = sample_in_turns(
      {slows_down()}, {.precision = 1e-9, .seconds = 100, .now = [this] { return time_; }});
  EXPECT_FALSE(samples.runs[0].seconds.empty());
  EXPECT_GE(time_, 200);
  EXPECT_LT(time_, 200 + 20);  // The last round began before.
}

TEST_F(SamplerTest, SlowOnesHaveSixRoundsAndTheSlowestThree) {
  EXPECT_THAT(sample_in_turns({takes("a", 2)}, options()).runs[0].seconds, SizeIs(6));
  EXPECT_THAT(sample_in_turns({takes("a", 1000)}, options()).runs[0].seconds, SizeIs(3));
}

TEST_F(SamplerTest, TheMostRoundsAreTheEnd) {
  SamplerOptions some = options();
  some.precision = 0;
  some.most_rounds = 20;
  std::mt19937_64 random(1);
  const TimedRun noisy = [&] {
    time_ += 0.1;
    return std::exponential_distribution<double>(1e3)(random);
  };
  some.seconds = 100;
  EXPECT_THAT(sample_in_turns({noisy}, some).runs[0].seconds, SizeIs(20));
}

TEST_F(SamplerTest, OneThatFailsHasNoTimesAndTheOthersGoOn) {
  int left = 4;
  const TimedRun fails = [&]() -> double {
    time_ += 0.2;
    if (--left == 0) throw std::runtime_error("lost");
    return 0.2;
  };
  const SamplingResult samples = sample_in_turns({fails, takes("a", 0.2)}, options());
  EXPECT_THAT(samples.runs[0].seconds, IsEmpty());
  EXPECT_THROW(std::rethrow_exception(samples.runs[0].failure), std::runtime_error);
  EXPECT_THAT(samples.runs[1].seconds, SizeIs(6));
  EXPECT_EQ(samples.runs[1].failure, nullptr);
}

TEST_F(SamplerTest, WhereAllFailItEnds) {
  const TimedRun fails = []() -> double { throw std::runtime_error("lost"); };
  const SamplingResult samples = sample_in_turns({fails, fails}, options());
  EXPECT_THAT(samples.runs[0].seconds, IsEmpty());
  EXPECT_FALSE(samples.is_stopped);
}

TEST_F(SamplerTest, AStopEndsItBeforeTheNextRun) {
  SamplerOptions some = options();
  some.is_stopped = [this] { return ran_.size() >= 3; };
  const SamplingResult samples = sample_in_turns({takes("a", 1), takes("b", 1)}, some);
  EXPECT_TRUE(samples.is_stopped);
  EXPECT_THAT(ran_, SizeIs(3));
}

TEST_F(SamplerTest, OneThatIsEndedByAStopHasNotFailed) {
  SamplerOptions some = options();
  bool is_stopped = false;
  some.is_stopped = [&] { return is_stopped; };
  const TimedRun ends = [&]() -> double {
    is_stopped = true;
    throw std::runtime_error("stopped");
  };
  const SamplingResult samples = sample_in_turns({ends}, some);
  EXPECT_TRUE(samples.is_stopped);
  EXPECT_EQ(samples.runs[0].failure, nullptr);
}

// Stopping where the interval is narrow costs some of its coverage; not much may be lost.
TEST_F(SamplerTest, IntervalsStillCoverTheMedianWhenItStopsEarly) {
  SeededRandom seed;
  std::mt19937_64 random(seed());
  constexpr double kMedian = 10;
  constexpr int kDraws = 2000;
  int covered = 0;
  for (int i = 0; i < kDraws; ++i) {
    const TimedRun noisy = [&] {
      time_ += 1;
      return std::normal_distribution<double>(kMedian, 1)(random);
    };
    SamplerOptions some = options();
    some.precision = 0.06;
    some.seconds = 400;
    const MedianInterval interval = median_interval(sample_in_turns({noisy}, some).runs[0].seconds);
    covered += interval.low <= kMedian && kMedian <= interval.high;
  }
  EXPECT_GE(static_cast<double>(covered) / kDraws, 0.91);
}

TEST(SecondsOf, AreNeverNegative) {
  EXPECT_GE(seconds_of([] {}), 0);
}

}  // namespace
}  // namespace millrace::tools
