// SPDX-License-Identifier: Apache-2.0

// Clips over ranks, against one device.
#include <millrace/algorithms/motion_estimation/ranks/distributed_motion_estimator.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace millrace::motion {
namespace {

constexpr int kWidth = 32;
constexpr int kHeight = 80;  // Five rows of macroblocks.

using Clip = std::vector<std::vector<std::uint8_t>>;

// Returns a clip in which each picture is the one before, moved, with some noise.
Clip moving_clip(std::size_t pictures, SeededRandom& random) {
  std::vector<std::uint8_t> texture(64 * 128);
  std::ranges::generate(texture, [&] { return static_cast<std::uint8_t>(random(0, 255)); });
  Clip clip(pictures);
  std::size_t left = 0;
  std::size_t top = 0;
  for (auto& picture : clip) {
    for (std::size_t i = 0; i < std::size_t{kWidth} * kHeight; ++i) {
      const std::size_t x = (i % kWidth + left) % 64;
      const std::size_t y = (i / kWidth + top) % 128;
      picture.push_back(static_cast<std::uint8_t>(texture[64 * y + x] ^ random(0, 3)));
    }
    left += random(0, 6);
    top += random(0, 14);  // Vectors of a chain soon leave their rows.
  }
  return clip;
}

// All results of a picture.
struct Found {
  std::vector<MotionVector> vectors;
  std::vector<std::uint32_t> costs;
  std::vector<MacroblockMode> modes;

  bool operator==(const Found&) const = default;
};

EstimatorStages<std::uint8_t> stages_of(const Clip& clip, std::vector<Found>& all) {
  return {.produce =
              [&clip](InputPicture<std::uint8_t>& target) {
                if (target.index >= clip.size()) return false;
                std::ranges::copy(clip[target.index], target.current.begin());
                std::ranges::fill(target.predictors, MotionVector{9, -30});
                return true;
              },
          .consume =
              [&all](const PictureMotion& motion) {
                Found found;
                for (int i = 0; i < motion.references; ++i) {
                  const auto& vectors = motion.vectors[i];
                  found.vectors.insert(found.vectors.end(), vectors.begin(), vectors.end());
                  const auto& costs = motion.costs[i];
                  found.costs.insert(found.costs.end(), costs.begin(), costs.end());
                }
                found.modes.assign(motion.modes.begin(), motion.modes.end());
                EXPECT_EQ(motion.index, all.size());
                all.push_back(std::move(found));
              }};
}

class DistributedMotionTest : public testing::TestWithParam<std::tuple<std::string, int>> {
 protected:
  std::string device() const { return std::get<0>(GetParam()); }
  int ranks() const { return std::get<1>(GetParam()); }

  void expect_as_one_device(std::size_t pictures, const EstimatorOptions& options) {
    const Clip clip = moving_clip(pictures, random);
    std::vector<Found> expected;
    MotionEstimator<std::uint8_t>(open_device(device()), kWidth, kHeight, options)
        .run(stages_of(clip, expected));
    ASSERT_EQ(expected.size(), pictures);
    run_ranks(ranks(), [&](Communicator& communicator) {
      const auto queue = open_device(device())->make_queue();
      std::vector<Found> found;
      DistributedMotionEstimator<std::uint8_t>({communicator, *queue}, kWidth, kHeight, options)
          .run(stages_of(clip, found));
      EXPECT_TRUE(communicator.rank() > 0 || found == expected);
    });
  }

  SeededRandom random;
};

constexpr SearchOptions kSearch{.range = 8, .precision = Precision::kInteger};

TEST_P(DistributedMotionTest, ChainsOfPredictorsGiveWhatOneDeviceFinds) {
  expect_as_one_device(5, {.search = {.range = 8, .lambda = 187}, .decides_modes = true});
}

TEST_P(DistributedMotionTest, ClipsMayHaveAnyLength) {
  for (const std::size_t pictures : {0, 1, 7}) {
    expect_as_one_device(pictures, {.search = kSearch, .pictures_per_chunk = 2, .depth = 2});
  }
}

TEST_P(DistributedMotionTest, ReferencesMayBeSeveralAndPredictorsGiven) {
  expect_as_one_device(4, {.search = kSearch, .references = 2, .predictor = PredictorRule::kGiven});
}

INSTANTIATE_TEST_SUITE_P(Devices, DistributedMotionTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::Values(2, 4)));
INSTANTIATE_TEST_SUITE_P(Ranks, DistributedMotionTest,
                         testing::Combine(testing::Values(conformance::some_device_name()),
                                          testing::Values(1, 3, 4, 7)));

// Expects that each rank of 3 throws `words` when it runs `clip` with these options and stages.
void expect_thrown(const std::string& words,
                   const std::function<void(int rank, EstimatorOptions&,
                                            EstimatorStages<std::uint8_t>&)>& change) {
  SeededRandom random;
  const Clip clip = moving_clip(9, random);
  run_ranks(3, [&](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    std::vector<Found> found;
    EstimatorOptions options = {.search = kSearch};
    EstimatorStages<std::uint8_t> stages = stages_of(clip, found);
    change(communicator.rank(), options, stages);
    std::string thrown;
    try {
      DistributedMotionEstimator<std::uint8_t>({communicator, *queue}, kWidth, kHeight, options)
          .run(stages);
    } catch (const Error& error) {
      thrown = error.what();
    }
    EXPECT_EQ(thrown, words);
  });
}

TEST(DistributedMotion, WhatOneRankCannotProduceIsThrownOnAll) {
  expect_thrown("rank 1: torn", [](int rank, auto&, auto& stages) {
    if (rank != 1) return;
    stages.produce = [produce = stages.produce](InputPicture<std::uint8_t>& target) {
      if (target.index == 3) throw Error(ErrorCode::kIo, "torn");
      return produce(target);
    };
  });
}

TEST(DistributedMotion, WhatRank0CannotConsumeIsThrownOnAll) {
  expect_thrown("rank 0: full", [](int, auto&, auto& stages) {
    stages.consume = [](const PictureMotion&) { throw Error(ErrorCode::kIo, "full"); };
  });
}

TEST(DistributedMotion, AnOptionThatDiffersIsNamed) {
  expect_thrown(
      "rank 2 and rank 0 were given different values of options.search.lambda (motion estimation); "
      "give all ranks the same",
      [](int rank, EstimatorOptions& options, auto&) {
        options.search.lambda = rank == 2 ? 9 : 8;
      });
}

TEST(DistributedMotion, ABadOptionIsThrownOnAll) {
  expect_thrown("rank 0: options.range is 7; it must be 8 to 128",
                [](int, EstimatorOptions& options, auto&) { options.search.range = 7; });
}

TEST(DistributedMotion, AClipEndsWhereARankHasNoMorePictures) {
  SeededRandom random;
  const Clip clip = moving_clip(6, random);
  run_ranks(2, [&](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    const Clip mine(clip.begin(), clip.begin() + (communicator.rank() == 1 ? 4 : 6));
    std::vector<Found> found;
    DistributedMotionEstimator<std::uint8_t>({communicator, *queue}, kWidth, kHeight,
                                             {.search = kSearch})
        .run(stages_of(mine, found));
    EXPECT_EQ(found.size(), 4U);
  });
}

}  // namespace
}  // namespace millrace::motion
