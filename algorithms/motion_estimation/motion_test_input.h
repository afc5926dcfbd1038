// SPDX-License-Identifier: Apache-2.0

// Pictures and predictors for tests of motion search.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_TEST_INPUT_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_TEST_INPUT_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/tests/random/seeded_random.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::motion {

// Contents of a test's pictures.
enum class Content {
  kMoving,         // A texture, displaced in the reference, and some noise.
  kNoise,          // Any values.
  kFlat,           // All equal: every candidate's distortion is 0.
  kExtreme,        // Smallest against largest: SAD is as large as possible.
  kTwoValues,      // Two different values: many candidates are equally good.
  kBlackAndWhite,  // Smallest and largest: filters overshoot as far as possible.
  kBent,  // A pattern against its opposite: SATD is as large as possible at the same position.
};

inline constexpr Content kAllContents[] = {
    Content::kMoving,    Content::kNoise,         Content::kFlat, Content::kExtreme,
    Content::kTwoValues, Content::kBlackAndWhite, Content::kBent};

// Returns signs of 4x4 samples whose Hadamard transform has one magnitude: a bent function.
constexpr bool is_bent(int x, int y) { return ((x & y & 1) ^ (x & y & 2) >> 1) != 0; }

// A frame in host memory, of which SearchFrame is a view.
template <class Sample>
struct TestFrame {
  int width = 0;
  int height = 0;
  std::ptrdiff_t stride = 0;
  std::vector<Sample> current;
  std::vector<Sample> reference;
  std::vector<MotionVector> predictors;

  SearchFrame<Sample> view() const {
    return {{current.data(), stride, width, height},
            {reference.data(), stride, width, height},
            predictors.data()};
  }
  std::size_t macroblocks() const { return predictors.size(); }
};

template <class Sample>
class TestFrameMaker {
 public:
  // Rows get 0 to `most_padding` samples more than the width.
  explicit TestFrameMaker(SeededRandom& random, std::uint64_t most_padding = 24)
      : random_(random), most_padding_(most_padding) {}

  TestFrame<Sample> make(int width, int height, Content content, int most_predictor = 40) {
    TestFrame<Sample> frame;
    frame.width = width;
    frame.height = height;
    frame.stride = width + static_cast<int>(random_(0, most_padding_));
    frame.current.resize(static_cast<std::size_t>(frame.stride) * height);
    frame.reference.resize(frame.current.size());
    fill(frame, content);
    const std::size_t macroblocks =
        static_cast<std::size_t>(width / kMacroblockWidth) * (height / kMacroblockWidth);
    for (std::size_t i = 0; i < macroblocks; ++i) {
      frame.predictors.push_back({component(most_predictor), component(most_predictor)});
    }
    return frame;
  }

 private:
  static constexpr int kLargest = kLargestSample<Sample>;

  std::int16_t component(int most) {
    return static_cast<std::int16_t>(static_cast<int>(random_(0, 2 * most)) - most);
  }

  void fill(TestFrame<Sample>& frame, Content content) {
    const auto any = [&] { return static_cast<Sample>(random_(0, kLargest)); };
    switch (content) {
      case Content::kNoise:
        std::ranges::generate(frame.current, any);
        std::ranges::generate(frame.reference, any);
        break;
      case Content::kFlat: {
        const Sample value = any();
        std::ranges::fill(frame.current, value);
        std::ranges::fill(frame.reference, value);
        break;
      }
      case Content::kExtreme:
        std::ranges::fill(frame.current, static_cast<Sample>(kLargest));
        std::ranges::fill(frame.reference, Sample{0});
        break;
      case Content::kTwoValues: {
        const auto one_of_two = [&] { return static_cast<Sample>(random_(0, 1)); };
        std::ranges::generate(frame.current, one_of_two);
        std::ranges::generate(frame.reference, one_of_two);
        break;
      }
      case Content::kBlackAndWhite: {
        const auto either = [&] { return static_cast<Sample>(random_(0, 1) * kLargest); };
        std::ranges::generate(frame.current, either);
        std::ranges::generate(frame.reference, either);
        break;
      }
      case Content::kMoving: fill_moving(frame); break;
      case Content::kBent: fill_bent(frame); break;
    }
  }

  // Each 4x4 block has the pattern or its opposite.
  void fill_bent(TestFrame<Sample>& frame) {
    for (int top = 0; top < frame.height; top += 4) {
      for (int left = 0; left < frame.width; left += 4) {
        const bool is_opposite = random_(0, 1) != 0;
        for (int i = 0; i < 16; ++i) {
          const auto index = static_cast<std::size_t>((top + i / 4) * frame.stride + left + i % 4);
          const bool is_white = is_bent(i % 4, i / 4) != is_opposite;
          frame.current[index] = static_cast<Sample>(is_white ? kLargest : 0);
          frame.reference[index] = static_cast<Sample>(is_white ? 0 : kLargest);
        }
      }
    }
  }

  void fill_moving(TestFrame<Sample>& frame) {
    const int move_x = static_cast<int>(random_(0, 12)) - 6;
    const int move_y = static_cast<int>(random_(0, 12)) - 6;
    std::vector<int> texture(64 * 64);
    std::ranges::generate(texture, [&] { return static_cast<int>(random_(0, kLargest)); });
    const auto at = [&](int x, int y) { return texture[(y & 63) * 64 + (x & 63)]; };
    // Neighbours differ by less than noise does.
    const auto smooth = [&](int x, int y) {
      return (2 * at(x, y) + at(x + 1, y) + at(x, y + 1)) / 4;
    };
    for (int y = 0; y < frame.height; ++y) {
      for (int x = 0; x < frame.width; ++x) {
        const auto index = static_cast<std::size_t>(y * frame.stride + x);
        frame.reference[index] = static_cast<Sample>(smooth(x, y));
        const int noisy = smooth(x + move_x, y + move_y) + static_cast<int>(random_(0, 6)) - 3;
        frame.current[index] = static_cast<Sample>(std::clamp(noisy, 0, kLargest));
      }
    }
  }

  SeededRandom& random_;
  const std::uint64_t most_padding_;
};

// A field in host memory.
struct TestField {
  explicit TestField(std::size_t macroblocks)
      : vectors(macroblocks * kPartitions), costs(macroblocks * kPartitions) {}

  MotionField view() { return {vectors.data(), costs.data()}; }

  std::vector<MotionVector> vectors;
  std::vector<std::uint32_t> costs;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_TEST_INPUT_H_
