// SPDX-License-Identifier: Apache-2.0

// Clips through groups of devices, against one device.
#include <millrace/algorithms/motion_estimation/stream/band_plan.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/algorithms/motion_estimation/stream/motion_group.h>
#include <millrace/algorithms/motion_estimation/stream/motion_stream.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/tests/conformance/groups.h>
#include <millrace/tests/random/seeded_random.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace millrace::motion {
namespace {

constexpr int kWidth = 32;
constexpr int kHeight = 80;  // Five rows of macroblocks.

using Clip = std::vector<std::vector<std::uint8_t>>;

// All downloaded results of a picture.
struct Found {
  std::uint64_t index = 0;
  int references = 0;
  std::vector<MotionVector> vectors{};
  std::vector<std::uint32_t> costs{};
  std::vector<MacroblockMode> modes{};

  bool operator==(const Found&) const = default;
};

Found copy_of(const PictureMotion& motion) {
  Found found{.index = motion.index, .references = motion.references};
  for (int i = 0; i < motion.references; ++i) {
    found.vectors.insert(found.vectors.end(), motion.vectors[i].begin(), motion.vectors[i].end());
    found.costs.insert(found.costs.end(), motion.costs[i].begin(), motion.costs[i].end());
  }
  found.modes.assign(motion.modes.begin(), motion.modes.end());
  return found;
}

class MotionGroupTest : public conformance::GroupTest {
 protected:
  // Returns a clip in which each picture is the one before, moved, with some noise.
  Clip moving_clip(std::size_t pictures) {
    std::vector<std::uint8_t> texture(64 * 128);
    std::ranges::generate(texture, [&] { return static_cast<std::uint8_t>(random(0, 255)); });
    Clip clip(pictures);
    int left = 0;
    int top = 0;
    for (auto& picture : clip) {
      for (int i = 0; i < kWidth * kHeight; ++i) {
        const int x = (i % kWidth + left) & 63;
        const int y = (i / kWidth + top) & 127;
        picture.push_back(static_cast<std::uint8_t>(texture[64 * y + x] ^ random(0, 3)));
      }
      left += static_cast<int>(random(0, 6));
      top += static_cast<int>(random(0, 14));  // Vectors of a chain soon leave the band.
    }
    return clip;
  }

  static auto producer_of(const Clip& clip) {
    return [&clip](InputPicture<std::uint8_t>& target) {
      if (target.index == clip.size()) return false;
      std::ranges::copy(clip[target.index], target.current.begin());
      return true;
    };
  }

  template <class On>
  std::vector<Found> find(On&& on, const Clip& clip, const EstimatorOptions& options,
                          bool gives_source = false) {
    MotionEstimator<std::uint8_t> estimator(on, kWidth, kHeight, options);
    std::vector<Found> all;
    estimator.run(
        {.produce =
             [&](InputPicture<std::uint8_t>& target) {
               if (target.index == clip.size()) return false;
               if (gives_source) {
                 target.source = clip[target.index].data();
               } else {
                 std::ranges::copy(clip[target.index], target.current.begin());
               }
               if (!target.reconstruction.empty()) {
                 std::ranges::copy(clip[target.index], target.reconstruction.begin());
               }
               std::ranges::fill(target.predictors, MotionVector{9, -30});
               return true;
             },
         .consume = [&](const PictureMotion& motion) { all.push_back(copy_of(motion)); }});
    return all;
  }

  void expect_as_one_device(std::size_t pictures, const EstimatorOptions& options,
                            bool gives_source = false) {
    const Clip clip = moving_clip(pictures);
    const auto expected = find(group.device(0), clip, options);
    ASSERT_EQ(expected.size(), pictures);
    EXPECT_TRUE(find(group, clip, options, gives_source) == expected)
        << pictures << " pictures, " << options.references << " references";
  }

  static constexpr SearchOptions kSearch{.range = 8, .precision = Precision::kInteger};

  SeededRandom random;
};

TEST_P(MotionGroupTest, FindsWhatOneDeviceFinds) {
  expect_as_one_device(5, {.search = {.range = 8, .lambda = 187}, .decides_modes = true});
}

TEST_P(MotionGroupTest, TakesClipsOfAnyLengthInAnyChunks) {
  for (const std::size_t pictures : {0, 1, 2, 7}) {
    expect_as_one_device(pictures, {.search = kSearch, .pictures_per_chunk = 2, .depth = 2});
  }
}

TEST_P(MotionGroupTest, SearchesReconstructionsOfSeveralPictures) {
  expect_as_one_device(6, {.search = kSearch,
                           .references = 3,
                           .decides_modes = true,
                           .has_reconstruction = true,
                           .pictures_per_chunk = 2});
}

TEST_P(MotionGroupTest, TakesPredictorsAndPicturesThatAreGiven) {
  expect_as_one_device(4, {.search = kSearch, .references = 2, .predictor = PredictorRule::kGiven},
                       true);
}

// The operations are ones that no other test has measured, so that the first segment of the clip
// has two chunks.
TEST_P(MotionGroupTest, ChangesBandsInTheMiddleOfAClip) {
  EstimatorOptions options = {.search = kSearch, .pictures_per_chunk = 1, .depth = 2};
  options.search.range = 9;
  expect_as_one_device(7, options);
  options.search.range = 10;
  options.references = 3;
  options.decides_modes = true;
  expect_as_one_device(8, options);
  options.search.range = 11;
  options.predictor = PredictorRule::kGiven;
  options.has_reconstruction = true;
  expect_as_one_device(6, options, true);
}

// The speeds are far off: 4 to 1, and the reverse after a segment of the clip.
TEST_P(MotionGroupTest, GoesOnWhereTheOtherDeviceWas) {
  if (group.size() != 2) GTEST_SKIP() << "a group of two devices is needed";
  const std::string operation = "motion estimation 12 0";
  DeviceSpeeds& speeds = DeviceSpeeds::shared();
  const std::string first = group.device(0)->info().name;
  const std::string second = group.device(1)->info().name;
  if (first == second) GTEST_SKIP() << "their speeds are one";
  speeds.add(operation, first, 4e12, 1);
  speeds.add(operation, second, 1e12, 1);
  EstimatorOptions options = {.search = kSearch, .pictures_per_chunk = 1, .depth = 2};
  options.search.range = 12;
  const Clip clip = moving_clip(8);
  const auto expected = find(group.device(0), clip, options);
  MotionEstimator<std::uint8_t> estimator(group, kWidth, kHeight, options);
  std::vector<Found> all;
  estimator.run({.produce = producer_of(clip), .consume = [&](const PictureMotion& motion) {
                   all.push_back(copy_of(motion));
                   if (motion.index == 0) speeds.add(operation, second, 1e14, 1);
                 }});
  EXPECT_TRUE(all == expected);
  const std::vector<DevicePortion> portions = estimator.portions();
  // 4 and 1 rows of two pictures, then 1 and 4 (or none and 5) of six.
  EXPECT_EQ(portions[0].items + portions[1].items, 40U);
  EXPECT_LT(portions[0].items, portions[1].items);
  EXPECT_EQ(portions[1].pieces, 2U);
}

// Returns the elements of those rows among a picture's macroblocks, for two references in turn.
template <class T>
std::vector<T> rows_of(const std::vector<T>& all, const MacroblockRows& rows) {
  constexpr int kRow = kWidth / kMacroblockWidth * kPartitions;
  std::vector<T> found;
  for (int reference = 0; reference < 2; ++reference) {
    const auto begin = all.begin() + (reference * kHeight / kMacroblockWidth + rows.first) * kRow;
    found.insert(found.end(), begin, begin + rows.count * kRow);
  }
  return found;
}

TEST_P(MotionGroupTest, AStreamGoesOnWithWhatAnotherHasFound) {
  constexpr MacroblockRows kBand{2, 2};
  constexpr std::uint64_t kFirst = 3;
  const Clip clip = moving_clip(6);
  EstimatorOptions options = {.search = kSearch, .references = 2, .pictures_per_chunk = 2};
  const auto find_from = [&](const typename MotionStream<std::uint8_t>::Start& start) {
    MotionStream<std::uint8_t> stream(group.device(0), kWidth, kHeight, options);
    std::vector<Found> all;
    stream.run({.produce = producer_of(clip),
                .consume = [&](const PictureMotion& motion) { all.push_back(copy_of(motion)); }},
               {}, start);
    return all;
  };
  const std::vector<Found> whole = find_from({});
  options.search.rows = kBand;
  const std::vector<MotionVector>& before = whole[kFirst - 1].vectors;
  const std::span<const MotionVector> vectors(before);
  const std::vector<Found> band =
      find_from({.picture = kFirst,
                 .vectors = {vectors.first(before.size() / 2), vectors.last(before.size() / 2)}});
  ASSERT_EQ(band.size(), clip.size() - kFirst);
  for (std::size_t i = 0; i < band.size(); ++i) {
    const Found& expected = whole[kFirst + i];
    EXPECT_EQ(band[i].index, expected.index);
    EXPECT_EQ(band[i].references, 2);
    EXPECT_EQ(band[i].costs, rows_of(expected.costs, kBand)) << "picture " << expected.index;
    EXPECT_TRUE(band[i].vectors == rows_of(expected.vectors, kBand)) << expected.index;
  }
}

TEST_P(MotionGroupTest, SaysWhatEachDeviceDid) {
  const Clip clip = moving_clip(3);
  MotionEstimator<std::uint8_t> estimator(group, kWidth, kHeight, {.search = kSearch});
  estimator.run({.produce = [&](InputPicture<std::uint8_t>& target) {
    std::ranges::copy(clip[target.index % 3], target.current.begin());
    return target.index < 3;
  }});
  const std::vector<DevicePortion> portions = estimator.portions();
  ASSERT_EQ(portions.size(), group.size() == 1 ? 0 : group.size());
  std::uint64_t rows = 0;
  for (const DevicePortion& portion : portions) rows += portion.items;
  EXPECT_EQ(rows, group.size() == 1 ? 0U : 15U);
}

TEST_P(MotionGroupTest, ConsumesWhatWasProducedBeforeAnError) {
  const Clip clip = moving_clip(3);
  MotionEstimator<std::uint8_t> estimator(group, kWidth, kHeight,
                                          {.search = kSearch, .pictures_per_chunk = 1});
  std::uint64_t consumed = 0;
  const auto produce = [&](InputPicture<std::uint8_t>& target) {
    if (target.index == 3) throw std::runtime_error("torn");
    std::ranges::copy(clip[target.index], target.current.begin());
    return true;
  };
  EXPECT_THROW(
      estimator.run({.produce = produce, .consume = [&](const PictureMotion&) { ++consumed; }}),
      std::runtime_error);
  EXPECT_EQ(consumed, 3U);
}

TEST_P(MotionGroupTest, EndsWithWhatConsumeThrows) {
  const Clip clip = moving_clip(2);
  MotionEstimator<std::uint8_t> estimator(group, kWidth, kHeight,
                                          {.search = kSearch, .pictures_per_chunk = 1});
  const auto produce = [&](InputPicture<std::uint8_t>& target) {
    std::ranges::copy(clip[target.index % 2], target.current.begin());
    return target.index < 50;
  };
  EXPECT_THROW(estimator.run({.produce = produce,
                              .consume =
                                  [](const PictureMotion& motion) {
                                    if (motion.index == 2) throw std::runtime_error("full");
                                  }}),
               std::runtime_error);
}

TEST(PlanBands, GivesRowsBySpeed) {
  EXPECT_EQ(plan_bands(68, {1, 1}), (std::vector<MacroblockRows>{{0, 34}, {34, 34}}));
  EXPECT_EQ(plan_bands(10, {3, 1, 1}), (std::vector<MacroblockRows>{{0, 6}, {6, 2}, {8, 2}}));
  EXPECT_EQ(plan_bands(10, {1, 100}), (std::vector<MacroblockRows>{{0, 0}, {0, 10}}));
  EXPECT_EQ(plan_bands(10, {0.1, 0.1, 10, 0.1}),
            (std::vector<MacroblockRows>{{0, 0}, {0, 0}, {0, 10}, {10, 0}}));
  EXPECT_EQ(plan_bands(10, {10, 0.4}), (std::vector<MacroblockRows>{{0, 10}, {10, 0}}));
  EXPECT_EQ(plan_bands(10, {5, 0.24, 0.24, 0.24}).front(), (MacroblockRows{0, 10}));
  EXPECT_EQ(plan_bands(1, {1, 1, 1}).back().count + plan_bands(1, {1, 1, 1})[1].count, 1);
}

INSTANTIATE_TEST_SUITE_P(Groups, MotionGroupTest, testing::ValuesIn(conformance::group_names()),
                         conformance::name_of_group);

}  // namespace
}  // namespace millrace::motion
