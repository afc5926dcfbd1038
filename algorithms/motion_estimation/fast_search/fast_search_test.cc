// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/fast_search.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace millrace::motion {
namespace {

constexpr SearchPattern kFastPatterns[] = {SearchPattern::kDiamond, SearchPattern::kMultiHexagon};
constexpr SearchPattern kPatterns[] = {SearchPattern::kFull, SearchPattern::kDiamond,
                                       SearchPattern::kMultiHexagon};

// Memory for CodedMotion.
struct MotionMemory {
  explicit MotionMemory(std::size_t macroblocks)
      : field(macroblocks), modes(macroblocks), skip_vectors(macroblocks) {}

  CodedMotion view() { return {field.view(), modes.data(), skip_vectors.data()}; }

  TestField field;
  std::vector<MacroblockMode> modes;
  std::vector<MotionVector> skip_vectors;
};

template <class Sample>
TestField search(const TestFrame<Sample>& frame, SearchPattern pattern,
                 const SearchOptions& options) {
  TestField field(frame.macroblocks());
  fast_search(frame.view(), pattern, field.view(), options);
  return field;
}

template <class Sample>
MotionMemory search_coded(const TestFrame<Sample>& frame, SearchPattern pattern,
                          const SearchOptions& options) {
  MotionMemory motion(frame.macroblocks());
  search_in_coding_order(frame.view(), pattern, motion.view(), options);
  return motion;
}

template <class Sample>
TestFrame<Sample> make(int width, int height, Content content, int most_predictor = 40) {
  SeededRandom random;
  return TestFrameMaker<Sample>(random).make(width, height, content, most_predictor);
}

// Returns a frame whose current picture is its reference, moved by (5, -3), and smooth, so that
// costs fall towards the minimum from a distance.
TestFrame<std::uint8_t> moved_frame() {
  TestFrame<std::uint8_t> frame = make<std::uint8_t>(64, 48, Content::kFlat, 0);
  const auto at = [](int x, int y) {
    return static_cast<std::uint8_t>(128 + x * x / 64 - y * y / 30 + x * y / 90);
  };
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      frame.reference[y * frame.stride + x] = at(x, y);
      frame.current[y * frame.stride + x] = at(x + 5, y - 3);
    }
  }
  return frame;
}

template <class Sample>
void expect_reference(const TestFrame<Sample>& frame, const SearchOptions& options) {
  const TestField found = search(frame, SearchPattern::kFull, options);
  TestField expected(frame.macroblocks());
  search_motion_reference(frame.view(), expected.view(), options);
  EXPECT_EQ(found.costs, expected.costs);
  EXPECT_EQ(found.vectors, expected.vectors);
}

TEST(FastSearch, OfAllCandidatesIsTheReferenceOfMotionSearch) {
  for (const Content content : {Content::kMoving, Content::kNoise, Content::kExtreme}) {
    for (const Precision precision : {Precision::kInteger, Precision::kHalf, Precision::kQuarter}) {
      const SearchOptions options{.range = 8, .precision = precision};
      expect_reference(make<std::uint8_t>(32, 32, content), options);
      expect_reference(make<std::uint16_t>(32, 16, content), options);
    }
  }
}

TEST(FastSearch, OfAllCandidatesSearchesFarOutsideThePicture) {
  expect_reference(make<std::uint8_t>(32, 32, Content::kMoving, 32767), {.range = 11});
  expect_reference(make<std::uint8_t>(16, 16, Content::kMoving, 200), {.range = 17});
}

// Macroblocks at the picture's borders contain samples that did not move.
TEST(FastSearch, EachPatternFindsAKnownMovement) {
  const TestFrame<std::uint8_t> frame = moved_frame();
  for (const SearchPattern pattern : kPatterns) {
    SCOPED_TRACE(static_cast<int>(pattern));
    const SearchOptions options{.range = 16, .lambda = 10, .precision = Precision::kInteger};
    const TestField found = search(frame, pattern, options);
    const MotionMemory coded = search_coded(frame, pattern, options);
    for (const std::size_t macroblock : {5, 6}) {
      const std::size_t index = MotionField::index(macroblock, 0);
      EXPECT_EQ(found.vectors[index], (MotionVector{20, -12}));
      EXPECT_EQ(coded.field.vectors[index], (MotionVector{20, -12}));
    }
  }
}

TEST(FastSearch, NeverCostsLessThanTheFullSearchAtWholeSamples) {
  const SearchOptions options{.range = 12, .precision = Precision::kInteger};
  for (const Content content : {Content::kMoving, Content::kNoise, Content::kTwoValues}) {
    const TestFrame<std::uint8_t> frame = make<std::uint8_t>(48, 32, content);
    const TestField full = search(frame, SearchPattern::kFull, options);
    for (const SearchPattern pattern : kFastPatterns) {
      const TestField fast = search(frame, pattern, options);
      for (std::size_t i = 0; i < full.costs.size(); ++i) ASSERT_GE(fast.costs[i], full.costs[i]);
    }
  }
}

// Returns J of a vector by its definition.
std::uint32_t cost_of(const TestFrame<std::uint8_t>& frame, std::size_t macroblock, int partition,
                      const MotionVector& vector, const MotionVector& predictor,
                      const SearchOptions& options) {
  const std::uint32_t distortion = partition_distortion(
      frame.view(), macroblock, partition_at(partition), vector, options.precision);
  return motion_cost(distortion, options.lambda, vector.x - predictor.x, vector.y - predictor.y);
}

TEST(FastSearch, CostsAreThoseOfTheVectors) {
  const TestFrame<std::uint8_t> frame = make<std::uint8_t>(48, 32, Content::kMoving);
  for (const SearchPattern pattern : kFastPatterns) {
    for (const Precision precision : {Precision::kInteger, Precision::kHalf, Precision::kQuarter}) {
      const SearchOptions options{.range = 12, .precision = precision};
      const TestField found = search(frame, pattern, options);
      for (std::size_t macroblock = 0; macroblock < frame.macroblocks(); ++macroblock) {
        for (int partition = 0; partition < kPartitions; ++partition) {
          const std::size_t index = MotionField::index(macroblock, partition);
          ASSERT_EQ(found.costs[index], cost_of(frame, macroblock, partition, found.vectors[index],
                                                frame.predictors[macroblock], options));
        }
      }
    }
  }
}

TEST(FastSearch, StaysInTheWindow) {
  const TestFrame<std::uint8_t> frame = moved_frame();
  for (const SearchPattern pattern : kPatterns) {
    const TestField found =
        search(frame, pattern, {.range = 8, .lambda = 0, .precision = Precision::kInteger});
    for (const MotionVector& vector : found.vectors) {
      ASSERT_TRUE(vector.x >= -32 && vector.x < 32 && vector.y >= -32 && vector.y < 32);
    }
  }
}

// A picture of one macroblock has no neighbours, so predictors of the first partitions are zero.
TEST(CodingOrder, OfAMacroblockAloneIsTheFullSearchAroundZero) {
  TestFrame<std::uint8_t> frame = make<std::uint8_t>(16, 16, Content::kMoving, 0);
  const SearchOptions options{.range = 8};
  const TestField expected = search(frame, SearchPattern::kFull, options);
  const MotionMemory coded = search_coded(frame, SearchPattern::kFull, options);
  EXPECT_EQ(coded.field.vectors[0], expected.vectors[0]);
  EXPECT_EQ(coded.field.costs[0], expected.costs[0]);
}

// The costs that a search in coding order reports equal those of coding its vectors.
TEST(CodingOrder, CostsOfASearchAreThoseOfCodingIt) {
  const TestFrame<std::uint8_t> frame = make<std::uint8_t>(64, 48, Content::kMoving);
  for (const SearchPattern pattern : kPatterns) {
    for (const Precision precision : {Precision::kInteger, Precision::kQuarter}) {
      const SearchOptions options{.range = 8, .precision = precision};
      MotionMemory searched = search_coded(frame, pattern, options);
      // The same vectors, with costs by the frame's predictors.
      TestField field = searched.field;
      for (std::size_t index = 0; index < field.costs.size(); ++index) {
        const std::size_t macroblock = index / kPartitions;
        field.costs[index] = cost_of(frame, macroblock, static_cast<int>(index % kPartitions),
                                     field.vectors[index], frame.predictors[macroblock], options);
      }
      MotionMemory coded(frame.macroblocks());
      cost_in_coding_order(frame.view(), field.view(), coded.view(), options);
      EXPECT_EQ(coded.field.costs, searched.field.costs);
      EXPECT_EQ(coded.field.vectors, searched.field.vectors);
      EXPECT_EQ(coded.skip_vectors, searched.skip_vectors);
      EXPECT_EQ(coded.modes, searched.modes);
    }
  }
}

}  // namespace
}  // namespace millrace::motion
