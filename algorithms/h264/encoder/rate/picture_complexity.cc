// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/rate/picture_complexity.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kSide = 16;             // Side of a macroblock.
constexpr int kMostWholeCount = 400;  // Pictures of more macroblocks are sampled as a chequerboard.

// Bins of coefficients, four an octave from 1 on.
constexpr int kBinsAnOctave = 4;
constexpr int kMostCoefficient = 16 * 255;
constexpr int kBins = 12 * kBinsAnOctave + 1;

// A level of 1 begins at this fraction of a step, and costs kBitsOfLevel; each octave more costs
// kBitsOfOctave. Fitted to streams of camera clips at QPs of 16 to 44.
constexpr double kLeastStep = 0.5;
constexpr double kBitsOfLevel = 2.6;
constexpr double kBitsOfOctave = 0.9;
constexpr double kBitsOfIntra = 7;  // Bits of a macroblock's modes.
constexpr double kBitsOfInter = 0.4;
constexpr double kBitsOfPicture = 300;

using Coefficients = std::array<std::int64_t, kBins>;

// A block of residuals in rows of 16.
using Residual = std::array<std::int16_t, kSide * kSide>;

// Returns the index of a value in rows of `side`.
constexpr std::size_t index(int side, int row, int column) {
  return static_cast<std::size_t>(side) * static_cast<std::size_t>(row) +
         static_cast<std::size_t>(column);
}

struct Vector {
  int x = 0;
  int y = 0;
};

std::array<std::uint8_t, kMostCoefficient + 1> bins_of_sizes() {
  std::array<std::uint8_t, kMostCoefficient + 1> bins = {};
  for (int size = 1; size <= kMostCoefficient; ++size) {
    const double octave = std::log2(static_cast<double>(size));
    bins[static_cast<std::size_t>(size)] =
        static_cast<std::uint8_t>(std::lround(kBinsAnOctave * octave));
  }
  return bins;
}

int sum_of_sizes(const Residual& residual) {
  int sum = 0;
  for (const std::int16_t value : residual) sum += std::abs(int{value});
  return sum;
}

// Analyses one picture.
class Analysis {
 public:
  Analysis(const SamplePicture& picture, const SamplePicture* before)
      : samples_(picture.plane(0)),
        before_(before == nullptr ? nullptr : before->plane(0)),
        width_(picture.width(0)),
        height_(picture.height(0)),
        vectors_(static_cast<std::size_t>(width_ / kSide)) {}

  PictureComplexity operator()() {
    const int columns = width_ / kSide;
    const int rows = height_ / kSide;
    const bool is_whole = columns * rows <= kMostWholeCount;
    int count = 0;
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        if (!is_whole && (row + column) % 2 != 0) continue;
        add_macroblock(column * kSide, row * kSide);
        ++count;
      }
    }
    return complexity(static_cast<double>(columns * rows) / count, columns * rows);
  }

 private:
  const std::uint8_t* at(const std::uint8_t* plane, int x, int y) const {
    return plane + static_cast<std::ptrdiff_t>(y) * width_ + x;
  }

  void add_macroblock(int x, int y) {
    Residual intra;
    for (int block = 0; block < 4; ++block) predict_intra(x, y, block, intra);
    int size = sum_of_sizes(intra);
    const Residual* best = &intra;
    Residual inter;
    if (before_ != nullptr) {
      predict_inter(x, y, inter);
      if (const int of_inter = sum_of_sizes(inter); of_inter <= size) {
        size = of_inter;
        best = &inter;
      }
    }
    residual_sum_ += size;
    count_coefficients(*best);
  }

  // Predicts an 8x8 block of a macroblock from the samples above and to the left: their mean, or
  // each row or column by its own.
  void predict_intra(int left, int top, int block, Residual& residual) const {
    constexpr int kBlock = 8;
    const int offset_x = block % 2 * kBlock, offset_y = block / 2 * kBlock;
    const int x = left + offset_x, y = top + offset_y;
    const std::uint8_t* const above = y > 0 ? at(samples_, x, y - 1) : nullptr;
    const std::uint8_t* const beside = x > 0 ? at(samples_, x - 1, y) : nullptr;
    int sum = 0;
    int count = 0;
    for (int i = 0; i < kBlock; ++i) {
      if (above != nullptr) sum += above[i], ++count;
      if (beside != nullptr) sum += beside[i * width_], ++count;
    }
    const int mean = count == 0 ? 128 : (sum + count / 2) / count;
    std::array<std::int16_t, kBlock*kBlock> best = {}, tried = {};
    int least = std::numeric_limits<int>::max();
    const auto take = [&](const auto& predicted) {
      int size = 0;
      for (int i = 0; i < kBlock; ++i) {
        for (int j = 0; j < kBlock; ++j) {
          const int value = at(samples_, x, y + i)[j] - predicted(i, j);
          tried[index(kBlock, i, j)] = static_cast<std::int16_t>(value);
          size += std::abs(value);
        }
      }
      if (size >= least) return;
      least = size;
      best = tried;
    };
    take([&](int, int) { return mean; });
    if (above != nullptr) take([&](int, int j) { return int{above[j]}; });
    if (beside != nullptr) take([&](int i, int) { return int{beside[i * width_]}; });
    for (int i = 0; i < kBlock; ++i) {
      std::copy_n(&best[index(kBlock, i, 0)], kBlock,
                  &residual[index(kSide, offset_y + i, offset_x)]);
    }
  }

  bool is_inside(int x, int y) const {
    return x >= 0 && y >= 0 && x + kSide <= width_ && y + kSide <= height_;
  }

  int distance(int x, int y, Vector vector) const {
    int sum = 0;
    for (int i = 0; i < kSide; ++i) {
      const std::uint8_t* const a = at(samples_, x, y + i);
      const std::uint8_t* const b = at(before_, x + vector.x, y + vector.y + i);
      for (int j = 0; j < kSide; ++j) sum += std::abs(a[j] - b[j]);
    }
    return sum;
  }

  // Writes the residual of a vector in half samples, between which values are means.
  void write_residual(int x, int y, Vector half, Residual& residual) const {
    const int dx = half.x & 1, dy = half.y & 1;
    const int from_x = x + (half.x - dx) / 2, from_y = y + (half.y - dy) / 2;
    for (int i = 0; i < kSide; ++i) {
      const std::uint8_t* const a = at(samples_, x, y + i);
      const std::uint8_t* const upper = at(before_, from_x, from_y + i);
      const std::uint8_t* const lower = upper + (dy == 0 ? 0 : width_);
      for (int j = 0; j < kSide; ++j) {
        const int mean = (upper[j] + upper[j + dx] + lower[j] + lower[j + dx] + 2) >> 2;
        residual[index(kSide, i, j)] = static_cast<std::int16_t>(a[j] - mean);
      }
    }
  }

  // Descends from the best of the zero vector and those of the macroblocks around, by steps of
  // falling size.
  void predict_inter(int x, int y, Residual& residual) {
    const auto column = static_cast<std::size_t>(x / kSide);
    Vector best;
    int least = distance(x, y, best);
    const auto take = [&](Vector vector) {
      if (!is_inside(x + vector.x, y + vector.y)) return false;
      const int size = distance(x, y, vector);
      if (size >= least) return false;
      least = size;
      best = vector;
      return true;
    };
    take(vectors_[column]);
    take(left_);
    for (const int step : {8, 4, 2, 1}) {
      constexpr int kMostMoves = 4;
      bool has_moved = true;
      for (int i = 0; i < kMostMoves && has_moved; ++i) {
        const Vector centre = best;
        has_moved = false;
        for (const Vector by : {Vector{-step, 0}, {step, 0}, {0, -step}, {0, step}}) {
          if (take({centre.x + by.x, centre.y + by.y})) has_moved = true;
        }
      }
    }
    vectors_[column] = left_ = best;
    refine(x, y, best, residual);
  }

  void refine(int x, int y, Vector whole, Residual& residual) const {
    write_residual(x, y, {2 * whole.x, 2 * whole.y}, residual);
    int least = sum_of_sizes(residual);
    Residual tried;
    for (int i = 0; i < 9; ++i) {
      const Vector half = {2 * whole.x + i % 3 - 1, 2 * whole.y + i / 3 - 1};
      // The samples to the right and below are read too.
      if (i == 4 || !is_inside(x + whole.x - 1, y + whole.y - 1) ||
          !is_inside(x + whole.x + 1, y + whole.y + 1)) {
        continue;
      }
      write_residual(x, y, half, tried);
      const int size = sum_of_sizes(tried);
      if (size >= least) continue;
      least = size;
      residual = tried;
    }
  }

  // Counts the coefficients of Hadamard transforms of 4x4 samples.
  void count_coefficients(const Residual& residual) {
    static const std::array<std::uint8_t, kMostCoefficient + 1> bins = bins_of_sizes();
    for (int block = 0; block < 16; ++block) {
      const std::int16_t* const first = &residual[index(kSide, block / 4 * 4, block % 4 * 4)];
      int values[16];
      for (int i = 0; i < 4; ++i) {
        const std::int16_t* const row = first + static_cast<std::ptrdiff_t>(i) * kSide;
        transform(row[0], row[1], row[2], row[3], &values[4 * i], 1);
      }
      for (int i = 0; i < 4; ++i) {
        transform(values[i], values[4 + i], values[8 + i], values[12 + i], &values[i], 4);
      }
      for (const int value : values) {
        const int size = std::abs(value);
        if (size > 0) ++coefficients_[bins[static_cast<std::size_t>(size)]];
      }
    }
  }

  static void transform(int a, int b, int c, int d, int* to, int stride) {
    to[0] = a + b + c + d;
    to[stride] = a + b - c - d;
    to[2 * stride] = a - b - c + d;
    to[3 * stride] = a - b + c - d;
  }

  PictureComplexity complexity(double weight, int macroblocks) const {
    PictureComplexity complexity;
    complexity.residual = weight * static_cast<double>(residual_sum_) /
                          (static_cast<double>(macroblocks) * kSide * kSide);
    const double bits_of_modes = before_ == nullptr ? kBitsOfIntra : kBitsOfInter;
    for (int qp = 0; qp < PictureComplexity::kQps; ++qp) {
      // QP 4 has a step of 1. Coefficients are 4 times those of an orthonormal transform.
      const double step = 4 * std::exp2((qp - 4) / 6.0);
      double bits = 0;
      for (int bin = 0; bin < kBins; ++bin) {
        const double octaves =
            static_cast<double>(bin) / kBinsAnOctave - std::log2(kLeastStep * step);
        if (octaves < 0) continue;
        bits += static_cast<double>(coefficients_[static_cast<std::size_t>(bin)]) *
                (kBitsOfLevel + kBitsOfOctave * octaves);
      }
      complexity.bits[static_cast<std::size_t>(qp)] =
          weight * bits + bits_of_modes * macroblocks + kBitsOfPicture;
    }
    return complexity;
  }

  const std::uint8_t* const samples_;
  const std::uint8_t* const before_;  // Null: none.
  const int width_, height_;
  std::vector<Vector> vectors_;  // Vectors of the macroblocks above, by column.
  Vector left_;
  std::int64_t residual_sum_ = 0;
  Coefficients coefficients_ = {};
};

}  // namespace

double PictureComplexity::bits_at(double qp) const {
  const auto below = static_cast<std::size_t>(std::clamp(qp, 0.0, kQps - 2.0));
  const double fraction = std::clamp(qp - static_cast<double>(below), 0.0, 1.0);
  return bits[below] + fraction * (bits[below + 1] - bits[below]);
}

PictureComplexity picture_complexity(const SamplePicture& picture, const SamplePicture* before) {
  return Analysis(picture, before)();
}

}  // namespace millrace::h264
