// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/predict_inter.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>
#include <millrace/algorithms/h264/reconstruction/views/implicit_weight.h>
#include <millrace/algorithms/h264/reconstruction/weighted_prediction.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kColumns = 3;
constexpr int kRows = 2;

// A plane whose samples continue beyond its edges (clause 8.4.2.2.1).
class RandomPlane {
 public:
  RandomPlane(int width, int height, unsigned seed)
      : width_(width), height_(height), samples_(static_cast<std::size_t>(width * height)) {
    std::mt19937 random(seed);
    // Many samples at the ends of the range make the filters clip.
    for (auto& sample : samples_) {
      sample = static_cast<std::uint8_t>(random() % 3 == 0 ? random() % 2 * 255 : random());
    }
  }

  int operator()(int x, int y) const {
    return samples_[static_cast<std::size_t>(clip(0, height_ - 1, y) * width_ +
                                             clip(0, width_ - 1, x))];
  }
  const std::uint8_t* data() const { return samples_.data(); }

 private:
  int width_, height_;
  std::vector<std::uint8_t> samples_;
};

// Clause 8.4.2.2.1 with the letters of Figure 8-4; (xi, yi) is the full sample G.
int luma_by_standard(const RandomPlane& plane, int xi, int yi, int xf, int yf) {
  const auto tap = [](int e, int f, int g, int h, int i, int j) {
    return e - 5 * f + 20 * g + 20 * h - 5 * i + j;
  };
  const auto b1_at = [&](int x, int y) {
    return tap(plane(x - 2, y), plane(x - 1, y), plane(x, y), plane(x + 1, y), plane(x + 2, y),
               plane(x + 3, y));
  };
  const auto h1_at = [&](int x, int y) {
    return tap(plane(x, y - 2), plane(x, y - 1), plane(x, y), plane(x, y + 1), plane(x, y + 2),
               plane(x, y + 3));
  };
  const auto half = [](int value) { return clip(0, 255, (value + 16) >> 5); };
  const int g = plane(xi, yi), h_full = plane(xi + 1, yi), m_full = plane(xi, yi + 1);
  const int b = half(b1_at(xi, yi)), s = half(b1_at(xi, yi + 1));
  const int h = half(h1_at(xi, yi)), m = half(h1_at(xi + 1, yi));
  const int j1 = tap(b1_at(xi, yi - 2), b1_at(xi, yi - 1), b1_at(xi, yi), b1_at(xi, yi + 1),
                     b1_at(xi, yi + 2), b1_at(xi, yi + 3));
  const int j = clip(0, 255, (j1 + 512) >> 10);
  const auto mean = [](int first, int second) { return (first + second + 1) >> 1; };
  // Table 8-12, by xFrac and yFrac.
  const int table[4][4] = {
      {g, mean(g, h), h, mean(h, m_full)},                    // G d h n
      {mean(g, b), mean(b, h), mean(h, j), mean(h, s)},       // a e i p
      {b, mean(b, j), j, mean(j, s)},                         // b f j q
      {mean(b, h_full), mean(b, m), mean(j, m), mean(s, m)},  // c g k r
  };
  return table[xf][yf];
}

int chroma_by_standard(const RandomPlane& plane, int xi, int yi, int xf, int yf) {
  return ((8 - xf) * (8 - yf) * plane(xi, yi) + xf * (8 - yf) * plane(xi + 1, yi) +
          (8 - xf) * yf * plane(xi, yi + 1) + xf * yf * plane(xi + 1, yi + 1) + 32) >>
         6;
}

PictureView picture_of_size() {
  PictureView picture = {};
  picture.columns = kColumns;
  picture.rows = kRows;
  return picture;
}

TEST(InterPrediction, LumaIsThatOfTheStandardAtEveryFraction) {
  const RandomPlane plane(16 * kColumns, 16 * kRows, 1);
  const ReferenceView reference = {{plane.data()}, 0};
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      const MotionVector vector{static_cast<std::int16_t>(4 * 5 + x),
                                static_cast<std::int16_t>(-4 * 3 + y)};
      std::uint8_t block[8 * 16];
      predict_from(ScalarKernels(), picture_of_size(), reference, {0, 16, 8, 16, 8, vector}, block,
                   16);
      for (int i = 0; i < 8 * 16; ++i) {
        ASSERT_EQ(block[i], luma_by_standard(plane, 16 + 5 + i % 16, 8 - 3 + i / 16, x, y))
            << "fraction (" << x << ", " << y << "), sample " << i;
      }
    }
  }
}

TEST(InterPrediction, ChromaIsThatOfTheStandardAtEveryFraction) {
  const RandomPlane plane(8 * kColumns, 8 * kRows, 2);
  const ReferenceView reference = {{nullptr, plane.data()}, 0};
  for (int fraction = 0; fraction < 64; ++fraction) {
    const MotionVector vector{static_cast<std::int16_t>(8 + fraction % 8),
                              static_cast<std::int16_t>(-16 + fraction / 8)};
    std::uint8_t block[8 * 8];
    predict_from(ScalarKernels(), picture_of_size(), reference, {1, 8, 8, 8, 4, vector}, block, 8);
    for (int i = 0; i < 8 * 4; ++i) {
      ASSERT_EQ(block[i], chroma_by_standard(plane, 8 + 1 + i % 8, 8 - 2 + i / 8, fraction % 8,
                                             fraction / 8));
    }
  }
}

TEST(InterPrediction, VectorsMayPointAnywhere) {
  const RandomPlane luma(16 * kColumns, 16 * kRows, 3);
  const RandomPlane chroma(8 * kColumns, 8 * kRows, 4);
  const ReferenceView reference = {{luma.data(), chroma.data(), chroma.data()}, 0};
  for (const int x : {-32768, -801, -77, -33, -3, 97, 131, 190, 790, 32767}) {
    for (const int y : {-32768, -641, -50, -9, 0, 62, 67, 133, 32767}) {
      const MotionVector vector{static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
      std::uint8_t block[4 * 4];
      predict_from(ScalarKernels(), picture_of_size(), reference, {0, 20, 12, 4, 4, vector}, block,
                   4);
      for (int i = 0; i < 16; ++i) {
        ASSERT_EQ(block[i], luma_by_standard(luma, 20 + (x >> 2) + i % 4, 12 + (y >> 2) + i / 4,
                                             x & 3, y & 3))
            << x << ", " << y;
      }
      predict_from(ScalarKernels(), picture_of_size(), reference, {2, 10, 6, 2, 2, vector}, block,
                   2);
      for (int i = 0; i < 4; ++i) {
        ASSERT_EQ(block[i], chroma_by_standard(chroma, 10 + (x >> 3) + i % 2, 6 + (y >> 3) + i / 2,
                                               x & 7, y & 7))
            << x << ", " << y;
      }
    }
  }
}

TEST(WeightedPrediction, ExplicitWeightsAreEquations8_297To8_299) {
  SliceView slice = {};
  slice.weighting = Weighting::kExplicit;
  slice.weight_shifts[0] = 5;
  const PredictionWeight first_list[3] = {{}, {}, {{40, 1, 1}, {-7, 0, 0}}};
  const PredictionWeight second_list[2] = {{}, {{-20, 1, 1}, {4, 0, 0}}};
  slice.weights[0] = first_list;
  slice.weights[1] = second_list;
  const BlockWeights first = block_weights(slice, 0, {2, -1});
  EXPECT_EQ(weighted_sample(first, 0, 100), ((100 * 40 + 16) >> 5) - 7);
  const BlockWeights second = block_weights(slice, 0, {-1, 1});
  EXPECT_EQ(weighted_sample(second, 1, 100), 0);  // -62 + 4, clipped.
  const BlockWeights both = block_weights(slice, 0, {2, 1});
  EXPECT_EQ(weighted_sample_of_two(both, 200, 30),
            ((200 * 40 + 30 * -20 + 32) >> 6) + ((-7 + 4 + 1) >> 1));
  EXPECT_EQ(weighted_sample_of_two(both, 255, 0), 158);  // 159 and the mean of the offsets, -1.
}

TEST(WeightedPrediction, AShiftOfZeroDoesNotRound) {
  SliceView slice = {};
  slice.weighting = Weighting::kExplicit;
  const PredictionWeight list[1] = {{{3, 1, 1}, {-1, 0, 0}}};
  slice.weights[0] = list;
  EXPECT_EQ(weighted_sample(block_weights(slice, 0, {0, -1}), 0, 7), 20);
  EXPECT_EQ(weighted_sample(block_weights(slice, 0, {0, -1}), 0, 200), 255);
}

TEST(WeightedPrediction, AnExplicitWeightOfOneWithoutOffsetIsTheSampleItself) {
  for (int shift = 0; shift < 8; ++shift) {
    SliceView slice = {};
    slice.weighting = Weighting::kExplicit;
    slice.weight_shifts[0] = static_cast<std::uint8_t>(shift);
    const auto one = static_cast<std::int16_t>(1 << shift);
    const PredictionWeight list[2] = {{{one, 0, 0}, {0, 0, 0}}, {{one, 0, 0}, {1, 0, 0}}};
    slice.weights[0] = list;
    slice.weights[1] = list;
    const BlockWeights single = block_weights(slice, 0, {0, -1});
    const BlockWeights both = block_weights(slice, 0, {0, 0});
    EXPECT_TRUE(single.is_default);
    EXPECT_TRUE(both.is_default);
    EXPECT_FALSE(block_weights(slice, 0, {1, -1}).is_default);
    EXPECT_FALSE(block_weights(slice, 0, {1, 0}).is_default);
    for (int sample = 0; sample < 256; ++sample) {
      EXPECT_EQ(weighted_sample(single, 0, sample), sample);
      EXPECT_EQ(weighted_sample_of_two(both, sample, 77), mean_sample(sample, 77));
    }
  }
}

TEST(WeightedPrediction, ImplicitWeightsAreForTwoReferencesAlone) {
  SliceView slice = {};
  slice.weighting = Weighting::kImplicit;
  std::int16_t second_weights[2 * 4] = {};
  second_weights[4 * 1 + 3] = 48;
  slice.counts[0] = 2;
  slice.counts[1] = 4;
  slice.implicit_weights = second_weights;
  EXPECT_TRUE(block_weights(slice, 0, {1, -1}).is_default);
  const BlockWeights weights = block_weights(slice, 1, {1, 3});
  EXPECT_FALSE(weights.is_default);
  EXPECT_EQ(weighted_sample_of_two(weights, 10, 90), (10 * 16 + 90 * 48 + 32) >> 6);
}

TEST(ImplicitWeight, IsInProportionToTheDistances) {
  const auto at = [](int order, bool is_long_term = false) {
    return Reference{.picture_order = order, .is_long_term = is_long_term};
  };
  EXPECT_EQ(implicit_weight(4, at(0), at(8)), 32);
  EXPECT_EQ(implicit_weight(2, at(0), at(8)), 16);
  EXPECT_EQ(implicit_weight(6, at(0), at(8)), 48);
  EXPECT_EQ(implicit_weight(8, at(0), at(4)), 128);  // Beyond both: twice the distance.
  EXPECT_EQ(implicit_weight(12, at(0), at(4)), 32);  // 192 is out of range.
  EXPECT_EQ(implicit_weight(4, at(6), at(6)), 32);
  EXPECT_EQ(implicit_weight(2, at(0, true), at(8)), 32);
  EXPECT_EQ(implicit_weight(2, at(0), at(8, true)), 32);
  // tb = 1, td = 3: tx = (16384 + 1) / 3 = 5461, DistScaleFactor = (5461 + 32) >> 6 = 85.
  EXPECT_EQ(implicit_weight(1, at(0), at(3)), 21);
}

// Rectangles cover each block once, and blocks of one rectangle have one motion.
TEST(ForEachMotion, CoversEachBlockOnce) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    Macroblock macroblock;
    // Two different values make rectangles of all shapes.
    for (int i = 0; i < 16; ++i) {
      const unsigned kind = static_cast<unsigned>(round) % 4;
      const int vector = kind == 0 ? i / 8 : kind == 1 ? i % 4 / 2 : static_cast<int>(random() % 2);
      macroblock.vectors[0][i].x = static_cast<std::int16_t>(vector);
    }
    for (auto& reference : macroblock.references[0]) {
      reference = static_cast<std::int8_t>(random() % 8 == 0);
    }
    int covered[16] = {};
    for_each_motion<4>(macroblock, 0, 0, [&](const MotionBlock& block) {
      for (int y = block.y; y < block.y + block.height; ++y) {
        for (int x = block.x; x < block.x + block.width; ++x) {
          ++covered[4 * y + x];
          EXPECT_TRUE(have_same_motion(macroblock, 4 * block.y + block.x, 4 * y + x));
        }
      }
    });
    for (const int times : covered) ASSERT_EQ(times, 1);
  }
}

TEST(ForEachMotion, PredictsEqualBlocksAtOnce) {
  const auto count = [](const Macroblock& macroblock) {
    int rectangles = 0;
    for_each_motion<4>(macroblock, 0, 0, [&](const MotionBlock&) { ++rectangles; });
    return rectangles;
  };
  Macroblock macroblock;
  for (auto& reference : macroblock.references[0]) reference = 0;
  EXPECT_EQ(count(macroblock), 1);
  for (int i = 8; i < 16; ++i) macroblock.vectors[0][i].y = 3;
  EXPECT_EQ(count(macroblock), 2);
  for (int i = 0; i < 16; ++i) macroblock.vectors[0][i] = {static_cast<std::int16_t>(i % 4 / 2), 0};
  EXPECT_EQ(count(macroblock), 2);
  for (int i = 0; i < 16; ++i) macroblock.vectors[0][i].x = static_cast<std::int16_t>(i);
  EXPECT_EQ(count(macroblock), 16);
}

}  // namespace
}  // namespace millrace::h264
