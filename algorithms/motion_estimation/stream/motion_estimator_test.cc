// SPDX-License-Identifier: Apache-2.0

// Clips through a MotionEstimator, against a loop over the reference.
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/algorithms/motion_estimation/stream/motion_test_clip.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/random/seeded_random.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::motion {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class MotionEstimatorTest : public conformance::ConformanceTest {
 protected:
  // Runs in chunks of one picture and of several.
  template <class Sample>
  void expect_reference(std::size_t pictures, EstimatorOptions options) {
    for (const int per_chunk : {1, 3}) {
      options.pictures_per_chunk = per_chunk;
      expect_reference_in_chunks<Sample>(pictures, options);
    }
  }

  template <class Sample>
  PipelineReport expect_reference_in_chunks(std::size_t pictures, const EstimatorOptions& options) {
    SCOPED_TRACE(testing::Message()
                 << pictures << " pictures, " << options.references << " references, "
                 << options.pictures_per_chunk << " a chunk, depth " << options.depth);
    const TestClip<Sample> clip = moving_clip<Sample>(pictures, options, random);
    Expectation expectation(reference_motion(clip, options));
    MotionEstimator<Sample> estimator(device, kTestWidth, kTestHeight, options);
    const PipelineReport report =
        estimator.run({.produce = producer_of(clip),
                       .consume = [&](const PictureMotion& motion) { expectation(motion); }});
    EXPECT_EQ(expectation.consumed(), pictures);
    return report;
  }

  static constexpr SearchOptions kSearch{.range = 8, .precision = Precision::kInteger};

  SeededRandom random;
};

TEST_P(MotionEstimatorTest, FindsWhatTheReferenceFinds) {
  expect_reference<std::uint8_t>(6, {.search = {.range = 8, .lambda = 187}});
}

TEST_P(MotionEstimatorTest, TakesClipsOfAnyLength) {
  for (const std::size_t pictures : {0, 1, 2, 3}) {
    expect_reference<std::uint8_t>(pictures, {.search = kSearch, .decides_modes = true});
  }
}

// Pictures that are referred to stay valid, however small the number in flight is.
TEST_P(MotionEstimatorTest, SearchesSeveralReferences) {
  for (int references = 1; references <= kMostReferences; ++references) {
    expect_reference_in_chunks<std::uint8_t>(8, {.search = kSearch,
                                                 .references = references,
                                                 .pictures_per_chunk = 1 + references % 2,
                                                 .depth = 2});
  }
}

TEST_P(MotionEstimatorTest, DecidesModes) {
  expect_reference<std::uint8_t>(4, {.search = kSearch, .references = 2, .decides_modes = true});
}

TEST_P(MotionEstimatorTest, RefersToReconstructedPictures) {
  expect_reference<std::uint8_t>(5,
                                 {.search = kSearch, .references = 2, .has_reconstruction = true});
}

TEST_P(MotionEstimatorTest, TakesPredictorsAsGivenAndNone) {
  for (const PredictorRule rule : {PredictorRule::kGiven, PredictorRule::kZero}) {
    expect_reference<std::uint8_t>(4, {.search = kSearch, .references = 2, .predictor = rule});
  }
}

TEST_P(MotionEstimatorTest, SearchesSamplesOf10Bits) {
  expect_reference<std::uint16_t>(
      4, {.search = kSearch, .references = 2, .decides_modes = true, .has_reconstruction = true});
}

TEST_P(MotionEstimatorTest, CountsUploadedAndDownloadedBytes) {
  constexpr std::size_t kPictures = 3;
  const PipelineReport report = expect_reference_in_chunks<std::uint8_t>(
      kPictures, {.search = kSearch, .pictures_per_chunk = 2});
  EXPECT_EQ(report.chunks, 2u);
  EXPECT_EQ(report.bytes_up, kPictures * kTestWidth * kTestHeight);
  // Two arrays per picture, each in whole cache lines.
  constexpr std::size_t kField = 8 * kPartitions * kTestMacroblocks;
  EXPECT_GE(report.bytes_down, kPictures * kField);
  EXPECT_LE(report.bytes_down, kPictures * (kField + 2 * Device::kAlignment));
}

// If no size is requested, chunks grow, so that the device starts early: those of small pictures
// from 16 to 128, an eighth of which is 16.
TEST_P(MotionEstimatorTest, BeginsWithASmallChunk) {
  constexpr std::size_t kPictures = 16 + 32 + 1;
  const PipelineReport report =
      expect_reference_in_chunks<std::uint8_t>(kPictures, {.search = kSearch});
  EXPECT_EQ(report.chunks, device->info().shares_host_memory ? kPictures : 3u);
}

// Reconstructions are still read from where they are produced.
TEST_P(MotionEstimatorTest, TakesPicturesFromWhereTheyAre) {
  for (const bool has_reconstruction : {false, true}) {
    const EstimatorOptions options{.search = kSearch,
                                   .references = 2,
                                   .has_reconstruction = has_reconstruction,
                                   .pictures_per_chunk = 2};
    const TestClip<std::uint8_t> clip = moving_clip<std::uint8_t>(5, options, random);
    Expectation expectation(reference_motion(clip, options));
    MotionEstimator<std::uint8_t> estimator(device, kTestWidth, kTestHeight, options);
    estimator.run({.produce =
                       [&](InputPicture<std::uint8_t>& target) {
                         if (target.index == clip.size()) return false;
                         const TestPicture<std::uint8_t>& picture = clip[target.index];
                         target.source = picture.current.data();
                         std::copy_n(picture.reconstruction.begin(), target.reconstruction.size(),
                                     target.reconstruction.begin());
                         return true;
                       },
                   .consume = [&](const PictureMotion& motion) { expectation(motion); }});
    EXPECT_EQ(expectation.consumed(), clip.size());
  }
}

TEST_P(MotionEstimatorTest, LeavesResultsOnTheDeviceForALaterStage) {
  const EstimatorOptions options{.search = kSearch,
                                 .references = 2,
                                 .decides_modes = true,
                                 .downloads = false,
                                 .pictures_per_chunk = 2};
  const TestClip<std::uint8_t> clip = moving_clip<std::uint8_t>(5, options, random);
  std::vector<TestMotion> found(clip.size());
  for (TestMotion& motion : found) {
    motion.fields.assign(2, TestField(kTestMacroblocks));
    motion.modes.resize(kTestMacroblocks);
  }
  std::size_t consumed = 0;
  MotionEstimator<std::uint8_t> estimator(device, kTestWidth, kTestHeight, options);
  const PipelineReport report = estimator.run(
      {.produce = producer_of(clip),
       .consume =
           [&](const PictureMotion& motion) {
             ++consumed;
             EXPECT_TRUE(motion.vectors[0].empty() && motion.costs[0].empty());
             EXPECT_TRUE(motion.modes.empty());
           },
       .after_search =
           [&](Queue& stage, const DeviceMotion<std::uint8_t>& motion) {
             TestMotion& to = found[motion.index];
             for (int k = 0; k < motion.references; ++k) {
               const std::size_t count = to.fields[k].costs.size();
               stage.copy(to.fields[k].vectors.data(), motion.fields[k].vectors,
                          count * sizeof(MotionVector));
               stage.copy(to.fields[k].costs.data(), motion.fields[k].costs,
                          count * sizeof(std::uint32_t));
             }
             if (motion.references == 0) return;
             stage.copy(to.modes.data(), motion.modes, kTestMacroblocks * sizeof(MacroblockMode));
           }});
  EXPECT_EQ(report.bytes_down, 0u);
  EXPECT_EQ(consumed, clip.size());
  const std::vector<TestMotion> expected = reference_motion(clip, options);
  for (std::size_t n = 1; n < clip.size(); ++n) {
    for (std::size_t k = 0; k < expected[n].fields.size(); ++k) {
      EXPECT_EQ(found[n].fields[k].vectors, expected[n].fields[k].vectors) << n << ", " << k;
      EXPECT_EQ(found[n].fields[k].costs, expected[n].fields[k].costs) << n << ", " << k;
    }
    EXPECT_EQ(found[n].modes, expected[n].modes) << n;
  }
}

TEST_P(MotionEstimatorTest, GivesALaterStageThePictures) {
  const EstimatorOptions options{.search = kSearch, .has_reconstruction = true};
  const TestClip<std::uint8_t> clip = moving_clip<std::uint8_t>(4, options, random);
  std::vector<std::vector<std::uint8_t>> current(clip.size());
  std::vector<std::vector<std::uint8_t>> reference(clip.size());
  MotionEstimator<std::uint8_t> estimator(device, kTestWidth, kTestHeight, options);
  estimator.run({.produce = producer_of(clip),
                 .after_search = [&](Queue& stage, const DeviceMotion<std::uint8_t>& motion) {
                   const auto read = [&](auto& to, const LumaPlane<std::uint8_t>& from) {
                     to.resize(kTestWidth * kTestHeight);
                     stage.copy(to.data(), from.data, to.size());
                   };
                   read(current[motion.index], motion.current);
                   if (motion.references > 0) read(reference[motion.index], motion.pictures[0]);
                 }});
  for (std::size_t n = 0; n < clip.size(); ++n) {
    EXPECT_EQ(current[n], clip[n].current);
    if (n > 0) {
      EXPECT_EQ(reference[n], clip[n - 1].reconstruction);
    }
  }
}

TEST_P(MotionEstimatorTest, ForgetsTheClipBefore) {
  const EstimatorOptions options{.search = kSearch, .references = 2};
  MotionEstimator<std::uint8_t> estimator(device, kTestWidth, kTestHeight, options);
  for (const std::size_t pictures : {4, 1, 3}) {
    const TestClip<std::uint8_t> clip = moving_clip<std::uint8_t>(pictures, options, random);
    Expectation expectation(reference_motion(clip, options));
    estimator.run({.produce = producer_of(clip),
                   .consume = [&](const PictureMotion& motion) { expectation(motion); }});
    EXPECT_EQ(expectation.consumed(), pictures);
  }
}

TEST_P(MotionEstimatorTest, EndsWhenProduceFailsAndRunsAgain) {
  const EstimatorOptions options{.search = kSearch, .pictures_per_chunk = 2};
  const TestClip<std::uint8_t> clip = moving_clip<std::uint8_t>(5, options, random);
  const std::vector<TestMotion> expected = reference_motion(clip, options);
  MotionEstimator<std::uint8_t> estimator(device, kTestWidth, kTestHeight, options);
  Expectation before(expected);
  const auto produce = producer_of(clip);
  const auto run = [&] {
    estimator.run({.produce =
                       [&](InputPicture<std::uint8_t>& target) {
                         if (target.index == 3) throw std::runtime_error("the clip is torn");
                         return produce(target);
                       },
                   .consume = [&](const PictureMotion& motion) { before(motion); }});
  };
  EXPECT_THAT(run, ThrowsMessage<std::runtime_error>("the clip is torn"));
  EXPECT_EQ(before.consumed(), 3u);
  Expectation after(expected);
  estimator.run(
      {.produce = produce, .consume = [&](const PictureMotion& motion) { after(motion); }});
  EXPECT_EQ(after.consumed(), clip.size());
}

TEST_P(MotionEstimatorTest, EndsWhenALaterStageFails) {
  const EstimatorOptions options{.search = kSearch, .pictures_per_chunk = 1};
  const TestClip<std::uint8_t> clip = moving_clip<std::uint8_t>(5, options, random);
  MotionEstimator<std::uint8_t> estimator(device, kTestWidth, kTestHeight, options);
  std::uint64_t consumed = 0;
  const auto run = [&] {
    estimator.run({.produce = producer_of(clip),
                   .consume = [&](const PictureMotion&) { ++consumed; },
                   .after_search =
                       [](Queue& stage, const DeviceMotion<std::uint8_t>& motion) {
                         if (motion.index != 2) return;
                         stage.call([] { throw std::runtime_error("no memory for it"); });
                       }});
  };
  EXPECT_THAT(run, ThrowsMessage<std::runtime_error>("no memory for it"));
  EXPECT_EQ(consumed, 2u);
}

// In pictures written to the estimator's memory, in pictures in the caller's memory, and in
// reconstructions.
TEST_P(MotionEstimatorTest, RejectsSamplesOfMoreThan10Bits) {
  const EstimatorOptions options{
      .search = kSearch, .has_reconstruction = true, .pictures_per_chunk = 1};
  MotionEstimator<std::uint16_t> estimator(device, kTestWidth, kTestHeight, options);
  enum class Memory { kEstimators, kSource, kReconstruction };
  for (const Memory memory : {Memory::kEstimators, Memory::kSource, Memory::kReconstruction}) {
    TestClip<std::uint16_t> clip = moving_clip<std::uint16_t>(4, options, random);
    const auto produce = producer_of(clip);
    std::uint64_t consumed = 0;
    const auto run = [&] {
      estimator.run({.produce =
                         [&](InputPicture<std::uint16_t>& target) {
                           if (!produce(target)) return false;
                           if (memory != Memory::kSource) return true;
                           target.source = clip[target.index].current.data();
                           std::ranges::fill(target.current, 0);  // Not checked.
                           return true;
                         },
                     .consume = [&](const PictureMotion&) { ++consumed; }});
    };
    (memory == Memory::kReconstruction ? clip[2].reconstruction : clip[2].current).back() = 1024;
    EXPECT_THAT(run, ThrowsMessage<Error>(
                         "picture 2 has a sample of 1024; samples of 10 bits are 0 to 1023"));
    EXPECT_EQ(consumed, 2u);
  }
}

TEST_P(MotionEstimatorTest, StopsOnRequest) {
  const EstimatorOptions options{.search = kSearch, .pictures_per_chunk = 1};
  const TestClip<std::uint8_t> clip = moving_clip<std::uint8_t>(2, options, random);
  MotionEstimator<std::uint8_t> estimator(device, kTestWidth, kTestHeight, options);
  std::stop_source source;
  try {
    estimator.run({.produce =
                       [&](InputPicture<std::uint8_t>& target) {  // Never ends by itself.
                         std::ranges::copy(clip[target.index % 2].current, target.current.begin());
                         return true;
                       },
                   .consume =
                       [&](const PictureMotion& motion) {
                         if (motion.index == 3) source.request_stop();
                       }},
                  source.get_token());
    ADD_FAILURE() << "it was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

TEST_P(MotionEstimatorTest, RejectsWhatItCannotEstimate) {
  const auto expect_rejected = [&](const std::string& sentence, int width, int height,
                                   const EstimatorOptions& options) {
    EXPECT_THAT(([&] { MotionEstimator<std::uint8_t>(device, width, height, options); }),
                ThrowsMessage<Error>(HasSubstr(sentence)));
  };
  expect_rejected("width is 30; it must be a positive multiple of 16, at most 32768", 30, 16, {});
  expect_rejected("height is 0", 16, 0, {});
  expect_rejected("width is 32784", 32784, 16, {});
  expect_rejected("options.range is 4; it must be 8 to 128", 16, 16, {.search = {.range = 4}});
  expect_rejected("options.references is 5; it must be 1 to 4", 16, 16, {.references = 5});
  expect_rejected("options.references is 0; it must be 1 to 4", 16, 16, {.references = 0});
  expect_rejected("options.pictures_per_chunk is -1", 16, 16, {.pictures_per_chunk = -1});
  expect_rejected("options.depth is 1; it must be 2 to 64", 16, 16, {.depth = 1});
  expect_rejected("options.search.rows.count is 3; it must be 0 to 2", 16, 32,
                  {.search = {.rows = {0, 3}}});
  expect_rejected(
      "options.search.rows.first is 1 and options.search.rows.count is 0, which selects all rows",
      16, 32, {.search = {.rows = {1, 0}}});
  MotionEstimator<std::uint8_t> estimator(device, 16, 16);
  EXPECT_THAT([&] { estimator.run({}); },
              ThrowsMessage<Error>("stages.produce is empty; it must write the pictures"));
}

INSTANTIATE_TEST_SUITE_P(Devices, MotionEstimatorTest,
                         testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::motion
