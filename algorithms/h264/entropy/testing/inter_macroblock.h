// SPDX-License-Identifier: Apache-2.0

// Inter macroblocks without residual, given by their vector differences, for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_INTER_MACROBLOCK_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_INTER_MACROBLOCK_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/slice.h>

#include <algorithm>
#include <cstdint>

namespace millrace::h264 {

// The division of a macroblock or an 8x8 block.
enum class Division : std::uint8_t { kWhole, kRows, kColumns, kQuarters };

// A macroblock of a P or a B slice whose lists have one reference each.
struct InterMacroblock {
  Division division = Division::kWhole;
  int lists[4] = {1, 1, 1, 1};  // By 8x8 block: bit 0 is list 0, bit 1 is list 1.
  Division sub_divisions[4] = {};
  // By list, at each 4x4 block of the partition; zero where the partition does not use the list.
  MotionVector differences[2][16] = {};

  // Calls visit(block) for each partition, in coding order, that uses `list`.
  template <class Visit>
  void for_each_partition(int list, const Visit& visit) const {
    const auto visit_pieces = [&](MotionBlock all, Division how, const auto& each) {
      const int width =
          how == Division::kWhole || how == Division::kRows ? all.width : all.width / 2;
      const int height =
          how == Division::kWhole || how == Division::kColumns ? all.height : all.height / 2;
      for (int y = all.y; y < all.y + all.height; y += height) {
        for (int x = all.x; x < all.x + all.width; x += width) each({x, y, width, height});
      }
    };
    visit_pieces({0, 0, 4, 4}, division, [&](MotionBlock part) {
      const int block = part.y / 2 * 2 + part.x / 2;
      if ((lists[block] >> list & 1) == 0) return;
      const bool is_divided = division == Division::kQuarters;
      visit_pieces(part, is_divided ? sub_divisions[block] : Division::kWhole, visit);
    });
  }

  // Sets the differences of all partitions to what draw() returns.
  template <class Draw>
  void draw_differences(const Draw& draw) {
    for (int list = 0; list < 2; ++list) {
      std::fill_n(differences[list], 16, MotionVector{});
      for_each_partition(list, [&](MotionBlock part) {
        const MotionVector difference = draw();
        for (int y = part.y; y < part.y + part.height; ++y) {
          std::fill_n(differences[list] + 4 * y + part.x, part.width, difference);
        }
      });
    }
  }
};

// Returns a macroblock whose partitions are random(bound), 0 to bound - 1, without differences.
template <class Random>
InterMacroblock draw_inter_macroblock(SliceType type, const Random& random) {
  InterMacroblock macroblock;
  macroblock.division = static_cast<Division>(random(4));
  for (Division& sub : macroblock.sub_divisions) sub = static_cast<Division>(random(4));
  if (type != SliceType::kB) return macroblock;
  for (int& lists : macroblock.lists) lists = 1 + random(3);
  int* const lists = macroblock.lists;
  if (macroblock.division == Division::kWhole) std::fill_n(lists, 4, lists[0]);
  if (macroblock.division == Division::kRows) {
    lists[1] = lists[0];
    lists[3] = lists[2];
  }
  if (macroblock.division == Division::kColumns) {
    lists[2] = lists[0];
    lists[3] = lists[1];
  }
  return macroblock;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_INTER_MACROBLOCK_H_
