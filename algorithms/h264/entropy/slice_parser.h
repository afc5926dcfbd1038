// SPDX-License-Identifier: Apache-2.0

// Parses slice_data() and its macroblocks (ITU-T H.264 clauses 7.3.4 and 7.3.5), with what they
// infer.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_PARSER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_PARSER_H_

#include <millrace/algorithms/h264/entropy/chroma_qp.h>
#include <millrace/algorithms/h264/entropy/common/clear_bytes.h>
#include <millrace/algorithms/h264/entropy/common/prefetch.h>
#include <millrace/algorithms/h264/entropy/context_increments.h>
#include <millrace/algorithms/h264/entropy/direct_prediction.h>
#include <millrace/algorithms/h264/entropy/inter_parser.h>
#include <millrace/algorithms/h264/entropy/intra_mode_grid.h>
#include <millrace/algorithms/h264/entropy/macroblock_types.h>
#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/entropy/residual_parser.h>
#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/algorithms/h264/entropy/vector_prediction.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Parses the macroblocks of one slice. `Reader` is CavlcReader or CabacReader.
template <class Reader>
class SliceParser {
 public:
  // `end` is the last bit of the payload that is 1: rbsp_stop_one_bit. All arguments must outlive
  // the parser.
  MILLRACE_FUNCTION SliceParser(const SliceParameters& slice, Reader& reader, std::size_t first_bit,
                                std::size_t end)
      : slice_(slice),
        reader_(reader),
        first_bit_(first_bit),
        end_(end),
        address_(slice.first_macroblock),
        qp_(slice.qp),
        coefficients_(slice.coefficient_ranges != nullptr ? slice.coefficients : nullptr) {
    set_chroma_qp();
  }

  MILLRACE_FUNCTION SliceEnd parse() {
    // The stop bit is the last one that a CABAC engine reads; it is no macroblock's.
    start_ = first_bit_ + (kIsCabac ? 1 : 0);
    if constexpr (Reader::kIsCabac) {
      parse_cabac();
    } else {
      parse_cavlc();
    }
    return {address_ - slice_.first_macroblock, reader_.damage(),
            reader_.position() - (kIsCabac ? 1 : 0),
            coefficients_ == nullptr
                ? 0
                : static_cast<std::size_t>(coefficients_ - slice_.coefficients)};
  }

 private:
  static constexpr bool kIsCabac = Reader::kIsCabac;
  // Distance of the colocated macroblock that is fetched from memory before it is read.
  static constexpr int kPrefetched = 8;

  // Parses slice_data() (clause 7.3.4) with mb_skip_run.
  MILLRACE_FUNCTION void parse_cavlc() {
    do {
      if (slice_.type != SliceType::kI) {
        const std::uint32_t run = reader_.unsigned_code();
        if (run > static_cast<std::uint32_t>(macroblock_count() - address_)) {
          reader_.note_damage("mb_skip_run past the last macroblock of the picture");
        }
        if (reader_.damage() != nullptr) {
          return;
        }
        for (std::uint32_t k = 0; k < run; ++k) {
          if (!begin_macroblock()) {
            return;
          }
          skip_macroblock();
          end_macroblock();
        }
        if (run > 0 && reader_.position() >= end_) {
          break;
        }
      }
      if (!begin_macroblock()) {
        return;
      }
      parse_macroblock();
      if (reader_.position() > end_) {
        reader_.note_damage("macroblock past the end of the slice");
      }
      if (reader_.damage() != nullptr) {
        drop_macroblock();
        return;
      }
      end_macroblock();
    } while (reader_.position() < end_);
    if (reader_.position() > end_) {
      reader_.note_damage("mb_skip_run past the end of the slice");
    }
  }

  // Parses slice_data() (clause 7.3.4) with mb_skip_flag.
  MILLRACE_FUNCTION void parse_cabac() {
    if (reader_.damage() != nullptr) {
      return;
    }
    for (;;) {
      if (!begin_macroblock()) {
        return;
      }
      if (slice_.type != SliceType::kI && reader_.skip_flag(slice_.type, skip_increment(around_))) {
        skip_macroblock();
      } else {
        parse_macroblock();
      }
      const bool is_last = reader_.end_of_slice();
      // The last bit that the engine has read is the stop bit, or lies before it.
      if (reader_.position() > end_ + 1) {
        reader_.note_damage("macroblock past the end of the slice");
      }
      if (reader_.damage() != nullptr) {
        drop_macroblock();
        return;
      }
      // x264 sets the last alignment bit after the stop bit in some slices.
      if (is_last && ((reader_.position() - 1) / 8 != end_ / 8 || !reader_.is_at_stop_bit())) {
        reader_.note_damage("end_of_slice_flag before the end of the slice");
      }
      end_macroblock();
      if (is_last) {
        return;
      }
    }
  }

  MILLRACE_FUNCTION int macroblock_count() const { return slice_.width * slice_.height; }

  // Always true if most_coefficients() is right. The check keeps memory safe if it is not.
  MILLRACE_FUNCTION bool has_capacity() const {
    return coefficients_ == nullptr ||
           slice_.coefficient_capacity -
                   static_cast<std::size_t>(coefficients_ - slice_.coefficients) >=
               kMacroblockCoefficients;
  }

  // Sets the current macroblock and its neighbours.
  MILLRACE_NOINLINE_FUNCTION bool begin_macroblock() {
    if (address_ >= macroblock_count()) {
      reader_.note_damage("more macroblocks than the picture has");
      return false;
    }
    Macroblock* const macroblock = slice_.macroblocks + address_;
    if (macroblock->type != MacroblockType::kLost) {
      reader_.note_damage("macroblock that another slice has already");
      return false;
    }
    if (!has_capacity()) {
      reader_.note_damage("more coefficients than the slice has memory for");
      return false;
    }
    if (address_ == slice_.first_macroblock) {
      x_ = address_ % slice_.width;
    }
    if (!slice_.are_macroblocks_clear) {
      clear(*macroblock);
    }
    end_of_coefficients_ = coefficients_;
    macroblock->slice = slice_.slice;
    macroblock_ = macroblock;
    const int since_first = address_ - slice_.first_macroblock;
    const bool has_left = x_ > 0 && since_first > 0;
    const bool has_above = since_first >= slice_.width;
    const bool has_above_right = x_ + 1 < slice_.width && since_first >= slice_.width - 1;
    const bool has_above_left = x_ > 0 && since_first > slice_.width;
    around_.current = macroblock;
    around_.left = has_left ? macroblock - 1 : nullptr;
    around_.above = has_above ? macroblock - slice_.width : nullptr;
    around_.above_right = has_above_right ? macroblock - slice_.width + 1 : nullptr;
    around_.above_left = has_above_left ? macroblock - slice_.width - 1 : nullptr;
    if (slice_.colocated != nullptr && address_ + kPrefetched < macroblock_count()) {
      prefetch(slice_.colocated + address_ + kPrefetched);
    }
    return true;
  }

  MILLRACE_NOINLINE_FUNCTION void end_macroblock() {
    const std::size_t position = reader_.position();
    std::uint32_t others = 0;
    for (int k = 1; k < kSyntaxClasses; ++k) {
      others += macroblock_->bits[k];
    }
    macroblock_->bits[static_cast<int>(SyntaxClass::kTypes)] =
        static_cast<std::uint32_t>(position - start_) - others;
    start_ = position;
    if (coefficients_ != nullptr) {
      slice_.coefficient_ranges[address_] = {
          slice_.first_coefficient +
              static_cast<std::uint32_t>(coefficients_ - slice_.coefficients),
          static_cast<std::uint16_t>(end_of_coefficients_ - coefficients_)};
      coefficients_ = end_of_coefficients_;
    }
    ++address_;
    ++x_;
    if (x_ == slice_.width) {
      x_ = 0;
    }
  }

  MILLRACE_FUNCTION void drop_macroblock() {
    clear(*macroblock_);
    if (coefficients_ != nullptr) {
      slice_.coefficient_ranges[address_] = {};
    }
  }

  MILLRACE_FUNCTION void set_qp_of_macroblock() {
    macroblock_->qp = static_cast<std::uint8_t>(qp_);
    macroblock_->chroma_qp[0] = chroma_qp_[0];
    macroblock_->chroma_qp[1] = chroma_qp_[1];
  }

  MILLRACE_FUNCTION void set_chroma_qp() {
    for (int component = 0; component < 2; ++component) {
      chroma_qp_[component] =
          static_cast<std::uint8_t>(chroma_qp(qp_, slice_.chroma_qp_offsets[component]));
    }
  }

  MILLRACE_FUNCTION CodedEdge& edge_above() { return slice_.edges_above[x_]; }

  MILLRACE_FUNCTION void set_edges(const CodedEdge& edge) {
    edge_above() = edge;
    edge_left_ = edge;
  }

  MILLRACE_NOINLINE_FUNCTION void skip_macroblock() {
    Macroblock& macroblock = *macroblock_;
    macroblock.type = MacroblockType::kSkip;
    set_qp_of_macroblock();
    set_edges(CodedEdge{});
    is_after_qp_change_ = false;
    if (slice_.type == SliceType::kP) {
      const MotionVector vector = skip_vector(around_);
      for (int quarter = 0; quarter < 4; ++quarter) {
        macroblock.references[0][quarter] = 0;
      }
      if (vector != MotionVector{}) {
        for (int block = 0; block < 16; ++block) {
          macroblock.vectors[0][block] = vector;
        }
      }
    } else {
      predict_direct(slice_, around_, address_, 15, macroblock);
    }
  }

  MILLRACE_FUNCTION InterParser<Reader> inter_parser() {
    return {slice_, reader_, around_, address_, *macroblock_};
  }

  // Parses macroblock_layer() (clause 7.3.5).
  MILLRACE_FUNCTION void parse_macroblock() {
    if (slice_.type == SliceType::kI) {
      parse_intra(read_intra_type());
    } else if (slice_.type == SliceType::kP) {
      const int number = read_type_of_p();
      if (number < kInterTypesOfP) {
        finish_inter(inter_parser().parse_of_p(number));
      } else {
        parse_intra(number - kInterTypesOfP);
      }
    } else {
      const int number = read_type_of_b();
      if (number < kInterTypesOfB) {
        finish_inter(inter_parser().parse_of_b(number));
      } else {
        parse_intra(number - kInterTypesOfB);
      }
    }
  }

  MILLRACE_FUNCTION int read_intra_type() {
    if constexpr (kIsCabac) {
      return reader_.intra_type(intra_type_increment(around_.left) +
                                intra_type_increment(around_.above));
    } else {
      const std::uint32_t number = reader_.unsigned_code();
      if (number >= kIntraTypes) {
        reader_.note_damage("mb_type above 25 in an I slice; types end at 25");
        return 0;
      }
      return static_cast<int>(number);
    }
  }
  MILLRACE_FUNCTION int read_type_of_p() {
    if constexpr (kIsCabac) {
      return reader_.type_in_p();
    } else {
      const std::uint32_t number = reader_.unsigned_code();
      if (number >= kInterTypesOfP + kIntraTypes) {
        reader_.note_damage("mb_type above 30 in a P slice; types end at 30");
        return 0;
      }
      return static_cast<int>(number);
    }
  }
  MILLRACE_FUNCTION int read_type_of_b() {
    if constexpr (kIsCabac) {
      return reader_.type_in_b(type_of_b_increment(around_.left) +
                               type_of_b_increment(around_.above));
    } else {
      const std::uint32_t number = reader_.unsigned_code();
      if (number >= kInterTypesOfB + kIntraTypes) {
        reader_.note_damage("mb_type above 48 in a B slice; types end at 48");
        return 0;
      }
      return static_cast<int>(number);
    }
  }

  MILLRACE_FUNCTION static int type_of_b_increment(const Macroblock* neighbour) {
    return neighbour != nullptr && neighbour->type != MacroblockType::kDirect &&
                   neighbour->type != MacroblockType::kSkip
               ? 1
               : 0;
  }

  // `number` is mb_type of I slices.
  MILLRACE_FUNCTION void parse_intra(int number) {
    Macroblock& macroblock = *macroblock_;
    if (number == kIntraTypes - 1) {
      parse_pcm();
      return;
    }
    if (number == 0) {
      macroblock.type = MacroblockType::kIntra4x4;
      if (slice_.has_8x8_transform && read_transform_flag()) {
        macroblock.type = MacroblockType::kIntra8x8;
        macroblock.has_8x8_transform = true;
      }
      parse_intra_modes();
    } else {
      macroblock.type = MacroblockType::kIntra16x16;
      macroblock.intra_modes[0] = static_cast<std::uint8_t>((number - 1) % 4);
      macroblock.coded_block_pattern =
          static_cast<std::uint8_t>((number - 1) / 4 % 3 << 4 | (number > 12 ? 15 : 0));
    }
    macroblock.intra_chroma_mode = static_cast<std::uint8_t>(read_chroma_mode());
    if (number == 0) {
      read_coded_block_pattern(false);
    }
    parse_residual();
  }

  MILLRACE_FUNCTION void parse_pcm() {
    Macroblock& macroblock = *macroblock_;
    macroblock.type = MacroblockType::kPcm;
    macroblock.coded_block_pattern = 0x2f;
    macroblock.coded_blocks = 0xffffff;
    macroblock.bits[static_cast<int>(SyntaxClass::kLuma)] = 8 * 256;
    macroblock.bits[static_cast<int>(SyntaxClass::kChroma)] = 8 * 128;
    set_qp_of_macroblock();
    is_after_qp_change_ = false;
    set_edges({{16, 16, 16, 16}, {{16, 16}, {16, 16}}, 7});
    const std::uint8_t* bytes = reader_.pcm_bytes(kMacroblockCoefficients);
    if (bytes == nullptr) {
      return;
    }
    if (end_of_coefficients_ != nullptr) {
      for (int k = 0; k < kMacroblockCoefficients; ++k) {
        end_of_coefficients_ = append_coefficient(end_of_coefficients_, k, bytes[k]);
      }
    }
    reader_.resume_after_pcm();
  }

  // Parses the modes of Intra4x4 or Intra8x8 blocks (clauses 8.3.1.1 and 8.3.2.1).
  MILLRACE_NOINLINE_FUNCTION void parse_intra_modes() {
    Macroblock& macroblock = *macroblock_;
    const bool is_8x8 = macroblock.type == MacroblockType::kIntra8x8;
    IntraModeGrid modes(around_, slice_.has_constrained_intra_prediction);
    for (int index = 0; index < 16; index += is_8x8 ? 4 : 1) {
      const int x = block_column(index);
      const int y = block_row(index);
      const int predicted = modes.predicted(x, y);
      const int remaining = reader_.intra_mode();
      const int mode = remaining < 0 ? predicted : remaining + (remaining < predicted ? 0 : 1);
      if (is_8x8) {
        modes.set_8x8(x, y, mode);
      } else {
        modes.set(x, y, mode);
      }
    }
    for (int block = 0; block < 16; ++block) {
      macroblock.intra_modes[block] = static_cast<std::uint8_t>(modes.at(block & 3, block >> 2));
    }
  }

  MILLRACE_FUNCTION int read_chroma_mode() {
    if constexpr (kIsCabac) {
      return reader_.chroma_mode(chroma_mode_increment(around_));
    } else {
      const std::uint32_t mode = reader_.unsigned_code();
      if (mode > 3) {
        reader_.note_damage("intra_chroma_pred_mode above 3");
        return 0;
      }
      return static_cast<int>(mode);
    }
  }

  MILLRACE_FUNCTION bool read_transform_flag() {
    if constexpr (kIsCabac) {
      return reader_.transform_flag(transform_increment(around_));
    } else {
      return reader_.flag();
    }
  }

  MILLRACE_NOINLINE_FUNCTION void read_coded_block_pattern(bool is_inter) {
    if constexpr (kIsCabac) {
      int luma = 0;
      for (int quarter = 0; quarter < 4; ++quarter) {
        luma |= reader_.luma_pattern_bit(luma_pattern_increment(around_, luma, quarter)) << quarter;
      }
      const ChromaPatternIncrements increments = chroma_pattern_increments(around_);
      const int chroma = reader_.chroma_pattern(increments.first, increments.second);
      macroblock_->coded_block_pattern = static_cast<std::uint8_t>(luma | chroma << 4);
    } else {
      macroblock_->coded_block_pattern =
          static_cast<std::uint8_t>(reader_.coded_block_pattern(is_inter));
    }
  }

  // Reads mb_qp_delta and the residual, from coded_block_pattern on.
  MILLRACE_NOINLINE_FUNCTION void parse_residual() {
    Macroblock& macroblock = *macroblock_;
    if (macroblock.coded_block_pattern == 0 && macroblock.type != MacroblockType::kIntra16x16) {
      set_qp_of_macroblock();
      is_after_qp_change_ = false;
      set_edges(CodedEdge{});
      return;
    }
    int delta;
    if constexpr (kIsCabac) {
      delta = reader_.qp_delta(is_after_qp_change_);
    } else {
      delta = reader_.signed_code();
    }
    if (delta < -26 || delta > 25) {
      reader_.note_damage("mb_qp_delta outside of -26 to 25");
      delta = 0;
    }
    is_after_qp_change_ = delta != 0;
    if (delta != 0) {
      qp_ = (qp_ + delta + 52) % 52;
      set_chroma_qp();
    }
    set_qp_of_macroblock();
    const CodedEdge missing = missing_edge(kIsCabac, is_intra(macroblock.type));
    const EdgesAround edges = {around_.above != nullptr ? edge_above() : missing,
                               around_.left != nullptr ? edge_left_ : missing};
    CodedEdge bottom;
    CodedEdge right;
    end_of_coefficients_ = ResidualParser<Reader>(slice_, reader_, edges, macroblock, coefficients_)
                               .parse(bottom, right);
    edge_above() = bottom;
    edge_left_ = right;
  }

  // Reads from coded_block_pattern on. `can_be_8x8`: no partition is smaller than 8x8.
  MILLRACE_FUNCTION void finish_inter(bool can_be_8x8) {
    read_coded_block_pattern(true);
    if (can_be_8x8 && slice_.has_8x8_transform && (macroblock_->coded_block_pattern & 15) != 0) {
      macroblock_->has_8x8_transform = read_transform_flag();
    }
    parse_residual();
  }

  const SliceParameters& slice_;
  Reader& reader_;
  std::size_t first_bit_;
  std::size_t end_;
  std::size_t start_ = 0;  // Bit at which the current macroblock begins.
  int address_;
  int x_ = 0;
  int qp_;
  std::uint8_t chroma_qp_[2] = {};
  bool is_after_qp_change_ = false;
  CodedCoefficient* coefficients_;  // The current macroblock's; null: not wanted.
  CodedCoefficient* end_of_coefficients_ = nullptr;
  Macroblock* macroblock_ = nullptr;
  Neighbours around_;
  CodedEdge edge_left_ = {};
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_PARSER_H_
