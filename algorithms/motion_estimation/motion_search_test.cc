// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/algorithms/motion_estimation/on_device_test_helper.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/random/seeded_random.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace millrace::motion {
namespace {

using conformance::ConformanceTest;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string describe(std::size_t index) {
  return "macroblock " + std::to_string(index / kPartitions) + ", partition " +
         std::to_string(index % kPartitions);
}

class MotionSearchTest : public ConformanceTest {
 protected:
  // Searches on the device and by the reference, and expects equal fields.
  template <class Sample>
  void expect_reference(const TestFrame<Sample>& frame, const SearchOptions& options) {
    SCOPED_TRACE(testing::Message()
                 << frame.width << "x" << frame.height << ", " << 8 * sizeof(Sample)
                 << " bits, range " << options.range << ", lambda " << options.lambda
                 << ", precision " << static_cast<int>(options.precision));
    TestField expected(frame.macroblocks());
    search_motion_reference(frame.view(), expected.view(), options);
    expect_equal(search(frame, options), expected);
  }

  template <class Sample>
  TestField search(const TestFrame<Sample>& frame, const SearchOptions& options) {
    FrameOnDevice<Sample> there(*queue, frame);
    FieldOnDevice field(*queue, TestField(frame.macroblocks()));
    search_motion(*queue, there.view(), field.view(), options);
    queue->wait();
    return field.read(*queue);
  }

  template <class Sample>
  void expect_all_contents(const SearchOptions& options) {
    for (const Content content : kAllContents) {
      SCOPED_TRACE(static_cast<int>(content));
      expect_reference(TestFrameMaker<Sample>(random).make(48, 32, content), options);
    }
  }

  SeededRandom random;
};

TEST_P(MotionSearchTest, FindsWhatTheReferenceFindsInWholeSamples) {
  const SearchOptions options{.range = 8, .lambda = 187, .precision = Precision::kInteger};
  expect_all_contents<std::uint8_t>(options);
}

TEST_P(MotionSearchTest, FindsWhatTheReferenceFindsInHalfSamples) {
  const SearchOptions options{.range = 8, .lambda = 472, .precision = Precision::kHalf};
  expect_all_contents<std::uint8_t>(options);
}

TEST_P(MotionSearchTest, FindsWhatTheReferenceFindsInQuarterSamples) {
  const SearchOptions options{.range = 8, .lambda = 297, .precision = Precision::kQuarter};
  expect_all_contents<std::uint8_t>(options);
}

TEST_P(MotionSearchTest, SearchesSamplesOf10Bits) {
  const SearchOptions options{.range = 8, .lambda = 749, .precision = Precision::kQuarter};
  expect_all_contents<std::uint16_t>(options);
}

TEST_P(MotionSearchTest, SearchesTheRangeOfThePaper) {
  TestFrameMaker<std::uint8_t> maker(random);
  const int width = static_cast<int>(scaled(96, 32));
  for (const Content content : {Content::kMoving, Content::kNoise, Content::kTwoValues}) {
    expect_reference(maker.make(width, 32, content), {.range = 32, .lambda = 297});
  }
}

// Ranges that no tile of a search divides, and the smallest.
TEST_P(MotionSearchTest, SearchesAnyRange) {
  for (const int range : {8, 9, 13, 31, 33}) {
    expect_reference(TestFrameMaker<std::uint8_t>(random).make(32, 16, Content::kMoving),
                     {.range = range, .lambda = 297});
  }
}

TEST_P(MotionSearchTest, SearchesAnyLargeRange) {
  if (device->info().is_simulated) GTEST_SKIP() << "takes minutes on a simulated device";
  for (const int range : {50, 100, 128}) {
    expect_reference(TestFrameMaker<std::uint8_t>(random).make(32, 16, Content::kMoving),
                     {.range = range, .lambda = 297});
  }
}

// GPUs search four windows.
TEST_P(MotionSearchTest, SearchesMoreThanOneWindowIn10Bits) {
  expect_reference(TestFrameMaker<std::uint16_t>(random).make(16, 16, Content::kMoving),
                   {.range = 33, .lambda = 297, .precision = Precision::kInteger});
}

// The windows are larger than a block's shared memory, and end far outside of the picture.
TEST_P(MotionSearchTest, SearchesTheLargestRangeIn10Bits) {
  if (device->info().is_simulated) GTEST_SKIP() << "takes minutes on a simulated device";
  expect_reference(TestFrameMaker<std::uint16_t>(random).make(32, 16, Content::kTwoValues),
                   {.range = 128, .lambda = 2670});
}

TEST_P(MotionSearchTest, FollowsPredictorsOutOfThePicture) {
  TestFrameMaker<std::uint8_t> maker(random);
  expect_reference(maker.make(48, 48, Content::kMoving, 400), {.range = 8, .lambda = 297});
  expect_reference(maker.make(16, 16, Content::kMoving, 32767), {.range = 8, .lambda = 297});
}

// Predictors of a frame are often the 16x16 vectors of the frame before.
TEST_P(MotionSearchTest, TakesPredictorsOutOfAField) {
  const SearchOptions options{.range = 8, .lambda = 297};
  TestFrame<std::uint8_t> frame =
      TestFrameMaker<std::uint8_t>(random).make(48, 32, Content::kMoving);
  TestField before(frame.macroblocks());
  for (std::size_t i = 0; i < frame.macroblocks(); ++i) {
    before.vectors[MotionField::index(i, 0)] = frame.predictors[i];
  }
  TestField expected(frame.macroblocks());
  search_motion_reference(frame.view(), expected.view(), options);
  std::vector<MacroblockMode> expected_modes(frame.macroblocks());
  const MotionField expected_field = expected.view();
  decide_modes_reference<std::uint8_t>(frame.view(), {&expected_field, 1}, expected_modes.data(),
                                       options);

  FrameOnDevice<std::uint8_t> there(*queue, frame);
  FieldOnDevice before_there(*queue, before);
  FieldOnDevice field(*queue, TestField(frame.macroblocks()));
  OnDevice<MacroblockMode> modes(*queue, std::vector<MacroblockMode>(frame.macroblocks()));
  SearchFrame<std::uint8_t> view = there.view();
  view.predictors = before_there.view().vectors;
  view.predictor_stride = kPartitions;
  const MotionField found = field.view();
  search_motion(*queue, view, found, options);
  decide_modes<std::uint8_t>(*queue, view, {&found, 1}, modes.data(), options);
  queue->wait();
  expect_equal(field.read(*queue), expected);
  EXPECT_EQ(modes.read(*queue), expected_modes);
}

TEST_P(MotionSearchTest, TakesAnyLambda) {
  TestFrameMaker<std::uint8_t> maker(random);
  for (const int lambda : {0, 1, 31, 2670, kMostLambda}) {
    expect_reference(maker.make(32, 16, Content::kTwoValues), {.range = 9, .lambda = lambda});
  }
}

// In a picture without contents all candidates are equal except for their vectors' bits, or
// entirely. With a range of 33 there is more than one window.
TEST_P(MotionSearchTest, TakesTheFirstOfEqualCosts) {
  TestFrameMaker<std::uint8_t> maker(random);
  TestFrameMaker<std::uint16_t> maker_of_10_bits(random);
  for (const int lambda : {0, 1, motion_lambda(0), motion_lambda(51)}) {
    for (const int range : {8, 13, 32, 33}) {
      const SearchOptions options{
          .range = range, .lambda = lambda, .precision = Precision::kInteger};
      expect_reference(maker.make(16, 16, Content::kFlat), options);
      expect_reference(maker_of_10_bits.make(16, 16, Content::kFlat), options);
    }
  }
}

// The largest sums of differences, and some slightly smaller whose vectors cost more: these sums
// exceed 16 bits.
TEST_P(MotionSearchTest, ComparesTheLargestDifferences) {
  for (const int lambda : {0, motion_lambda(0), motion_lambda(51), kMostLambda}) {
    for (const int others : {0, 3, 200}) {
      TestFrame<std::uint8_t> frame =
          TestFrameMaker<std::uint8_t>(random).make(32, 48, Content::kExtreme);
      for (int i = 0; i < others; ++i) {
        frame.reference[random(0, frame.reference.size() - 1)] =
            static_cast<std::uint8_t>(random(0, 255));
      }
      expect_reference(frame, {.range = 32, .lambda = lambda, .precision = Precision::kInteger});
    }
  }
}

// Vectors far from the predictor, whose bits cost as much as possible.
TEST_P(MotionSearchTest, FindsVectorsFarFromThePredictor) {
  for (const int lambda : {motion_lambda(0), motion_lambda(51)}) {
    TestFrame<std::uint8_t> frame =
        TestFrameMaker<std::uint8_t>(random).make(32, 32, Content::kMoving, 0);
    for (MotionVector& predictor : frame.predictors) predictor = {110, -118};
    expect_reference(frame, {.range = 32, .lambda = lambda, .precision = Precision::kInteger});
  }
}

TEST_P(MotionSearchTest, SearchesOneMacroblock) {
  expect_reference(TestFrameMaker<std::uint8_t>(random).make(16, 16, Content::kNoise),
                   {.range = 10});
}

// The current picture is the reference, moved. At its left and lower edges, where the movement
// leaves the picture, other vectors are equally good.
TEST_P(MotionSearchTest, FindsAKnownMovement) {
  TestFrame<std::uint8_t> frame =
      TestFrameMaker<std::uint8_t>(random).make(48, 48, Content::kNoise, 0);
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 48; ++x) {
      frame.current[y * frame.stride + x] =
          frame.reference[std::min(y + 3, 47) * frame.stride + std::max(x - 5, 0)];
    }
  }
  const TestField found = search(frame, {.range = 8, .lambda = 187});
  for (const std::size_t macroblock : {1, 2, 4, 5}) {
    for (int partition = 0; partition < kPartitions; ++partition) {
      const std::size_t index = MotionField::index(macroblock, partition);
      ASSERT_EQ(found.vectors[index].x, -20) << describe(index);
      ASSERT_EQ(found.vectors[index].y, 12) << describe(index);
    }
  }
}

// The first, the last, and some between; GPUs search frames in several spans of macroblocks, and
// one frame in one.
TEST_P(MotionSearchTest, SearchesRowsAndTouchesNoOthers) {
  const TestFrame<std::uint8_t> frame =
      TestFrameMaker<std::uint8_t>(random).make(32, 64, Content::kMoving);
  constexpr std::size_t kOfRow = 2 * kPartitions;
  for (const Precision precision : {Precision::kInteger, Precision::kHalf}) {
    SearchOptions options{.range = 8, .lambda = 187, .precision = precision};
    TestField all(frame.macroblocks());
    search_motion_reference(frame.view(), all.view(), options);
    for (const MacroblockRows rows : {MacroblockRows{0, 1}, {1, 2}, {3, 1}, {0, 4}}) {
      SCOPED_TRACE(testing::Message() << rows.first << ", " << rows.count);
      options.rows = rows;
      TestField before(frame.macroblocks());
      std::ranges::fill(before.costs, 77);
      std::ranges::fill(before.vectors, MotionVector{-1, -2});
      TestField expected = before;
      const auto first = static_cast<std::ptrdiff_t>(kOfRow) * rows.first;
      const std::size_t count = kOfRow * static_cast<std::size_t>(rows.count);
      std::copy_n(all.costs.begin() + first, count, expected.costs.begin() + first);
      std::copy_n(all.vectors.begin() + first, count, expected.vectors.begin() + first);

      FrameOnDevice<std::uint8_t> there(*queue, frame);
      FieldOnDevice one(*queue, before);
      FieldOnDevice other(*queue, before);
      const SearchFrame<std::uint8_t> frames[] = {there.view(), there.view()};
      const MotionField fields[] = {one.view(), other.view()};
      search_motion<std::uint8_t>(*queue, frames, fields, options);
      queue->wait();
      expect_equal(one.read(*queue), expected);
      expect_equal(other.read(*queue), expected);

      FieldOnDevice alone(*queue, before);
      search_motion(*queue, there.view(), alone.view(), options);
      queue->wait();
      expect_equal(alone.read(*queue), expected);
    }
  }
}

TEST_P(MotionSearchTest, RejectsWhatItCannotSearch) {
  const TestFrame<std::uint8_t> frame =
      TestFrameMaker<std::uint8_t>(random).make(32, 16, Content::kNoise);
  FrameOnDevice<std::uint8_t> there(*queue, frame);
  FieldOnDevice field(*queue, TestField(frame.macroblocks()));
  const auto expect_rejected = [&](const std::string& sentence, const auto& change,
                                   const SearchOptions& options = {}) {
    SearchFrame<std::uint8_t> changed = there.view();
    MotionField to = field.view();
    change(changed, to);
    EXPECT_THAT([&] { search_motion(*queue, changed, to, options); },
                ThrowsMessage<Error>(HasSubstr(sentence)));
  };
  const auto nothing = [](auto&, auto&) {};
  expect_rejected("frame.current.data is null", [](auto& f, auto&) { f.current.data = nullptr; });
  expect_rejected("frame.reference.data is null",
                  [](auto& f, auto&) { f.reference.data = nullptr; });
  expect_rejected("frame.predictors is null", [](auto& f, auto&) { f.predictors = nullptr; });
  expect_rejected("field.vectors is null", [](auto&, auto& to) { to.vectors = nullptr; });
  expect_rejected("field.costs is null", [](auto&, auto& to) { to.costs = nullptr; });
  expect_rejected("frame.current is 30x16 samples", [](auto& f, auto&) { f.current.width = 30; });
  expect_rejected("frame.current is 32x0 samples", [](auto& f, auto&) { f.current.height = 0; });
  expect_rejected("the sizes must match", [](auto& f, auto&) { f.reference.width = 16; });
  expect_rejected("frame.reference.stride is 31", [](auto& f, auto&) { f.reference.stride = 31; });
  expect_rejected("frame.predictor_stride is -1", [](auto& f, auto&) { f.predictor_stride = -1; });
  expect_rejected("options.range is 7; it must be 8 to 128", nothing, {.range = 7});
  expect_rejected("options.range is 129; it must be 8 to 128", nothing, {.range = 129});
  expect_rejected("options.lambda is -1; it must be 0 to 4095", nothing, {.lambda = -1});
  expect_rejected("options.lambda is 4096; it must be 0 to 4095", nothing, {.lambda = 4096});
  expect_rejected("options.rows.count is 2; it must be 0 to 1", nothing, {.rows = {0, 2}});
  expect_rejected("options.rows.count is -1", nothing, {.rows = {0, -1}});
  expect_rejected("options.rows.first is 1; it must be 0 to 0", nothing, {.rows = {1, 1}});
  expect_rejected("options.rows.first is -1; it must be 0 to 0", nothing, {.rows = {-1, 1}});
  expect_rejected("options.rows.first is 5 and options.rows.count is 0, which selects all rows",
                  nothing, {.rows = {5, 0}});

  SearchFrame<std::uint8_t> frames[] = {there.view(), there.view()};
  const MotionField fields[] = {field.view(), field.view()};
  EXPECT_THAT(
      [&] {
        search_motion<std::uint8_t>(*queue, frames, {fields, 1});
      },
      ThrowsMessage<Error>(HasSubstr("2 frames but 1 fields; the numbers must match")));
  frames[1].current.width = frames[1].reference.width = 16;
  EXPECT_THAT([&] { search_motion<std::uint8_t>(*queue, frames, fields); },
              ThrowsMessage<Error>(HasSubstr(
                  "frames[1].current is 16x16 samples and frames[0].current is 32x16 samples")));
}

INSTANTIATE_TEST_SUITE_P(Devices, MotionSearchTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::motion
