// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/black_rows.h>

#include <algorithm>
#include <cstddef>

namespace millrace::h264 {
namespace {

bool has_luma(CoefficientView coefficients) {
  return std::any_of(coefficients.begin(), coefficients.end(),
                     [](CodedCoefficient coded) { return coded.index < kFirstOfChroma; });
}

bool is_empty(const ParsedPicture& picture, std::size_t index) {
  const Macroblock& macroblock = picture.macroblocks[index];
  if (!is_intra(macroblock.type) || macroblock.type == MacroblockType::kPcm) return false;
  if (macroblock.coded_block_pattern != 0 || macroblock.coded_blocks != 0) return false;
  // The DC of Intra16x16 is coded whatever the pattern.
  return !has_luma(picture.coefficients.of(index));
}

int count_empty(const ParsedPicture& picture, int row, int width) {
  int count = 0;
  for (int x = 0; x < width; ++x) {
    const auto index = static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                       static_cast<std::size_t>(x);
    if (index > 0 && is_empty(picture, index)) ++count;
  }
  return count;
}

}  // namespace

int count_black_rows(const ParsedPicture& picture) {
  if (!picture.sequence) return 0;
  const int width = picture.sequence->width_in_macroblocks;
  const int height = picture.sequence->height_in_macroblocks;
  if (width <= 0 || height <= 0 ||
      picture.macroblocks.size() <
          static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
    return 0;
  }
  int rows = 0;
  while (2 * rows < height) {
    const int empty =
        count_empty(picture, rows, width) + count_empty(picture, height - 1 - rows, width);
    if (5 * empty < 4 * 2 * width) break;
    ++rows;
  }
  return 2 * rows >= height ? 0 : rows;
}

}  // namespace millrace::h264
