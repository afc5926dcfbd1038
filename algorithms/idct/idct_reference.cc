// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_reference.h>

#include <algorithm>
#include <array>

namespace millrace::idct {
namespace {

template <std::size_t n>
using Vector = std::array<int, n>;
template <std::size_t n>
using Block = std::array<Vector<n>, n>;

int wrap(int value) { return static_cast<std::int16_t>(value); }

// The names d, e, f and g are those of the standard.
Vector<4> transform(const Vector<4>& d) {
  const int e0 = wrap(d[0] + d[2]);
  const int e1 = wrap(d[0] - d[2]);
  const int e2 = wrap((d[1] >> 1) - d[3]);
  const int e3 = wrap(d[1] + (d[3] >> 1));
  return {wrap(e0 + e3), wrap(e1 + e2), wrap(e1 - e2), wrap(e0 - e3)};
}

Vector<8> transform(const Vector<8>& d) {
  const int e0 = wrap(d[0] + d[4]);
  const int e1 = wrap(-d[3] + d[5] - d[7] - (d[7] >> 1));
  const int e2 = wrap(d[0] - d[4]);
  const int e3 = wrap(d[1] + d[7] - d[3] - (d[3] >> 1));
  const int e4 = wrap((d[2] >> 1) - d[6]);
  const int e5 = wrap(-d[1] + d[7] + d[5] + (d[5] >> 1));
  const int e6 = wrap(d[2] + (d[6] >> 1));
  const int e7 = wrap(d[3] + d[5] + d[1] + (d[1] >> 1));
  const int f0 = wrap(e0 + e6);
  const int f1 = wrap(e1 + (e7 >> 2));
  const int f2 = wrap(e2 + e4);
  const int f3 = wrap(e3 + (e5 >> 2));
  const int f4 = wrap(e2 - e4);
  const int f5 = wrap((e3 >> 2) - e5);
  const int f6 = wrap(e0 - e6);
  const int f7 = wrap(e7 - (e1 >> 2));
  return {wrap(f0 + f7), wrap(f2 + f5), wrap(f4 + f3), wrap(f6 + f1),
          wrap(f6 - f1), wrap(f4 - f3), wrap(f2 - f5), wrap(f0 - f7)};
}

template <std::size_t n>
Block<n> transposed(const Block<n>& block) {
  Block<n> result;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      result[j][i] = block[i][j];
    }
  }
  return result;
}

template <std::size_t n>
Block<n> transform_rows(const Block<n>& block) {
  Block<n> result;
  std::transform(block.begin(), block.end(), result.begin(),
                 [](const Vector<n>& row) { return transform(row); });
  return result;
}

template <std::size_t n>
Block<n> block_residual(const Block<n>& coefficients) {
  const Block<n> rows_done = transform_rows(coefficients);
  const Block<n> both_done = transposed(transform_rows(transposed(rows_done)));
  Block<n> residual;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      residual[i][j] = wrap(both_done[i][j] + 32) >> 6;
    }
  }
  return residual;
}

template <std::size_t n>
void macroblock_residual(TransformSize size, std::span<const std::int16_t, 256> coefficients,
                         std::span<std::int16_t, 256> residual) {
  const int width = static_cast<int>(n);
  for (int by = 0; by < 16 / width; ++by) {
    for (int bx = 0; bx < 16 / width; ++bx) {
      Block<n> block;
      for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) {
          block[i][j] = coefficients[coefficient_index(size, bx, by, i, j)];
        }
      }
      block = block_residual(block);
      for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) {
          residual[16 * (width * by + i) + width * bx + j] = static_cast<std::int16_t>(block[i][j]);
        }
      }
    }
  }
}

}  // namespace

void reference_residual(TransformSize size, std::span<const std::int16_t, 256> coefficients,
                        std::span<std::int16_t, 256> residual) {
  if (size == TransformSize::k4x4) {
    macroblock_residual<4>(size, coefficients, residual);
  } else {
    macroblock_residual<8>(size, coefficients, residual);
  }
}

void reference_reconstruction(std::span<const std::int16_t, 256> residual, ConstPlane prediction,
                              Plane output, std::size_t index) {
  const std::ptrdiff_t top = 16 * static_cast<std::ptrdiff_t>(index / (output.width / 16));
  const std::ptrdiff_t left = 16 * static_cast<std::ptrdiff_t>(index % (output.width / 16));
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      const int predicted = prediction.data[(top + y) * prediction.stride + left + x];
      output.data[(top + y) * output.stride + left + x] =
          static_cast<std::uint8_t>(std::clamp(predicted + residual[16 * y + x], 0, 255));
    }
  }
}

}  // namespace millrace::idct
