// SPDX-License-Identifier: Apache-2.0

// decide_modes() on devices, against the reference.
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
#include <memory>
#include <string>
#include <vector>

namespace millrace::motion {
namespace {

using conformance::ConformanceTest;
using testing::HasSubstr;
using testing::ThrowsMessage;

class MotionModesTest : public ConformanceTest {
 protected:
  // Chooses modes on the device and by the reference, expects that they are equal, and returns
  // them.
  template <class Sample>
  std::vector<MacroblockMode> expect_modes(const TestFrame<Sample>& frame,
                                           std::vector<TestField> fields,
                                           const SearchOptions& options) {
    SCOPED_TRACE(testing::Message() << fields.size() << " references, precision "
                                    << static_cast<int>(options.precision));
    std::vector<MotionField> views;
    std::vector<std::unique_ptr<FieldOnDevice>> there;
    std::vector<MotionField> views_there;
    for (TestField& field : fields) {
      views.push_back(field.view());
      there.push_back(std::make_unique<FieldOnDevice>(*queue, field));
      views_there.push_back(there.back()->view());
    }
    std::vector<MacroblockMode> expected(frame.macroblocks());
    decide_modes_reference<Sample>(frame.view(), views, expected.data(), options);
    FrameOnDevice<Sample> frame_there(*queue, frame);
    OnDevice<MacroblockMode> modes(*queue, std::vector<MacroblockMode>(frame.macroblocks()));
    decide_modes<Sample>(*queue, frame_there.view(), views_there, modes.data(), options);
    queue->wait();
    EXPECT_EQ(modes.read(*queue), expected);
    return expected;
  }

  // Makes other modes so expensive that every macroblock is skipped. Returns the modes' costs.
  template <class Sample>
  std::vector<std::uint32_t> expect_skipped(const TestFrame<Sample>& frame, Precision precision) {
    SCOPED_TRACE(8 * sizeof(Sample));
    TestField field(frame.macroblocks());
    std::ranges::fill(field.costs, 1 << 27);
    std::vector<std::uint32_t> costs;
    for (const MacroblockMode& mode : expect_modes(frame, {field}, {.precision = precision})) {
      EXPECT_EQ(mode.shape, MacroblockShape::kSkip);
      costs.push_back(mode.cost);
    }
    return costs;
  }

  template <class Sample>
  void expect_skipped_anywhere(int most_predictor) {
    for (const Precision precision : {Precision::kInteger, Precision::kHalf, Precision::kQuarter}) {
      for (const Content content : {Content::kMoving, Content::kBlackAndWhite, Content::kExtreme}) {
        SCOPED_TRACE(static_cast<int>(content));
        expect_skipped(TestFrameMaker<Sample>(random).make(64, 48, content, most_predictor),
                       precision);
      }
    }
  }

  SeededRandom random;
};

TEST_P(MotionModesTest, ChoosesTheModesThatTheReferenceChooses) {
  for (const Precision precision : {Precision::kInteger, Precision::kHalf, Precision::kQuarter}) {
    for (const Content content : {Content::kMoving, Content::kNoise, Content::kFlat}) {
      const SearchOptions options{.range = 8, .lambda = 472, .precision = precision};
      TestFrameMaker<std::uint8_t> maker(random);
      // The same picture, in separate references.
      TestFrame<std::uint8_t> frame = maker.make(48, 48, content);
      std::vector<TestField> fields;
      for (int reference = 0; reference < kMostReferences; ++reference) {
        TestFrame<std::uint8_t> other = maker.make(48, 48, content);
        other.current = frame.current;
        other.stride = frame.stride;
        other.reference.resize(frame.reference.size());
        fields.emplace_back(frame.macroblocks());
        search_motion_reference(reference == 0 ? frame.view() : other.view(), fields.back().view(),
                                options);
      }
      for (int count = 1; count <= kMostReferences; ++count) {
        expect_modes(frame, {fields.begin(), fields.begin() + count}, options);
      }
    }
  }
}

TEST_P(MotionModesTest, MeasuresSkippedMacroblocksInAndOutOfThePicture) {
  for (const int most_predictor : {40, 400, 32767}) {
    SCOPED_TRACE(most_predictor);
    expect_skipped_anywhere<std::uint8_t>(most_predictor);
    expect_skipped_anywhere<std::uint16_t>(most_predictor);
  }
}

TEST_P(MotionModesTest, MeasuresSkippedMacroblocksAtEachFractionOfASample) {
  TestFrame<std::uint16_t> frame =
      TestFrameMaker<std::uint16_t>(random).make(64, 64, Content::kBlackAndWhite, 0);
  for (int i = 0; i < 16; ++i) {
    frame.predictors[i] = {static_cast<std::int16_t>(i % 4 - 8), static_cast<std::int16_t>(i / 4)};
  }
  expect_skipped(frame, Precision::kQuarter);
}

// 16 blocks of 32 times the largest sample.
TEST_P(MotionModesTest, MeasuresTheLargestDifferences) {
  EXPECT_THAT(expect_skipped(TestFrameMaker<std::uint8_t>(random).make(32, 32, Content::kBent, 0),
                             Precision::kQuarter),
              testing::Each(32U * 16 * 32 * 255));
  EXPECT_THAT(expect_skipped(TestFrameMaker<std::uint16_t>(random).make(32, 32, Content::kBent, 0),
                             Precision::kQuarter),
              testing::Each(32U * 16 * 32 * 1023));
}

TEST_P(MotionModesTest, ChoosesOfRowsAndTouchesNoOthers) {
  const TestFrame<std::uint8_t> frame =
      TestFrameMaker<std::uint8_t>(random).make(32, 64, Content::kMoving);
  TestField field(frame.macroblocks());
  SearchOptions options{.range = 8};
  search_motion_reference(frame.view(), field.view(), options);
  const MotionField view = field.view();
  std::vector<MacroblockMode> all(frame.macroblocks());
  decide_modes_reference<std::uint8_t>(frame.view(), {&view, 1}, all.data(), options);
  FrameOnDevice<std::uint8_t> there(*queue, frame);
  FieldOnDevice field_there(*queue, field);
  const MotionField view_there = field_there.view();
  for (const MacroblockRows rows : {MacroblockRows{0, 1}, {1, 2}, {3, 1}}) {
    options.rows = rows;
    const std::vector<MacroblockMode> before(frame.macroblocks(), {.cost = 77});
    std::vector<MacroblockMode> expected = before;
    std::copy_n(all.begin() + 2 * rows.first, 2 * rows.count, expected.begin() + 2 * rows.first);
    OnDevice<MacroblockMode> modes(*queue, before);
    decide_modes<std::uint8_t>(*queue, there.view(), {&view_there, 1}, modes.data(), options);
    queue->wait();
    EXPECT_EQ(modes.read(*queue), expected) << rows.first << ", " << rows.count;
  }
}

TEST_P(MotionModesTest, RejectsWhatItCannotDecide) {
  const TestFrame<std::uint8_t> frame =
      TestFrameMaker<std::uint8_t>(random).make(32, 16, Content::kNoise);
  FrameOnDevice<std::uint8_t> there(*queue, frame);
  FieldOnDevice field(*queue, TestField(frame.macroblocks()));
  OnDevice<MacroblockMode> modes(*queue, std::vector<MacroblockMode>(frame.macroblocks()));
  std::vector<MotionField> fields(kMostReferences + 1, field.view());
  const auto expect_rejected = [&](const std::string& sentence, std::size_t count,
                                   MacroblockMode* to, const SearchOptions& options = {}) {
    EXPECT_THAT(
        [&] {
          decide_modes<std::uint8_t>(*queue, there.view(), {fields.data(), count}, to, options);
        },
        ThrowsMessage<Error>(HasSubstr(sentence)));
  };
  expect_rejected("fields.size() is 0; it must be 1 to 4", 0, modes.data());
  expect_rejected("fields.size() is 5; it must be 1 to 4", 5, modes.data());
  expect_rejected("modes is null", 1, nullptr);
  expect_rejected("options.lambda is -1", 1, modes.data(), {.lambda = -1});
  expect_rejected("options.rows.count is 2; it must be 0 to 1", 1, modes.data(), {.rows = {0, 2}});
  expect_rejected("options.rows.first is 1 and options.rows.count is 0", 1, modes.data(),
                  {.rows = {1, 0}});
  fields[1].costs = nullptr;
  expect_rejected("fields[1].costs is null", 2, modes.data());
}

INSTANTIATE_TEST_SUITE_P(Devices, MotionModesTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::motion
