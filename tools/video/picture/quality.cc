// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/video/picture/quality.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace millrace::tools {
namespace {

// Samples are taken in groups of this many, so that the compiler makes vectors of them. It is a
// multiple of every block size: the phase of a sample in its block is its index in the group.
constexpr int kGroup = 16;

// Sums by index in the group.
using Sums = std::array<std::uint32_t, kGroup>;

struct Steps {
  std::int64_t sum = 0;
  std::int64_t count = 0;

  double mean() const { return count == 0 ? 0.0 : static_cast<double>(sum) / count; }
};

std::int64_t squared_difference(const std::uint8_t* a, const std::uint8_t* b, int count) {
  std::int64_t sum = 0;
  int x = 0;
  for (; x + kGroup <= count; x += kGroup) {
    std::int32_t group = 0;
    for (int i = 0; i < kGroup; ++i) {
      const int difference = a[x + i] - b[x + i];
      group += difference * difference;
    }
    sum += group;
  }
  for (; x < count; ++x) sum += (a[x] - b[x]) * (a[x] - b[x]);
  return sum;
}

// Adds |a[x] - b[x]| to the sum of x's index in its group. One row of at most 2^24 samples fits.
void add_steps(const std::uint8_t* a, const std::uint8_t* b, int count, Sums& sums) {
  int x = 0;
  for (; x + kGroup <= count; x += kGroup) {
    for (int i = 0; i < kGroup; ++i) sums[i] += std::abs(a[x + i] - b[x + i]);
  }
  for (; x < count; ++x) sums[x % kGroup] += std::abs(a[x] - b[x]);
}

// Steps from each sample of a row to its right neighbour.
void add_row_steps(const std::uint8_t* row, int width, int block, Steps& edge, Steps& inside) {
  const int count = width - 1;
  Sums sums = {};
  add_steps(row, row + 1, count, sums);
  for (int i = 0; i < kGroup; ++i) (i % block == block - 1 ? edge : inside).sum += sums[i];
  edge.count += count / block;
  inside.count += count - count / block;
}

// Steps from each sample of a row to the one below it.
void add_column_steps(const std::uint8_t* row, const std::uint8_t* below, int width, Steps& steps) {
  Sums sums = {};
  add_steps(row, below, width, sums);
  for (std::uint32_t sum : sums) steps.sum += sum;
  steps.count += width;
}

}  // namespace

double mean_squared_difference(const ConstPicturePlane& a, const ConstPicturePlane& b) {
  if (a.width != b.width || a.height != b.height || a.width < 1 || a.height < 1) {
    reject("planes of " + std::to_string(a.width) + "x" + std::to_string(a.height) + " and " +
           std::to_string(b.width) + "x" + std::to_string(b.height) +
           " samples; both must have the same size and at least one sample");
  }
  std::int64_t sum = 0;
  for (int y = 0; y < a.height; ++y) sum += squared_difference(a.row(y), b.row(y), a.width);
  return static_cast<double>(sum) / (static_cast<double>(a.width) * a.height);
}

double psnr_db(double mean_squared_difference) {
  if (mean_squared_difference == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(255.0 * 255.0 / mean_squared_difference);
}

double block_edge_step_ratio(const ConstPicturePlane& plane, int block) {
  if (block != 4 && block != 8 && block != 16) {
    reject("block is " + std::to_string(block) + "; it must be 4, 8 or 16");
  }
  constexpr double kFloor = 1.0 / 16;
  Steps edge;
  Steps inside;
  for (int y = 0; y < plane.height; ++y) {
    add_row_steps(plane.row(y), plane.width, block, edge, inside);
    if (y + 1 == plane.height) break;
    Steps& steps = y % block == block - 1 ? edge : inside;
    add_column_steps(plane.row(y), plane.row(y + 1), plane.width, steps);
  }
  return (edge.mean() + kFloor) / (inside.mean() + kFloor);
}

}  // namespace millrace::tools
