// SPDX-License-Identifier: Apache-2.0

// Small clips for tests of MotionEstimator, and the reference's results.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_TEST_CLIP_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_TEST_CLIP_H_

#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace millrace::motion {

inline constexpr int kTestWidth = 32;
inline constexpr int kTestHeight = 16;
inline constexpr std::size_t kTestMacroblocks = 2;

// Output of produce for a picture.
template <class Sample>
struct TestPicture {
  std::vector<Sample> current;
  std::vector<Sample> reconstruction;
  std::vector<MotionVector> predictors;
};

template <class Sample>
using TestClip = std::vector<TestPicture<Sample>>;

// Returns a clip in which each picture is the one before, moved, with some noise, and nearly its
// reconstruction.
template <class Sample>
TestClip<Sample> moving_clip(std::size_t pictures, const EstimatorOptions& options,
                             SeededRandom& random) {
  constexpr int kLargest = kLargestSample<Sample>;
  std::vector<int> texture(64 * 64);
  std::ranges::generate(texture, [&] { return static_cast<int>(random(0, kLargest)); });
  const auto up_to = [&](int most) { return static_cast<int>(random(0, 2 * most)) - most; };
  const auto noisy = [&](int value, int most) {
    return static_cast<Sample>(std::clamp(value + up_to(most), 0, kLargest));
  };
  TestClip<Sample> clip(pictures);
  int left = 0;
  int top = 0;
  for (TestPicture<Sample>& picture : clip) {
    for (int i = 0; i < kTestWidth * kTestHeight; ++i) {
      const int x = (i % kTestWidth + left) & 63;
      const int y = (i / kTestWidth + top) & 63;
      picture.current.push_back(noisy(texture[64 * y + x], 2));
      picture.reconstruction.push_back(noisy(picture.current.back(), 6));
    }
    left += up_to(4);
    top += up_to(4);
    for (std::size_t i = 0; i < options.references * kTestMacroblocks; ++i) {
      picture.predictors.push_back(
          {static_cast<std::int16_t>(up_to(20)), static_cast<std::int16_t>(up_to(20))});
    }
  }
  return clip;
}

struct TestMotion {
  std::vector<TestField> fields;  // One per reference.
  std::vector<MacroblockMode> modes;
};

template <class Sample>
LumaPlane<Sample> plane_of(const std::vector<Sample>& samples) {
  return {samples.data(), kTestWidth, kTestWidth, kTestHeight};
}

// Computes the results that motion_estimator.h specifies.
template <class Sample>
std::vector<TestMotion> reference_motion(const TestClip<Sample>& clip,
                                         const EstimatorOptions& options) {
  std::vector<TestMotion> result(clip.size());
  for (std::size_t n = 1; n < clip.size(); ++n) {
    TestMotion& motion = result[n];
    std::vector<SearchFrame<Sample>> frames;
    std::vector<std::vector<MotionVector>> predictors(options.references);
    for (std::size_t k = 0; k < std::min<std::size_t>(options.references, n); ++k) {
      predictors[k].resize(kTestMacroblocks);
      for (std::size_t m = 0; m < kTestMacroblocks; ++m) {
        if (options.predictor == PredictorRule::kGiven) {
          predictors[k][m] = clip[n].predictors[k * kTestMacroblocks + m];
        } else if (options.predictor == PredictorRule::kPrevious &&
                   k < result[n - 1].fields.size()) {
          predictors[k][m] = result[n - 1].fields[k].vectors[MotionField::index(m, 0)];
        }
      }
      const TestPicture<Sample>& reference = clip[n - 1 - k];
      frames.push_back(
          {plane_of(clip[n].current),
           plane_of(options.has_reconstruction ? reference.reconstruction : reference.current),
           predictors[k].data()});
      motion.fields.emplace_back(kTestMacroblocks);
      search_motion_reference(frames.back(), motion.fields.back().view(), options.search);
    }
    if (!options.decides_modes) continue;
    std::vector<MotionField> views;
    for (TestField& field : motion.fields) views.push_back(field.view());
    motion.modes.resize(kTestMacroblocks);
    decide_modes_reference<Sample>(frames[0], views, motion.modes.data(), options.search);
  }
  return result;
}

template <class Sample>
auto producer_of(const TestClip<Sample>& clip) {
  return [&clip](InputPicture<Sample>& target) {
    if (target.index == clip.size()) return false;
    const TestPicture<Sample>& picture = clip[target.index];
    std::ranges::copy(picture.current, target.current.begin());
    std::copy_n(picture.reconstruction.begin(), target.reconstruction.size(),
                target.reconstruction.begin());
    std::copy_n(picture.predictors.begin(), target.predictors.size(), target.predictors.begin());
    return true;
  };
}

// A `consume` stage that compares each picture with the expected one.
class Expectation {
 public:
  explicit Expectation(std::vector<TestMotion> expected) : expected_(std::move(expected)) {}

  void operator()(const PictureMotion& motion) {
    SCOPED_TRACE("picture " + std::to_string(motion.index));
    ASSERT_EQ(motion.index, consumed_++);
    ASSERT_LT(motion.index, expected_.size());
    const TestMotion& expected = expected_[motion.index];
    ASSERT_EQ(motion.references, static_cast<int>(expected.fields.size()));
    for (int k = 0; k < kMostReferences; ++k) {
      const TestField none(0);
      const TestField& field = k < motion.references ? expected.fields[k] : none;
      EXPECT_TRUE(std::ranges::equal(motion.vectors[k], field.vectors)) << "reference " << k;
      EXPECT_TRUE(std::ranges::equal(motion.costs[k], field.costs)) << "reference " << k;
    }
    EXPECT_TRUE(std::ranges::equal(motion.modes, expected.modes));
  }

  std::size_t consumed() const { return consumed_; }

 private:
  const std::vector<TestMotion> expected_;
  std::size_t consumed_ = 0;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_TEST_CLIP_H_
