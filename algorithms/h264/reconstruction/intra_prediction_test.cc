// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/intra_availability.h>
#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kSide = 48;
constexpr int kAt = 16;  // Row and column of the block that is predicted.

// Random samples around a block, and the block.
class Surroundings {
 public:
  explicit Surroundings(unsigned seed) : samples_(kSide * kSide) {
    std::mt19937 random(seed);
    for (auto& sample : samples_) sample = static_cast<std::uint8_t>(random());
  }

  std::uint8_t* block() { return &samples_[kAt * kSide + kAt]; }
  int operator()(int x, int y) const { return samples_[(kAt + y) * kSide + kAt + x]; }

 private:
  std::vector<std::uint8_t> samples_;
};

constexpr IntraAvailability kAll = {true, true, true, true};

IntraAvailability availability(int bits) {
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
}

// Clauses 8.3.1.2.1 to 8.3.1.2.9 (n = 4) and 8.3.2.2.2 to 8.3.2.2.10 (n = 8), formula by formula.
// p(x, y) are the neighbouring samples, filtered ones for n = 8. No value: the mode needs samples
// that are not available.
template <class P>
std::optional<int> sample_by_standard(int n, int mode, int x, int y, const IntraAvailability& has,
                                      const P& p) {
  const auto three = [](int a, int b, int c) { return (a + 2 * b + c + 2) >> 2; };
  const auto two = [](int a, int b) { return (a + b + 1) >> 1; };
  const bool has_all = has.left && has.top && has.top_left;
  switch (mode) {
    case 0: return has.top ? std::optional(p(x, -1)) : std::nullopt;
    case 1: return has.left ? std::optional(p(-1, y)) : std::nullopt;
    case 2: {
      int top = 0, left = 0;
      for (int i = 0; i < n; ++i) {
        if (has.top) top += p(i, -1);
        if (has.left) left += p(-1, i);
      }
      const int shift = n == 4 ? 2 : 3;
      if (has.top && has.left) return (top + left + n) >> (shift + 1);
      if (has.left) return (left + n / 2) >> shift;
      if (has.top) return (top + n / 2) >> shift;
      return 128;
    }
    case 3:
      if (!has.top) return std::nullopt;
      if (x == n - 1 && y == n - 1) return (p(2 * n - 2, -1) + 3 * p(2 * n - 1, -1) + 2) >> 2;
      return three(p(x + y, -1), p(x + y + 1, -1), p(x + y + 2, -1));
    case 4:
      if (!has_all) return std::nullopt;
      if (x > y) return three(p(x - y - 2, -1), p(x - y - 1, -1), p(x - y, -1));
      if (x < y) return three(p(-1, y - x - 2), p(-1, y - x - 1), p(-1, y - x));
      return three(p(0, -1), p(-1, -1), p(-1, 0));
    case 5: {
      if (!has_all) return std::nullopt;
      const int z = 2 * x - y;
      if (z >= 0 && z % 2 == 0) return two(p(x - (y >> 1) - 1, -1), p(x - (y >> 1), -1));
      if (z >= 0) {
        return three(p(x - (y >> 1) - 2, -1), p(x - (y >> 1) - 1, -1), p(x - (y >> 1), -1));
      }
      if (z == -1) return three(p(-1, 0), p(-1, -1), p(0, -1));
      return three(p(-1, y - 2 * x - 1), p(-1, y - 2 * x - 2), p(-1, y - 2 * x - 3));
    }
    case 6: {
      if (!has_all) return std::nullopt;
      const int z = 2 * y - x;
      if (z >= 0 && z % 2 == 0) return two(p(-1, y - (x >> 1) - 1), p(-1, y - (x >> 1)));
      if (z >= 0) {
        return three(p(-1, y - (x >> 1) - 2), p(-1, y - (x >> 1) - 1), p(-1, y - (x >> 1)));
      }
      if (z == -1) return three(p(-1, 0), p(-1, -1), p(0, -1));
      return three(p(x - 2 * y - 1, -1), p(x - 2 * y - 2, -1), p(x - 2 * y - 3, -1));
    }
    case 7:
      if (!has.top) return std::nullopt;
      if (y % 2 == 0) return two(p(x + (y >> 1), -1), p(x + (y >> 1) + 1, -1));
      return three(p(x + (y >> 1), -1), p(x + (y >> 1) + 1, -1), p(x + (y >> 1) + 2, -1));
    default: {
      if (!has.left) return std::nullopt;
      const int z = x + 2 * y;
      const int last = n == 4 ? 5 : 13;
      if (z > last) return p(-1, n - 1);
      if (z == last) return (p(-1, n - 2) + 3 * p(-1, n - 1) + 2) >> 2;
      if (z % 2 == 0) return two(p(-1, y + (x >> 1)), p(-1, y + (x >> 1) + 1));
      return three(p(-1, y + (x >> 1)), p(-1, y + (x >> 1) + 1), p(-1, y + (x >> 1) + 2));
    }
  }
}

// Clause 8.3.2.2.1: p'[x, y] of an 8x8 block, where p has its upper right samples filled in.
template <class P>
int filtered_by_standard(int x, int y, const IntraAvailability& has, const P& p) {
  if (y == -1 && x >= 0) {
    if (x == 0 && has.top_left) return (p(-1, -1) + 2 * p(0, -1) + p(1, -1) + 2) >> 2;
    if (x == 0) return (3 * p(0, -1) + p(1, -1) + 2) >> 2;
    if (x == 15) return (p(14, -1) + 3 * p(15, -1) + 2) >> 2;
    return (p(x - 1, -1) + 2 * p(x, -1) + p(x + 1, -1) + 2) >> 2;
  }
  if (x == -1 && y == -1) {
    if (has.top && has.left) return (p(0, -1) + 2 * p(-1, -1) + p(-1, 0) + 2) >> 2;
    if (has.top) return (3 * p(-1, -1) + p(0, -1) + 2) >> 2;
    if (has.left) return (3 * p(-1, -1) + p(-1, 0) + 2) >> 2;
    return p(-1, -1);
  }
  if (y == 0 && has.top_left) return (p(-1, -1) + 2 * p(-1, 0) + p(-1, 1) + 2) >> 2;
  if (y == 0) return (3 * p(-1, 0) + p(-1, 1) + 2) >> 2;
  if (y == 7) return (p(-1, 6) + 3 * p(-1, 7) + 2) >> 2;
  return (p(-1, y - 1) + 2 * p(-1, y) + p(-1, y + 1) + 2) >> 2;
}

TEST(IntraPrediction, Predicts4x4BlocksByTheFormulasOfTheStandard) {
  for (int bits = 0; bits < 16; ++bits) {
    const IntraAvailability has = availability(bits);
    for (int mode = 0; mode < 9; ++mode) {
      Surroundings samples(static_cast<unsigned>(16 * mode + bits));
      const auto p = [&, before = samples](int x, int y) {
        return before(y == -1 && x > 3 && !has.top_right ? 3 : x, y);
      };
      const IntraEdge<4> edge = load_intra_edge<4>(samples.block(), kSide, has);
      ScalarKernels().predict_intra(edge, mode, samples.block(), kSide);
      for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
          const auto expected = sample_by_standard(4, mode, x, y, has, p);
          if (expected) {
            EXPECT_EQ(samples(x, y), *expected) << "mode " << mode << " (" << x << ", " << y << ")";
          }
        }
      }
    }
  }
}

TEST(IntraPrediction, Predicts8x8BlocksFromFilteredNeighbours) {
  for (int bits = 0; bits < 16; ++bits) {
    const IntraAvailability has = availability(bits);
    for (int mode = 0; mode < 9; ++mode) {
      Surroundings samples(static_cast<unsigned>(16 * mode + bits));
      const auto p = [&, before = samples](int x, int y) {
        return before(y == -1 && x > 7 && !has.top_right ? 7 : x, y);
      };
      const auto filtered = [&](int x, int y) { return filtered_by_standard(x, y, has, p); };
      const auto edge = filter_intra_edge(load_intra_edge<8>(samples.block(), kSide, has));
      ScalarKernels().predict_intra(edge, mode, samples.block(), kSide);
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
          const auto expected = sample_by_standard(8, mode, x, y, has, filtered);
          if (expected) {
            EXPECT_EQ(samples(x, y), *expected)
                << "mode " << mode << " (" << x << ", " << y << ") bits " << bits;
          }
        }
      }
    }
  }
}

TEST(IntraPrediction, Predicts16x16MacroblocksByTheFormulasOfTheStandard) {
  for (int bits = 0; bits < 8; ++bits) {
    const IntraAvailability has = availability(bits);
    for (int mode = 0; mode < 4; ++mode) {
      if ((mode == 0 && !has.top) || (mode == 1 && !has.left) || (mode == 3 && bits != 7)) continue;
      Surroundings samples(static_cast<unsigned>(8 * mode + bits));
      const Surroundings p = samples;
      predict_intra_16x16(ScalarKernels(), load_intra_edge<16>(samples.block(), kSide, has), mode,
                          samples.block(), kSide);
      int top = 0, left = 0, h = 0, v = 0;
      for (int i = 0; i < 16; ++i) top += p(i, -1), left += p(-1, i);
      for (int i = 0; i <= 7; ++i) {
        h += (i + 1) * (p(8 + i, -1) - p(6 - i, -1));
        v += (i + 1) * (p(-1, 8 + i) - p(-1, 6 - i));
      }
      const int b = (5 * h + 32) >> 6, c = (5 * v + 32) >> 6;
      const int a = 16 * (p(-1, 15) + p(15, -1));
      const int dc = has.top && has.left ? (top + left + 16) >> 5
                     : has.left          ? (left + 8) >> 4
                     : has.top           ? (top + 8) >> 4
                                         : 128;
      for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) {
          const int plane = clip(0, 255, (a + b * (x - 7) + c * (y - 7) + 16) >> 5);
          const int expected = mode == 0 ? p(x, -1) : mode == 1 ? p(-1, y) : mode == 2 ? dc : plane;
          ASSERT_EQ(samples(x, y), expected) << "mode " << mode << " (" << x << ", " << y << ")";
        }
      }
    }
  }
}

TEST(IntraPrediction, PredictsChromaByTheFormulasOfTheStandard) {
  for (int bits = 0; bits < 8; ++bits) {
    const IntraAvailability has = availability(bits);
    for (int mode = 0; mode < 4; ++mode) {
      if ((mode == 1 && !has.left) || (mode == 2 && !has.top) || (mode == 3 && bits != 7)) continue;
      Surroundings samples(static_cast<unsigned>(8 * mode + bits));
      const Surroundings p = samples;
      predict_intra_chroma(ScalarKernels(), load_intra_edge<8>(samples.block(), kSide, has), mode,
                           samples.block(), kSide);
      int h = 0, v = 0;
      for (int i = 0; i <= 3; ++i) {
        h += (i + 1) * (p(4 + i, -1) - p(2 - i, -1));
        v += (i + 1) * (p(-1, 4 + i) - p(-1, 2 - i));
      }
      const int b = (34 * h + 32) >> 6, c = (34 * v + 32) >> 6;
      const int a = 16 * (p(-1, 7) + p(7, -1));
      const auto dc = [&](int x, int y) {
        int top = 0, left = 0;
        for (int i = 0; i < 4; ++i) top += p(x + i, -1), left += p(-1, y + i);
        if (has.top && has.left && x == y) return (top + left + 4) >> 3;
        if (x == 0 && y == 4) {
          return has.left ? (left + 2) >> 2 : has.top ? (top + 2) >> 2 : 128;
        }
        return has.top ? (top + 2) >> 2 : has.left ? (left + 2) >> 2 : 128;
      };
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
          const int plane = clip(0, 255, (a + b * (x - 3) + c * (y - 3) + 16) >> 5);
          const int expected = mode == 0   ? dc(x & 4, y & 4)
                               : mode == 1 ? p(-1, y)
                               : mode == 2 ? p(x, -1)
                                           : plane;
          ASSERT_EQ(samples(x, y), expected) << "mode " << mode << " (" << x << ", " << y << ")";
        }
      }
    }
  }
}

TEST(IntraPrediction, GivesGreyForModesThatDoNotExist) {
  Surroundings samples(1);
  ScalarKernels().predict_intra(load_intra_edge<4>(samples.block(), kSide, kAll), 200,
                                samples.block(), kSide);
  EXPECT_EQ(samples(0, 0), 128);
}

// A block may use the upper right one if that is reconstructed before it, in the order of Figure
// 6-10.
TEST(IntraAvailability, UpperRightBlocksAreThoseEarlierInTheOrder) {
  constexpr int kOrder[4][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
  for (int y = 1; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      const bool is_earlier = x < 3 && kOrder[y - 1][x + 1] < kOrder[y][x];
      EXPECT_EQ(block_availability<4>(kAll, x, y).top_right, is_earlier) << x << ", " << y;
    }
  }
  EXPECT_TRUE(block_availability<8>(kAll, 0, 1).top_right);
  EXPECT_FALSE(block_availability<8>(kAll, 1, 1).top_right);
}

TEST(IntraAvailability, BlocksAtTheBordersTakeThatOfTheMacroblock) {
  const IntraAvailability only_left = {.left = true};
  EXPECT_TRUE(block_availability<4>(only_left, 0, 2).top_left);
  EXPECT_TRUE(block_availability<4>(only_left, 0, 2).left);
  EXPECT_FALSE(block_availability<4>(only_left, 0, 0).top_left);
  EXPECT_FALSE(block_availability<4>(only_left, 2, 0).top_left);
  EXPECT_FALSE(block_availability<4>(only_left, 2, 0).top_right);
  const IntraAvailability only_top_right = {.top_right = true};
  EXPECT_TRUE(block_availability<4>(only_top_right, 3, 0).top_right);
  EXPECT_FALSE(block_availability<4>(only_top_right, 2, 0).top_right);
  EXPECT_TRUE(block_availability<8>(only_top_right, 1, 0).top_right);
}

}  // namespace
}  // namespace millrace::h264
