// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/stream/codec_choice.h>

#include <gtest/gtest.h>

#include <string>

namespace millrace {
namespace {

struct Case {
  const char* name;
  CodecRates rates;  // GB/s.
  CodecChoiceOptions options;
  bool is_coded;
};

class CodecChoiceTest : public testing::TestWithParam<Case> {};

TEST_P(CodecChoiceTest, FollowsTheRates) {
  CodecRates rates = GetParam().rates;
  for (double* rate : {&rates.link, &rates.encode, &rates.decode}) *rate *= 1e9;
  EXPECT_EQ(choose_codec(rates, 1'000'000, GetParam().options).is_coded, GetParam().is_coded);
}

constexpr CodecChoiceOptions kOneByOne{.is_overlapped = false};
constexpr CodecChoiceOptions kRaw{.use = CodecUse::kRaw};
constexpr CodecChoiceOptions kCoded{.use = CodecUse::kCoded};

INSTANTIATE_TEST_SUITE_P(
    , CodecChoiceTest,
    testing::Values(Case{"FastCodecAndHalfTheBytes", {55, 2000, 150, 0.5}, {}, true},
                    Case{"NothingSaved", {55, 2000, 150, 1.0}, {}, false},
                    Case{"TooLittleSaved", {55, 2000, 150, 0.96}, {}, false},
                    Case{"JustEnoughSaved", {55, 2000, 150, 0.94}, {}, true},
                    Case{"DecoderSlowerThanTheLink", {55, 2000, 50, 0.3}, {}, false},
                    Case{"EncoderSlowerThanTheLink", {55, 20, 150, 0.3}, {}, false},
                    Case{"FastCodecButOneByOne", {55, 2000, 150, 0.5}, kOneByOne, true},
                    Case{"NoOverlapHidesTheDecoder", {55, 2000, 100, 0.5}, kOneByOne, false},
                    Case{"ASlowLinkForgivesASlowCodec", {1, 20, 20, 0.5}, kOneByOne, true},
                    Case{"ForcedRaw", {55, 2000, 150, 0.1}, kRaw, false},
                    Case{"ForcedCoded", {55, 10, 10, 1.1}, kCoded, true},
                    Case{"NothingKnown", {}, {}, true},
                    Case{"LinkNotKnown", {0, 2000, 150, 0.5}, {}, true},
                    Case{"NothingSavedWhateverTheLink", {0, 2000, 150, 2.0}, {}, false},
                    Case{"NeverFits", {55, 2000, 0, 2.0}, {}, false},
                    Case{"DecoderNotKnown", {55, 2000, 0, 0.5}, {}, true},
                    Case{"EncoderTooSlowWhateverTheDecoder", {55, 20, 0, 0.3}, {}, false},
                    Case{"NeverFitsForcedCoded", {55, 2000, 0, 2.0}, kCoded, true},
                    Case{"NothingKnownForcedRaw", {}, kRaw, false}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(CodecChoiceOfOneChunkTest, GivesWhatItExpects) {
  const CodecRates rates{.link = 50e9, .encode = 400e9, .decode = 200e9, .ratio = 0.5};
  const CodecChoice overlapped = choose_codec(rates, 1'000'000'000);
  EXPECT_DOUBLE_EQ(overlapped.raw_seconds, 0.02);
  EXPECT_DOUBLE_EQ(overlapped.coded_seconds, 0.01);
  EXPECT_FALSE(overlapped.is_forced);
  EXPECT_FALSE(overlapped.is_trial);
  const CodecChoice one_by_one = choose_codec(rates, 1'000'000'000, kOneByOne);
  EXPECT_DOUBLE_EQ(one_by_one.coded_seconds, 0.01 + 0.0025 + 0.005);
}

TEST(CodecChoiceOfOneChunkTest, SaysWhatIsForcedAndWhatIsATrial) {
  EXPECT_TRUE(choose_codec({}, 1000).is_trial);
  EXPECT_FALSE(choose_codec({}, 1000).is_forced);
  EXPECT_TRUE(choose_codec({}, 1000, kCoded).is_forced);
  EXPECT_FALSE(choose_codec({}, 1000, kCoded).is_trial);
}

// Adds the measurements of a trial on a link of 55 GB/s whose chunk fits, or does not.
void add_trial(CodecEstimate& estimate, bool fits) {
  estimate.encode.add(2000e9, 1);
  if (fits) estimate.decode.add(150e9, 1);
  estimate.ratio.add(fits ? 0.3 : 2, 1);
}

// Returns the number of raw chunks before the next coded one.
int raw_chunks(CodecEstimate& estimate) {
  int count = 0;
  while (!estimate.choose(1'000'000).is_coded) ++count;
  return count;
}

TEST(CodecEstimateTest, TriesChunksThatDoNotShrinkOnceAndThenSeldom) {
  CodecEstimate estimate;
  estimate.link.add(55e9, 1);
  EXPECT_TRUE(estimate.choose(1'000'000).is_trial);
  add_trial(estimate, false);
  EXPECT_EQ(raw_chunks(estimate), 32);  // Twice the bytes: a trial takes as long as two.
  add_trial(estimate, false);
  EXPECT_EQ(raw_chunks(estimate), 64);
}

TEST(CodecEstimateTest, SeesThatChunksHaveChanged) {
  CodecEstimate estimate;
  estimate.link.add(55e9, 1);
  add_trial(estimate, false);
  raw_chunks(estimate);
  add_trial(estimate, true);
  const CodecChoice choice = estimate.choose(1'000'000);
  EXPECT_TRUE(choice.is_coded);
  EXPECT_FALSE(choice.is_trial);
  add_trial(estimate, false);
  add_trial(estimate, false);
  // A trial takes 1.5 times as long as a raw chunk, and the number of raw chunks is reset to 16.
  EXPECT_EQ(raw_chunks(estimate), 24);
}

TEST(CodecEstimateTest, DoesNotTryWhatIsForcedRaw) {
  CodecEstimate estimate;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(estimate.choose(1'000'000, kRaw).is_coded);
}

TEST(RunningRateTest, IsTheQuotientOfWhatWasAdded) {
  RunningRate rate;
  EXPECT_EQ(rate.value(), 0);
  for (int i = 0; i < 100; ++i) rate.add(300, 2);
  EXPECT_DOUBLE_EQ(rate.value(), 150);
}

TEST(RunningRateTest, ForgetsInTime) {
  RunningRate rate;
  for (int i = 0; i < 50; ++i) rate.add(100, 1);
  for (int i = 0; i < 50; ++i) rate.add(10, 1);
  EXPECT_NEAR(rate.value(), 10, 1);
}

TEST(RunningRateTest, IgnoresAClockThatStoodStill) {
  RunningRate rate;
  rate.add(100, 1);
  rate.add(100, 0);
  EXPECT_DOUBLE_EQ(rate.value(), 100);
}

TEST(CodecEstimateTest, GivesTheRatesOfWhatWasAdded) {
  CodecEstimate estimate;
  estimate.link.add(50e9, 1);
  estimate.encode.add(400e9, 2);
  estimate.decode.add(300e9, 3);
  estimate.ratio.add(1, 4);
  const CodecRates rates = estimate.rates();
  EXPECT_DOUBLE_EQ(rates.link, 50e9);
  EXPECT_DOUBLE_EQ(rates.encode, 200e9);
  EXPECT_DOUBLE_EQ(rates.decode, 100e9);
  EXPECT_DOUBLE_EQ(rates.ratio, 0.25);
}

}  // namespace
}  // namespace millrace
