// SPDX-License-Identifier: Apache-2.0

// Searches of several frames in one call give the results of separate calls.
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/algorithms/motion_estimation/on_device_test_helper.h>
#include <millrace/runtime/core/device.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

namespace millrace::motion {
namespace {

using conformance::ConformanceTest;

// A frame of a sequence.
struct Step {
  std::size_t field;      // The field that receives its vectors.
  int predicted_by = -1;  // The field whose vectors predict it; -1: none.
  std::size_t partition = 0;
};
using Steps = std::vector<Step>;

// Returns steps that search each frame to a field of its own, predicted by the one before.
Steps in_turn(std::size_t count, std::size_t partition = 0) {
  Steps steps;
  for (std::size_t i = 0; i < count; ++i) {
    steps.push_back({i, static_cast<int>(i) - 1, partition});
  }
  return steps;
}

struct Size {
  int width = 80;
  int height = 64;  // 20 macroblocks, so that simulated GPUs refine several frames together.
  std::uint64_t most_padding = 0;
};

class MotionFramesTest : public ConformanceTest {
 protected:
  // Searches the frames of one call after those of another.
  void expect_reference(const SearchOptions& options, const Size& size, std::size_t field_count,
                        const std::vector<Steps>& calls) {
    std::deque<FieldOnDevice> fields;
    std::vector<TestField> expected;
    const auto macroblocks =
        static_cast<std::size_t>(size.width / kMacroblockWidth * (size.height / kMacroblockWidth));
    for (std::size_t i = 0; i < field_count; ++i) {
      expected.emplace_back(macroblocks);
      fields.emplace_back(*queue, expected.back());
    }
    std::deque<TestFrame<std::uint8_t>> frames;
    std::deque<FrameOnDevice<std::uint8_t>> there;
    for (const Steps& steps : calls) {
      std::vector<SearchFrame<std::uint8_t>> views;
      std::vector<MotionField> views_of_fields;
      for (const Step& step : steps) {
        TestFrameMaker<std::uint8_t> maker(random, size.most_padding);
        frames.push_back(maker.make(size.width, size.height, Content::kMoving));
        there.emplace_back(*queue, frames.back());
        views.push_back(predicted(there.back().view(), step, [&](int field) {
          return fields[static_cast<std::size_t>(field)].view().vectors;
        }));
        views_of_fields.push_back(fields[step.field].view());
        search_motion_reference(
            predicted(frames.back().view(), step,
                      [&](int field) {
                        return expected[static_cast<std::size_t>(field)].vectors.data();
                      }),
            expected[step.field].view(), options);
      }
      search_motion<std::uint8_t>(*queue, views, views_of_fields, options);
    }
    queue->wait();
    for (std::size_t i = 0; i < field_count; ++i) {
      SCOPED_TRACE(testing::Message() << "field " << i);
      expect_equal(fields[i].read(*queue), expected[i]);
    }
  }

  SeededRandom random;

 private:
  template <class VectorsOf>
  static SearchFrame<std::uint8_t> predicted(SearchFrame<std::uint8_t> frame, const Step& step,
                                             const VectorsOf& vectors_of) {
    if (step.predicted_by < 0) return frame;
    frame.predictors = vectors_of(step.predicted_by) + step.partition;
    frame.predictor_stride = kPartitions;
    return frame;
  }
};

constexpr SearchOptions kQuarters{.range = 8, .precision = Precision::kQuarter};

// GPUs search them in spans of macroblocks.
TEST_P(MotionFramesTest, AreSearchedOneAfterAnother) {
  for (const Precision precision : {Precision::kInteger, Precision::kHalf, Precision::kQuarter}) {
    expect_reference({.range = 8, .precision = precision}, {.width = 48, .height = 32}, 5,
                     {in_turn(5)});
    expect_reference({.range = 8, .precision = precision}, {}, 5, {in_turn(5)});
  }
}

TEST_P(MotionFramesTest, MayHaveRowsOfAnyStride) {
  expect_reference(kQuarters, {.most_padding = 24}, 5, {in_turn(5)});
}

TEST_P(MotionFramesTest, MayBeMoreThanAreRefinedTogether) {
  expect_reference({.range = 8, .precision = Precision::kHalf}, {.width = 64, .height = 48}, 66,
                   {in_turn(66)});
}

TEST_P(MotionFramesTest, MayWaitForAnyPartition) {
  expect_reference(kQuarters, {}, 5, {in_turn(5, kPartitions - 1)});
}

TEST_P(MotionFramesTest, MayTakeTurnsInTwoFields) {
  for (const bool wait : {false, true}) {
    Steps steps;
    for (std::size_t i = 0; i < 10; ++i) {
      steps.push_back({i % 2, wait && i > 0 ? static_cast<int>((i + 1) % 2) : -1});
    }
    expect_reference(kQuarters, {}, 2, {steps});
  }
}

// The first frame of the second call waits for the field that the last frame of the first call
// writes.
TEST_P(MotionFramesTest, MayBePredictedByACallBeforeInFieldsThatAreUsedAgain) {
  Steps again = in_turn(17);
  again.front().predicted_by = 16;
  expect_reference(kQuarters, {}, 17, {in_turn(17), again});
}

// As many macroblocks as this device refines together.
TEST_P(MotionFramesTest, MayBeAsLargeAsTheDevice) {
  const double macroblocks = 4.0 * queue->device().info().compute_units;
  const int side = static_cast<int>(std::ceil(std::sqrt(macroblocks))) * kMacroblockWidth;
  expect_reference(kQuarters, {.width = side, .height = side}, 4, {in_turn(4)});
}

INSTANTIATE_TEST_SUITE_P(Devices, MotionFramesTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::motion
