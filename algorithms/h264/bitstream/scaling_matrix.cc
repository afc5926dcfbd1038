// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/scaling_matrix.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace millrace::h264 {
namespace {

// Table 7-3, in the order of the zig-zag scan.
constexpr std::uint8_t kDefault4x4[2][16] = {
    {6, 13, 13, 20, 20, 20, 28, 28, 28, 28, 32, 32, 32, 37, 37, 42},
    {10, 14, 14, 20, 20, 20, 24, 24, 24, 24, 27, 27, 27, 30, 30, 34},
};

// Table 7-4, in the order of the zig-zag scan.
constexpr std::uint8_t kDefault8x8[2][64] = {
    {6,  10, 10, 13, 11, 13, 16, 16, 16, 16, 18, 18, 18, 18, 18, 23, 23, 23, 23, 23, 23, 25,
     25, 25, 25, 25, 25, 25, 27, 27, 27, 27, 27, 27, 27, 27, 29, 29, 29, 29, 29, 29, 29, 31,
     31, 31, 31, 31, 31, 33, 33, 33, 33, 33, 36, 36, 36, 36, 38, 38, 38, 40, 40, 42},
    {9,  13, 13, 15, 13, 15, 17, 17, 17, 17, 19, 19, 19, 19, 19, 21, 21, 21, 21, 21, 21, 22,
     22, 22, 22, 22, 22, 22, 24, 24, 24, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 27,
     27, 27, 27, 27, 27, 28, 28, 28, 28, 28, 30, 30, 30, 30, 32, 32, 32, 33, 33, 35},
};

// Returns the raster position of each element of the zig-zag scan of a block of `size` by `size`
// (clauses 6.4.8 and 6.4.9, frame macroblocks).
template <int size>
constexpr std::array<std::uint8_t, size * size> zigzag() {
  std::array<std::uint8_t, size* size> positions = {};
  int next = 0;
  for (int diagonal = 0; diagonal < 2 * size - 1; ++diagonal) {
    for (int step = 0; step < size; ++step) {
      // Odd diagonals run from the top right down, even ones from the bottom left up.
      const int row = diagonal % 2 == 1 ? step : size - 1 - step;
      const int column = diagonal - row;
      if (column < 0 || column >= size) continue;
      positions[static_cast<std::size_t>(next++)] = static_cast<std::uint8_t>(size * row + column);
    }
  }
  return positions;
}

std::uint8_t* list_of(ScalingLists& lists, int list) {
  return list < 6 ? lists.lists_4x4[list] : lists.lists_8x8[list - 6];
}
const std::uint8_t* list_of(const ScalingLists& lists, int list) {
  return list < 6 ? lists.lists_4x4[list] : lists.lists_8x8[list - 6];
}
std::size_t length_of(int list) { return list < 6 ? 16 : 64; }

std::uint8_t raster_position(int list, int scanned) {
  static constexpr auto kZigzag4x4 = zigzag<4>();
  static constexpr auto kZigzag8x8 = zigzag<8>();
  return list < 6 ? kZigzag4x4[static_cast<std::size_t>(scanned)]
                  : kZigzag8x8[static_cast<std::size_t>(scanned)];
}

ScalingLists default_scaling_lists() {
  ScalingLists lists;
  for (int list = 0; list < kScalingLists; ++list) {
    const bool is_inter = list < 6 ? list >= 3 : list == 7;
    const std::uint8_t* const scanned = list < 6 ? kDefault4x4[is_inter] : kDefault8x8[is_inter];
    for (int i = 0; i < static_cast<int>(length_of(list)); ++i) {
      list_of(lists, list)[raster_position(list, i)] = scanned[i];
    }
  }
  return lists;
}

// Applies a fall-back rule set of Table 7-2: the first list of each kind (intra Y, inter Y, both
// 8x8 ones) falls back to that of `fallback`, another one to the list before it.
ScalingLists with_fallback(const ScalingMatrix& matrix, const ScalingLists& fallback) {
  const ScalingLists defaults = default_scaling_lists();
  ScalingLists lists;
  for (int list = 0; list < kScalingLists; ++list) {
    const bool is_first = list == 0 || list == 3 || list >= 6;
    const std::uint8_t* source = nullptr;
    switch (matrix.sources[static_cast<std::size_t>(list)]) {
      case ScalingMatrix::Source::kCoded: source = list_of(matrix.coded, list); break;
      case ScalingMatrix::Source::kDefault: source = list_of(defaults, list); break;
      case ScalingMatrix::Source::kFallback:
        source = is_first ? list_of(fallback, list) : list_of(lists, list - 1);
        break;
    }
    std::memcpy(list_of(lists, list), source, length_of(list));
  }
  return lists;
}

}  // namespace

SyntaxCheck parse_scaling_matrix(BitReader& reader, int list_count, ScalingMatrix& matrix) {
  matrix.is_present = true;
  for (int list = 0; list < list_count; ++list) {
    ScalingMatrix::Source& source = matrix.sources[static_cast<std::size_t>(list)];
    if (!reader.flag()) continue;
    source = ScalingMatrix::Source::kCoded;
    int last = 8;
    int next = 8;
    for (int i = 0; i < static_cast<int>(length_of(list)); ++i) {
      if (next != 0) {
        const int delta = reader.se();
        if (delta < -128 || delta > 127) {
          return damaged("delta_scale is " + std::to_string(delta) + "; it must be in -128..127");
        }
        next = (last + delta + 256) % 256;
        if (i == 0 && next == 0) {
          source = ScalingMatrix::Source::kDefault;
          break;
        }
      }
      if (next != 0) last = next;
      list_of(matrix.coded, list)[raster_position(list, i)] = static_cast<std::uint8_t>(last);
    }
  }
  return std::nullopt;
}

ScalingLists flat_scaling_lists() {
  ScalingLists lists;
  std::memset(lists.lists_4x4, 16, sizeof(lists.lists_4x4));
  std::memset(lists.lists_8x8, 16, sizeof(lists.lists_8x8));
  return lists;
}

ScalingLists sequence_scaling_lists(const ScalingMatrix& matrix) {
  return matrix.is_present ? with_fallback(matrix, default_scaling_lists()) : flat_scaling_lists();
}

ScalingLists picture_scaling_lists(const ScalingMatrix& matrix, const ScalingLists& sequence,
                                   bool sequence_has_matrix) {
  if (!matrix.is_present) return sequence;
  return with_fallback(matrix, sequence_has_matrix ? sequence : default_scaling_lists());
}

}  // namespace millrace::h264
