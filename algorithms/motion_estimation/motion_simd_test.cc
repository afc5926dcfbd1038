#include <millrace/algorithms/motion_estimation/motion_simd.h>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>

#include <cstdint>
#include <string>

namespace millrace::motion {
namespace {

// Every test runs on each Highway target that is compiled in and that this processor has.
class MotionOnTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override {
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  void TearDown() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }

  template <class Sample>
  void expect_reference(const TestFrame<Sample>& frame, SearchOptions options) {
    SCOPED_TRACE(testing::Message() << 8 * sizeof(Sample) << " bits, range " << options.range
                                    << ", lambda " << options.lambda);
    options.precision = Precision::kInteger;
    TestField expected(frame.macroblocks());
    search_motion_reference(frame.view(), expected.view(), options);
    TestField found(frame.macroblocks());
    const SearchFrame<Sample> view = frame.view();
    const SearchRates rates(options.range, options.lambda);
    for (int row = 0; row < view.current.height / kMacroblockWidth; ++row) {
      search_row(view, rates, row, found.view());
    }
    EXPECT_EQ(found.costs, expected.costs);
    EXPECT_EQ(found.vectors, expected.vectors);
  }

  SeededRandom random;
};

TEST_P(MotionOnTarget, FindsWhatTheReferenceFinds) {
  for (const Content content :
       {Content::kMoving, Content::kNoise, Content::kFlat, Content::kExtreme, Content::kFew}) {
    SCOPED_TRACE(static_cast<int>(content));
    const SearchOptions options{.range = 9, .lambda = 187};
    expect_reference(TestFrameMaker<std::uint8_t>(random).make(48, 32, content), options);
    expect_reference(TestFrameMaker<std::uint16_t>(random).make(32, 32, content), options);
  }
}

TEST_P(MotionOnTarget, SearchesAnyRange) {
  for (const int range : {8, 16, 21, 32, 33}) {
    expect_reference(TestFrameMaker<std::uint8_t>(random).make(32, 16, Content::kMoving),
                     {.range = range});
  }
}

TEST_P(MotionOnTarget, TakesAnyLambda) {
  for (const int lambda : {0, 1, 31, kMostLambda}) {
    expect_reference(TestFrameMaker<std::uint8_t>(random).make(32, 16, Content::kFew),
                     {.range = 8, .lambda = lambda});
  }
}

TEST_P(MotionOnTarget, FollowsPredictorsOutOfThePicture) {
  expect_reference(TestFrameMaker<std::uint8_t>(random).make(48, 48, Content::kMoving, 300),
                   {.range = 8});
}

INSTANTIATE_TEST_SUITE_P(Targets, MotionOnTarget,
                         testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& info) { return hwy::TargetName(info.param); });

}  // namespace
}  // namespace millrace::motion
