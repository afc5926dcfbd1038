// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/rate/group_rate.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

namespace millrace::h264 {
namespace {

// A picture whose bits halve every 6 QPs.
PictureComplexity complexity_of(double bits_at_28, double residual = 1.5) {
  PictureComplexity complexity;
  for (int qp = 0; qp < PictureComplexity::kQps; ++qp) {
    complexity.bits[static_cast<std::size_t>(qp)] = bits_at_28 * std::exp2((28 - qp) / 6.0);
  }
  complexity.residual = residual;
  return complexity;
}

RateOptions bitrate_options(int kbit_per_second) {
  return {.rate = EncoderRate::kBitrate, .bits_a_picture = 1000.0 * kbit_per_second / 25};
}

// Pictures whose bits differ from their complexities.
struct MadeGroup {
  std::vector<PictureComplexity> pictures;
  double intra_factor = 1;
  double inter_factor = 1;
  double qps_of_halving = 6;

  static MadeGroup of(int count, double intra, double inter) {
    MadeGroup group;
    for (int i = 0; i < count; ++i) group.pictures.push_back(complexity_of(i == 0 ? intra : inter));
    return group;
  }
  std::uint64_t bits(std::size_t picture, int qp) const {
    const double factor = picture == 0 ? intra_factor : inter_factor;
    return static_cast<std::uint64_t>(factor * pictures[picture].bits[28] *
                                      std::exp2((28 - qp) / qps_of_halving));
  }
};

struct SpentGroup {
  std::vector<int> qps;
  double bits = 0;
};

// Chooses QPs of a group as the encoder does. `count` is what the rate is given.
SpentGroup spend(GroupRate& rate, const MadeGroup& group, std::int64_t number, int count,
                 bool is_whole) {
  rate.begin_group(number, count, is_whole);
  if (is_whole) {
    for (const PictureComplexity& picture : group.pictures) rate.add(picture);
  }
  SpentGroup spent;
  for (std::size_t i = 0; i < group.pictures.size(); ++i) {
    if (!is_whole) rate.add(group.pictures[i]);
    int qp = rate.qp();
    if (const auto again = rate.qp_again(qp, group.bits(i, qp))) qp = *again;
    const std::uint64_t bits = group.bits(i, qp);
    rate.spend(qp, bits);
    spent.qps.push_back(qp);
    spent.bits += static_cast<double>(bits);
  }
  return spent;
}

SpentGroup spend(const RateOptions& options, const MadeGroup& group) {
  GroupRate rate(options);
  return spend(rate, group, 0, static_cast<int>(group.pictures.size()), true);
}

// QPs of a group by --crf, whose P pictures have a residual.
std::vector<int> quality_qps(int quality, double residual, int count) {
  RateOptions options;
  options.rate = EncoderRate::kQuality;
  options.qp = quality;
  MadeGroup group = MadeGroup::of(count, 40'000, 10'000);
  for (PictureComplexity& picture : group.pictures) picture.residual = residual;
  return spend(options, group).qps;
}

TEST(GroupRateTest, TheQpOfTheOptionsIsThatOfAllPictures) {
  RateOptions options;
  options.qp = 33;
  GroupRate rate(options);
  EXPECT_FALSE(rate.needs_complexity());
  rate.begin_group(0, 3, true);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(rate.qp(), 33);
    EXPECT_EQ(rate.qp_again(33, 1'000'000), std::nullopt);
    rate.spend(33, 1'000'000);
  }
}

TEST(GroupRateTest, QualityRaisesTheQpByOneForTwiceTheResidual) {
  EXPECT_EQ(quality_qps(28, 1.5, 3), (std::vector<int>{26, 28, 28}));
  EXPECT_EQ(quality_qps(28, 3, 3), (std::vector<int>{27, 29, 29}));
  EXPECT_EQ(quality_qps(28, 0.75, 3), (std::vector<int>{25, 27, 27}));
  EXPECT_EQ(quality_qps(28, 6, 2), (std::vector<int>{28, 30}));
}

TEST(GroupRateTest, QualityIsAtMostThreeAwayAndInTheRangeOfQps) {
  EXPECT_EQ(quality_qps(28, 200, 2), (std::vector<int>{29, 31}));
  EXPECT_EQ(quality_qps(28, 0, 2), (std::vector<int>{23, 25}));
  EXPECT_EQ(quality_qps(51, 200, 2), (std::vector<int>{51, 51}));
  EXPECT_EQ(quality_qps(1, 0, 2), (std::vector<int>{0, 0}));
}

TEST(GroupRateTest, AnIntraPictureAloneHasTheQualityAsQp) {
  EXPECT_EQ(quality_qps(28, 6, 1), std::vector<int>{28});
}

TEST(GroupRateTest, ABitrateThatIsExpectedExactlyHasOneQpAndTwoLessOfTheIntraPicture) {
  // 12 pictures at QP 30, the first one at QP 28.
  const MadeGroup group = MadeGroup::of(12, 100'000, 20'000);
  const double bits = 100'000 + 11 * 20'000 * std::exp2(-2 / 6.0);
  const SpentGroup spent =
      spend(bitrate_options(static_cast<int>(std::lround(bits / 12 * 25 / 1000))), group);
  std::vector<int> expected(12, 30);
  expected[0] = 28;
  EXPECT_EQ(spent.qps, expected);
}

// Pictures cost more or less than estimated, and their bits fall faster or slower with the QP.
TEST(GroupRateTest, AGroupHasTheBitsOfItsDuration) {
  SeededRandom random;
  for (int trial = 0; trial < 500; ++trial) {
    const auto count = static_cast<int>(random(8, 60));
    const auto real = [&](double low, double high) {
      return low + (high - low) * static_cast<double>(random(0, 1000)) / 1000;
    };
    const double intra = real(50'000, 200'000);
    MadeGroup group = MadeGroup::of(count, intra, intra * real(0.05, 0.6));
    group.intra_factor = real(0.6, 1.6);
    group.inter_factor = group.intra_factor * real(0.6, 1.6);
    group.qps_of_halving = real(5, 7);
    // The rate of one QP.
    const auto qp = static_cast<int>(random(15, 36));
    double bits = 0;
    for (std::size_t i = 0; i < group.pictures.size(); ++i) {
      bits += static_cast<double>(group.bits(i, qp));
    }
    const auto kbit = static_cast<int>(bits / count * 25 / 1000);
    SCOPED_TRACE(testing::Message()
                 << count << " pictures of " << group.pictures.back().bits[28] << ", factors "
                 << group.intra_factor << ", " << group.inter_factor << ", rate of QP " << qp);
    const SpentGroup spent = spend(bitrate_options(kbit), group);
    EXPECT_NEAR(spent.bits / (kbit * 40.0 * count), 1, 0.05);
    for (std::size_t i = 2; i < spent.qps.size(); ++i) {
      EXPECT_LE(std::abs(spent.qps[i] - spent.qps[i - 1]), i == 2 ? 6 : 3) << "picture " << i;
      EXPECT_NEAR(spent.qps[i], qp, 14) << "picture " << i;
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(GroupRateTest, AnIntraPictureThatIsTooLargeIsEncodedAgain) {
  GroupRate rate(bitrate_options(1000));
  rate.begin_group(0, 12, true);
  for (int i = 0; i < 12; ++i) rate.add(complexity_of(i == 0 ? 200'000 : 20'000));
  const int qp = rate.qp();
  const double expected = 200'000 * std::exp2((28 - qp) / 6.0);
  EXPECT_EQ(rate.qp_again(qp, static_cast<std::uint64_t>(expected)), std::nullopt);
  const std::optional<int> again = rate.qp_again(qp, static_cast<std::uint64_t>(2 * expected));
  ASSERT_TRUE(again);
  EXPECT_GT(*again, qp + 2);
  EXPECT_LE(*again, qp + 6);
}

// Each has one picture of one QP, so groups have the rate together.
TEST(GroupRateTest, GroupsOfOnePictureHaveTheRateInTheMean) {
  for (const int kbit : {900, 1000, 1100, 1200}) {
    GroupRate rate(bitrate_options(kbit));
    MadeGroup group = MadeGroup::of(1, 30'000, 0);
    group.intra_factor = 1.7;
    double sum = 0;
    constexpr int kGroups = 50;
    for (int number = 0; number < kGroups; ++number) {
      sum += spend(rate, group, number, 1, true).bits;
    }
    EXPECT_NEAR(sum / kGroups / (kbit * 40), 1, 0.03) << kbit;
  }
}

TEST(GroupRateTest, RatesOutOfReachHaveTheLastQp) {
  const MadeGroup group = MadeGroup::of(4, 100'000, 20'000);
  EXPECT_EQ(spend(bitrate_options(1), group).qps, std::vector<int>(4, 51));
  EXPECT_EQ(spend(bitrate_options(1'000'000), group).qps, std::vector<int>(4, 0));
}

TEST(GroupRateTest, AGroupThatIsNotKnownAsAWholeMayEndEarly) {
  for (const int length : {48, 100, 250}) {
    MadeGroup group = MadeGroup::of(length, 80'000, 10'000);
    group.inter_factor = 1.5;
    GroupRate rate(bitrate_options(500));
    const SpentGroup spent = spend(rate, group, 0, 1000, false);
    EXPECT_NEAR(spent.bits / (500 * 40.0 * length), 1, 0.06) << length;
    EXPECT_LT(*std::ranges::max_element(spent.qps), 40);
  }
}

TEST(GroupRateTest, GroupsDoNotDependOnThoseBefore) {
  const MadeGroup group = MadeGroup::of(12, 100'000, 20'000);
  GroupRate rate(bitrate_options(700));
  const std::vector<int> expected = spend(rate, group, 0, 12, true).qps;
  MadeGroup other = MadeGroup::of(5, 900'000, 300'000);
  other.inter_factor = 2;
  spend(rate, other, 1, 5, true);
  EXPECT_EQ(spend(rate, group, 2, 12, true).qps, expected);
}

}  // namespace
}  // namespace millrace::h264
