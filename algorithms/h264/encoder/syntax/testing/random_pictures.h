// SPDX-License-Identifier: Apache-2.0

// Draws pictures of legal decisions and levels, for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_RANDOM_PICTURES_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_RANDOM_PICTURES_H_

#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_syntax.h>
#include <millrace/algorithms/h264/encoder/syntax/slice_neighbours.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/legal_levels.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/random_levels.h>
#include <millrace/algorithms/h264/entropy/chroma_qp.h>
#include <millrace/algorithms/h264/entropy/vector_prediction.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/slice.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace millrace::h264 {

struct RandomPicture {
  std::vector<SliceHeader> slices;
  std::vector<int> counts;  // Macroblocks by slice.
  std::vector<Macroblock> macroblocks;
  std::vector<MacroblockLevels> levels;
};

class RandomPictures {
 public:
  // Residuals of pictures that are `decodable` are in range, and their slices say how they are
  // predicted and deblocked. Both parameter sets must outlive this.
  RandomPictures(unsigned seed, const SequenceParameters& sequence,
                 const PictureParameters& parameters, bool decodable = false)
      : random_(seed),
        // The largest levels without an escape beyond level_prefix 15, and of 16 bits.
        levels_(random_, parameters.is_cabac ? 32767 : 2063),
        sequence_(sequence),
        parameters_(parameters),
        is_decodable_(decodable) {}

  // Draws the picture after `references` others; one after none is an IDR picture.
  RandomPicture draw(int references) {
    frame_number_ = references;
    references = std::min(references, sequence_.max_reference_frames);
    RandomPicture picture;
    const int count = sequence_.macroblock_count();
    picture.macroblocks.resize(static_cast<std::size_t>(count));
    picture.levels.resize(static_cast<std::size_t>(count));
    const int cuts = below(3) * below(6);  // Number of cuts in ten macroblocks.
    for (int address = 0; address < count; ++address) {
      if (address == 0 || below(10) < cuts) {
        picture.slices.push_back(draw_header(references, address));
        picture.counts.push_back(0);
        qp_ = picture.slices.back().qp;
      }
      ++picture.counts.back();
      draw_macroblock(picture, address);
    }
    return picture;
  }

 private:
  int below(int bound) { return levels_.below(bound); }
  bool chance(int one_in) { return levels_.chance(one_in); }

  SliceHeader draw_header(int references, int address) {
    SliceHeader header;
    header.nal_reference = 1;
    header.nal_unit_type = references == 0 ? 5 : 1;
    header.first_macroblock = address;
    header.type = references == 0 || chance(6) ? SliceType::kI : SliceType::kP;
    header.frame_number = frame_number_;
    header.qp = below(52);
    header.cabac_table = header.type == SliceType::kI ? 0 : below(3);
    if (header.type == SliceType::kP) header.reference_counts[0] = 1 + below(references);
    if (is_decodable_) draw_decoding(references, header);
    return header;
  }

  // Draws the order of references, their weights, and deblocking.
  void draw_decoding(int references, SliceHeader& header) {
    header.deblocking = below(3);
    if (header.deblocking != 1) {
      header.alpha_offset = 2 * (below(13) - 6);
      header.beta_offset = 2 * (below(13) - 6);
    }
    if (header.type != SliceType::kP) return;
    if (chance(2)) draw_operations(references, header);
    if (!parameters_.has_weighted_prediction) return;
    header.luma_weight_shift = below(8);
    header.chroma_weight_shift = below(8);
    for (int i = 0; i < header.reference_counts[0]; ++i) {
      PredictionWeight& weight = header.weights[0][i];
      for (int component = 0; component < 3; ++component) {
        const int shift = component == 0 ? header.luma_weight_shift : header.chroma_weight_shift;
        weight.weight[component] = static_cast<std::int16_t>(
            chance(3) ? below(256) - 128
                      : std::min(127, (1 << shift) + below(1 + (1 << shift) / 4)));
        weight.offset[component] = static_cast<std::int16_t>(below(256) - 128);
      }
    }
  }

  // Puts pictures to the front of list 0. frame_num of all pictures since the IDR picture differ.
  void draw_operations(int references, SliceHeader& header) {
    const int count = 1 + below(header.reference_counts[0]);
    for (int i = 0, predicted = header.frame_number; i < count; ++i) {
      const int number = header.frame_number - 1 - below(references);
      if (number == predicted) continue;
      const bool is_added = number > predicted;
      const int distance = is_added ? number - predicted : predicted - number;
      header.list_operations[0].push_back(
          {is_added ? 1 : 0, static_cast<std::uint32_t>(distance - 1), 0});
      predicted = number;
    }
  }

  void draw_macroblock(RandomPicture& picture, int address) {
    const SliceHeader& header = picture.slices.back();
    Macroblock& macroblock = picture.macroblocks[static_cast<std::size_t>(address)];
    macroblock.slice = static_cast<std::uint16_t>(picture.slices.size() - 1);
    around_ = neighbours_of(picture.macroblocks.data(), sequence_.width_in_macroblocks, address);
    if (header.type == SliceType::kP && !chance(4)) {
      draw_inter(header, macroblock);
    } else {
      draw_intra(macroblock);
    }
    const bool has_qp =
        macroblock.type == MacroblockType::kIntra16x16 ||
        (macroblock.coded_block_pattern != 0 && macroblock.type != MacroblockType::kPcm);
    if (has_qp && chance(2)) qp_ = below(52);
    macroblock.qp = static_cast<std::uint8_t>(qp_);
    for (int component = 0; component < 2; ++component) {
      macroblock.chroma_qp[component] =
          static_cast<std::uint8_t>(chroma_qp(qp_, parameters_.chroma_qp_offsets[component]));
    }
    MacroblockLevels& levels = picture.levels[static_cast<std::size_t>(address)];
    levels_.draw(macroblock, levels);
    if (is_decodable_) LegalLevels(levels_).apply(macroblock, levels);
  }

  void draw_pattern(Macroblock& macroblock) {
    macroblock.coded_block_pattern =
        static_cast<std::uint8_t>(chance(4) ? 0 : below(16) | below(3) << 4);
  }

  void draw_inter(const SliceHeader& header, Macroblock& macroblock) {
    if (chance(3)) {
      macroblock.type = MacroblockType::kSkip;
      set_partition(macroblock, {0, 0, 4, 4}, 0, skip_vector(around_));
      return;
    }
    constexpr MacroblockType kTypes[] = {MacroblockType::kInter16x16, MacroblockType::kInter16x8,
                                         MacroblockType::kInter8x16, MacroblockType::kInter8x8};
    macroblock.type = kTypes[below(4)];
    const int width = macroblock.type >= MacroblockType::kInter8x16 ? 2 : 4;
    const int height = macroblock.type == MacroblockType::kInter16x8 ||
                               macroblock.type == MacroblockType::kInter8x8
                           ? 2
                           : 4;
    const bool has_zeros = chance(2);
    for (int y = 0; y < 4; y += height) {
      for (int x = 0; x < 4; x += width) {
        const int reference = has_zeros ? 0 : below(header.reference_counts[0]);
        set_partition(macroblock, {x, y, width, height}, reference, draw_vector());
      }
    }
    for (int quarter = 0; macroblock.type == MacroblockType::kInter8x8 && quarter < 4; ++quarter) {
      const SubPartition sub = chance(2) ? SubPartition::k8x8 : static_cast<SubPartition>(below(4));
      macroblock.sub_partitions[quarter] = sub;
      const int sub_width = sub == SubPartition::k8x8 || sub == SubPartition::k8x4 ? 2 : 1;
      const int sub_height = sub == SubPartition::k8x8 || sub == SubPartition::k4x8 ? 2 : 1;
      for (int y = quarter & 2; y < (quarter & 2) + 2; y += sub_height) {
        for (int x = 2 * (quarter & 1); x < 2 * (quarter & 1) + 2; x += sub_width) {
          fill_vectors(macroblock.vectors[0] + 4 * y + x, sub_width, sub_height, draw_vector());
        }
      }
    }
    draw_pattern(macroblock);
    macroblock.has_8x8_transform = parameters_.has_8x8_transform &&
                                   (macroblock.coded_block_pattern & 15) != 0 &&
                                   has_partitions_of_8x8(macroblock) && chance(2);
  }

  static void set_partition(Macroblock& macroblock, MotionBlock block, int reference,
                            MotionVector vector) {
    const auto [x, y, width, height] = block;
    fill_vectors(macroblock.vectors[0] + 4 * y + x, width, height, vector);
    for (int row = y / 2; row < (y + height) / 2; ++row) {
      for (int column = x / 2; column < (x + width) / 2; ++column) {
        macroblock.references[0][2 * row + column] = static_cast<std::int8_t>(reference);
      }
    }
  }

  // Vectors are often equal, so that they are predicted, and as long as the level has them.
  MotionVector draw_vector() {
    if (chance(3)) return last_vector_;
    const bool is_long = chance(3);
    const int x_range = is_long ? 8192 : 1 << below(7);
    const int y_range = is_long ? 4 * vertical_range() : x_range;
    last_vector_ = {static_cast<std::int16_t>(below(2 * x_range) - x_range),
                    static_cast<std::int16_t>(below(2 * y_range) - y_range)};
    return last_vector_;
  }

  // Returns the range in luma samples (Table A-1).
  int vertical_range() const { return sequence_.level >= 31 ? 512 : 256; }

  void draw_intra(Macroblock& macroblock) {
    if (chance(12)) {
      macroblock.type = MacroblockType::kPcm;
      macroblock.coded_block_pattern = 0x2f;
      return;
    }
    const bool has_left = is_usable(around_.left);
    const bool has_above = is_usable(around_.above);
    const bool has_all = has_left && has_above && is_usable(around_.above_left);
    do {  // Table 8-5.
      macroblock.intra_chroma_mode = static_cast<std::uint8_t>(below(4));
    } while ((macroblock.intra_chroma_mode == 1 && !has_left) ||
             (macroblock.intra_chroma_mode == 2 && !has_above) ||
             (macroblock.intra_chroma_mode == 3 && !has_all));
    if (chance(3)) {
      macroblock.type = MacroblockType::kIntra16x16;
      macroblock.coded_block_pattern =
          static_cast<std::uint8_t>((chance(2) ? 15 : 0) | below(3) << 4);
      std::uint8_t& mode = macroblock.intra_modes[0];
      do {  // Table 8-4.
        mode = static_cast<std::uint8_t>(below(4));
      } while ((mode == 0 && !has_above) || (mode == 1 && !has_left) || (mode == 3 && !has_all));
      return;
    }
    macroblock.has_8x8_transform = parameters_.has_8x8_transform && chance(2);
    macroblock.type =
        macroblock.has_8x8_transform ? MacroblockType::kIntra8x8 : MacroblockType::kIntra4x4;
    draw_pattern(macroblock);
    const int size = macroblock.has_8x8_transform ? 2 : 1;
    for (int y = 0; y < 4; y += size) {
      for (int x = 0; x < 4; x += size) draw_mode(macroblock, x, y, size);
    }
  }

  void draw_mode(Macroblock& macroblock, int x, int y, int size) {
    const bool has_left = x > 0 || is_usable(around_.left);
    const bool has_above = y > 0 || is_usable(around_.above);
    const Macroblock* const corner = x > 0   ? y > 0 ? around_.current : around_.above
                                     : y > 0 ? around_.left
                                             : around_.above_left;
    const bool has_all = has_left && has_above && (corner == &macroblock || is_usable(corner));
    int mode;
    do {  // Tables 8-2 and 8-3.
      mode = below(9);
    } while (((mode == 0 || mode == 3 || mode == 7) && !has_above) ||
             ((mode == 1 || mode == 8) && !has_left) || (mode >= 4 && mode <= 6 && !has_all));
    for (int row = y; row < y + size; ++row) {
      for (int column = x; column < x + size; ++column) {
        macroblock.intra_modes[4 * row + column] = static_cast<std::uint8_t>(mode);
      }
    }
  }

  bool is_usable(const Macroblock* macroblock) const {
    return macroblock != nullptr &&
           (is_intra(macroblock->type) || !parameters_.has_constrained_intra_prediction);
  }

  std::mt19937 random_;
  RandomLevels levels_;
  const SequenceParameters& sequence_;
  const PictureParameters& parameters_;
  const bool is_decodable_;
  int frame_number_ = 0;
  int qp_ = 26;
  MotionVector last_vector_ = {};
  Neighbours around_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_RANDOM_PICTURES_H_
