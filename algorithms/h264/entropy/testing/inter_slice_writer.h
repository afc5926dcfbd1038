// SPDX-License-Identifier: Apache-2.0

// Writes slices of inter macroblocks without residual, for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_INTER_SLICE_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_INTER_SLICE_WRITER_H_

#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>
#include <millrace/algorithms/h264/entropy/testing/inter_macroblock.h>
#include <millrace/algorithms/h264/entropy/testing/write_cabac.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

namespace millrace::h264 {

// Writes the macroblocks of a picture of one slice, `width` of them in a row.
class InterSliceWriter {
 public:
  // Nothing is copied.
  InterSliceWriter(SliceType type, int width, std::span<const InterMacroblock> macroblocks)
      : is_b_(type == SliceType::kB), width_(width), macroblocks_(macroblocks) {}

  // Writes slice_data() of CAVLC, up to the trailing bits.
  void write_cavlc(BitWriter& writer) const {
    for (const InterMacroblock& macroblock : macroblocks_) {
      writer.ue(0);  // mb_skip_run
      writer.ue(static_cast<std::uint32_t>(type_of(macroblock)));
      for (int block = 0; block < 4 && macroblock.division == Division::kQuarters; ++block) {
        writer.ue(static_cast<std::uint32_t>(sub_type_of(macroblock, block)));
      }
      for (int list = 0; list < 2; ++list) {
        macroblock.for_each_partition(list, [&](MotionBlock part) {
          const MotionVector difference = macroblock.differences[list][4 * part.y + part.x];
          writer.se(difference.x);
          writer.se(difference.y);
        });
      }
      writer.ue(0);  // coded_block_pattern 0
    }
  }

  // Writes slice_data() of CABAC, to its end.
  void write_cabac(BitWriter& writer, int cabac_table, int qp) const {
    CabacEncoder encoder(writer, is_b_ ? SliceType::kB : SliceType::kP, cabac_table, qp);
    for (std::size_t address = 0; address < macroblocks_.size(); ++address) {
      const InterMacroblock& macroblock = macroblocks_[address];
      const bool has_left = address % static_cast<std::size_t>(width_) != 0;
      const bool has_above = address >= static_cast<std::size_t>(width_);
      // No neighbour is skipped or direct.
      const int neighbours = (has_left ? 1 : 0) + (has_above ? 1 : 0);
      encoder.bin((is_b_ ? 24 : 11) + neighbours, false);  // mb_skip_flag
      if (is_b_) {
        write_type_in_b(encoder, neighbours, type_of(macroblock));
      } else {
        write_type_in_p(encoder, type_of(macroblock));
      }
      for (int block = 0; block < 4 && macroblock.division == Division::kQuarters; ++block) {
        write_sub_type(encoder, sub_type_of(macroblock, block));
      }
      for (int list = 0; list < 2; ++list) {
        macroblock.for_each_partition(
            list, [&](MotionBlock part) { write_differences(encoder, address, list, part); });
      }
      for (int block = 0; block < 4; ++block) {  // Patterns of neighbours are 0, too.
        const int left = has_left || block % 2 != 0 ? 1 : 0;
        const int above = has_above || block / 2 != 0 ? 2 : 0;
        encoder.bin(73 + left + above, false);
      }
      encoder.bin(77, false);
      encoder.terminate(address + 1 == macroblocks_.size());
    }
  }

 private:
  // Returns mb_type (Tables 7-13 and 7-14).
  int type_of(const InterMacroblock& macroblock) const {
    if (!is_b_) return static_cast<int>(macroblock.division);
    const int* const lists = macroblock.lists;
    if (macroblock.division == Division::kWhole) return lists[0];
    if (macroblock.division == Division::kQuarters) return 22;
    constexpr int kRowsOf[4][4] = {{}, {0, 4, 8, 12}, {0, 10, 6, 14}, {0, 16, 18, 20}};
    return macroblock.division == Division::kRows ? kRowsOf[lists[0]][lists[2]]
                                                  : kRowsOf[lists[0]][lists[1]] + 1;
  }

  // Returns sub_mb_type (Tables 7-17 and 7-18).
  int sub_type_of(const InterMacroblock& macroblock, int block) const {
    const int division = static_cast<int>(macroblock.sub_divisions[block]);
    if (!is_b_) return division;
    constexpr int kSubTypes[4][4] = {{}, {1, 4, 5, 10}, {2, 6, 7, 11}, {3, 8, 9, 12}};
    return kSubTypes[macroblock.lists[block]][division];
  }

  static void write_type_in_p(CabacEncoder& encoder, int type) {
    constexpr std::string_view kStrings[4] = {"000", "011", "010", "001"};
    encoder.bins({14, 15, type == 1 || type == 2 ? 17 : 16}, kStrings[type]);
  }

  // Table 9-37 (b). The second bin has ctxIdx 27 + 3, the third 27 + 5 - b1, all others 27 + 5.
  static void write_type_in_b(CabacEncoder& encoder, int increment, int type) {
    constexpr std::string_view kStrings[23] = {
        "0",       "100",     "101",     "110000",  "110001",  "110010",  "110011",  "110100",
        "110101",  "110110",  "110111",  "111110",  "1110000", "1110001", "1110010", "1110011",
        "1110100", "1110101", "1110110", "1110111", "1111000", "1111001", "111111"};
    const std::string_view string = kStrings[type];
    encoder.bins({27 + increment, 30, string[1] == '0' ? 32 : 31, 32}, string);
  }

  // Tables 9-37 and 9-38. In B the third bin has ctxIdx 36 + 3 - b1, the others 36, 37 and 39.
  void write_sub_type(CabacEncoder& encoder, int type) const {
    if (!is_b_) {
      constexpr std::string_view kStrings[4] = {"1", "00", "011", "010"};
      encoder.bins({21, 22, 23}, kStrings[type]);
      return;
    }
    constexpr std::string_view kStrings[13] = {"0",      "100",   "101",    "11000",  "11001",
                                               "11010",  "11011", "111000", "111001", "111010",
                                               "111011", "11110", "11111"};
    const std::string_view string = kStrings[type];
    encoder.bins({36, 37, string[1] == '0' ? 39 : 38, 39}, string);
  }

  // Returns the difference of a 4x4 block that lies `x` and `y` blocks from the macroblock's first
  // one, which may be in the macroblock to the left or above; zero outside of the picture.
  MotionVector difference_at(std::size_t address, int list, int x, int y) const {
    const auto width = static_cast<std::size_t>(width_);
    if (x < 0) {
      if (address % width == 0) return {};
      return macroblocks_[address - 1].differences[list][4 * y + 3];
    }
    if (y < 0) {
      if (address < width) return {};
      return macroblocks_[address - width].differences[list][12 + x];
    }
    return macroblocks_[address].differences[list][4 * y + x];
  }

  void write_differences(CabacEncoder& encoder, std::size_t address, int list,
                         MotionBlock part) const {
    const MotionVector left = difference_at(address, list, part.x - 1, part.y);
    const MotionVector above = difference_at(address, list, part.x, part.y - 1);
    const MotionVector own = difference_at(address, list, part.x, part.y);
    write_vector_difference(encoder, 40, std::abs(left.x) + std::abs(above.x), own.x);
    write_vector_difference(encoder, 47, std::abs(left.y) + std::abs(above.y), own.y);
  }

  const bool is_b_;
  const int width_;
  const std::span<const InterMacroblock> macroblocks_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_INTER_SLICE_WRITER_H_
