// SPDX-License-Identifier: Apache-2.0

// Parses the types, references and vectors of an inter macroblock (ITU-T H.264 clauses 7.3.5.1 and
// 7.3.5.2).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_INTER_PARSER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_INTER_PARSER_H_

#include <millrace/algorithms/h264/entropy/context_increments.h>
#include <millrace/algorithms/h264/entropy/direct_prediction.h>
#include <millrace/algorithms/h264/entropy/macroblock_types.h>
#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/algorithms/h264/entropy/vector_prediction.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Parses one macroblock, which is clear. `Reader` is CavlcReader or CabacReader.
template <class Reader>
class InterParser {
 public:
  MILLRACE_FUNCTION InterParser(const SliceParameters& slice, Reader& reader,
                                const Neighbours& around, int address, Macroblock& macroblock)
      : slice_(slice),
        reader_(reader),
        around_(around),
        address_(address),
        macroblock_(macroblock) {}

  // Parses mb_type `number` of a P slice, below kInterTypesOfP, up to its vectors. Returns true if
  // no partition is smaller than 8x8.
  MILLRACE_FUNCTION bool parse_of_p(int number) {
    if (number < 3) {
      constexpr int kFirst = static_cast<int>(MacroblockType::kInter16x16);
      macroblock_.type = static_cast<MacroblockType>(kFirst + number);
      const int lists[2] = {1, 1};
      parse_partitions(lists);
      return true;
    }
    macroblock_.type = MacroblockType::kInter8x8;
    int lists[4];
    for (int quarter = 0; quarter < 4; ++quarter) {
      const SubType type = sub_type_of_p(read_sub_type(true));
      macroblock_.sub_partitions[quarter] = type.partition;
      lists[quarter] = type.lists;
    }
    return parse_sub_partitions(lists, number == 3);
  }

  // The same for a B slice, below kInterTypesOfB.
  MILLRACE_FUNCTION bool parse_of_b(int number) {
    if (number == 0) {
      macroblock_.type = MacroblockType::kDirect;
      predict_direct(slice_, around_, address_, 15, macroblock_);
      return slice_.has_direct_8x8_inference;
    }
    if (number < 22) {
      const PartitionedType type = partitioned_type_of_b(number);
      macroblock_.type = type.type;
      parse_partitions(type.lists);
      return true;
    }
    macroblock_.type = MacroblockType::kInter8x8;
    int lists[4];
    int direct = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const SubType type = sub_type_of_b(read_sub_type(false));
      macroblock_.sub_partitions[quarter] = type.partition;
      lists[quarter] = type.lists;
      direct |= (type.partition == SubPartition::kDirect ? 1 : 0) << quarter;
    }
    if (direct != 0) {
      predict_direct(slice_, around_, address_, direct, macroblock_);
    }
    return parse_sub_partitions(lists, true);
  }

 private:
  MILLRACE_FUNCTION int read_sub_type(bool is_p) {
    if constexpr (kIsCabac) {
      return is_p ? reader_.sub_type_in_p() : reader_.sub_type_in_b();
    } else {
      const std::uint32_t number = reader_.unsigned_code();
      if (number > (is_p ? 3U : 12U)) {
        reader_.note_damage(is_p ? "sub_mb_type above 3 in a P slice"
                                 : "sub_mb_type above 12 in a B slice");
        return 0;
      }
      return static_cast<int>(number);
    }
  }

  // Reads ref_idx of the partition with 8x8 block `quarter` first.
  MILLRACE_NOINLINE_FUNCTION std::int8_t read_reference(int list, int quarter) {
    const int count = slice_.reference_counts[list];
    if (count < 2) {
      return 0;
    }
    std::uint32_t index;
    if constexpr (kIsCabac) {
      const int increment = reference_increment(list, around_, 2 * (quarter & 1), quarter & 2);
      index = static_cast<std::uint32_t>(reader_.reference_index(increment));
    } else {
      index = reader_.truncated_code(count);
    }
    if (index >= static_cast<std::uint32_t>(count)) {
      reader_.note_damage("ref_idx above the references of its list");
      return 0;
    }
    return static_cast<std::int8_t>(index);
  }

  // Reads mvd of the partition with block (x, y) first and sets its vectors.
  MILLRACE_NOINLINE_FUNCTION void parse_vector(int list, int x, int y, int width, int height) {
    const int reference = macroblock_.references[list][(y & 2) + (x >> 1)];
    const MotionVector prediction =
        predicted_vector(list, reference, around_, {x, y, width, height});
    int difference_x;
    int difference_y;
    if constexpr (kIsCabac) {
      const MotionVector left = difference_of(list, around_.left_of(x, y));
      const MotionVector above = difference_of(list, around_.above_of(x, y));
      difference_x = reader_.vector_difference(false, absolute(left.x) + absolute(above.x));
      difference_y = reader_.vector_difference(true, absolute(left.y) + absolute(above.y));
    } else {
      difference_x = reader_.signed_code();
      difference_y = reader_.signed_code();
    }
    if (difference_x != static_cast<std::int16_t>(difference_x) ||
        difference_y != static_cast<std::int16_t>(difference_y)) {
      reader_.note_damage("mvd outside of -8192 to 8191.75 samples");
    }
    const MotionVector difference = {static_cast<std::int16_t>(difference_x),
                                     static_cast<std::int16_t>(difference_y)};
    const MotionVector vector = {static_cast<std::int16_t>(prediction.x + difference.x),
                                 static_cast<std::int16_t>(prediction.y + difference.y)};
    // The macroblock was cleared.
    constexpr MotionVector kZero = {};
    if (vector != kZero) fill_vectors(macroblock_.vectors[list] + 4 * y + x, width, height, vector);
    if (difference != kZero) {
      fill_vectors(macroblock_.differences[list] + 4 * y + x, width, height, difference);
    }
  }

  MILLRACE_FUNCTION static MotionVector difference_of(int list, const BlockOf& block) {
    return block.macroblock != nullptr ? block.macroblock->differences[list][block.block]
                                       : MotionVector{};
  }
  MILLRACE_FUNCTION static int absolute(int value) { return value < 0 ? -value : value; }

  // Parses 16x16, 16x8 and 8x16 (mb_pred() of clause 7.3.5.1).
  MILLRACE_NOINLINE_FUNCTION void parse_partitions(const int (&lists)[2]) {
    const int partitions = macroblock_.type == MacroblockType::kInter16x16 ? 1 : 2;
    const bool is_8x16 = macroblock_.type == MacroblockType::kInter8x16;
    const int width = is_8x16 ? 2 : 4;
    const int height = macroblock_.type == MacroblockType::kInter16x8 ? 2 : 4;
    // Distance of the second partition's blocks, and of the first partition's own 8x8 blocks.
    const int step = is_8x16 ? 1 : 2;
    for (int list = 0; list < 2; ++list) {
      for (int partition = 0; partition < partitions; ++partition) {
        if ((lists[partition] >> list & 1) == 0) {
          continue;
        }
        const int first = partition * step;
        const std::int8_t reference = read_reference(list, first);
        std::int8_t* const references = macroblock_.references[list];
        references[first] = reference;
        references[first + (is_8x16 ? 2 : 1)] = reference;
        if (partitions == 1) {
          references[2] = reference;
          references[3] = reference;
        }
      }
    }
    const std::size_t start = reader_.position();
    for (int list = 0; list < 2; ++list) {
      for (int partition = 0; partition < partitions; ++partition) {
        if ((lists[partition] >> list & 1) != 0) {
          parse_vector(list, is_8x16 ? 2 * partition : 0, is_8x16 ? 0 : 2 * partition, width,
                       height);
        }
      }
    }
    macroblock_.bits[static_cast<int>(SyntaxClass::kVectors)] =
        static_cast<std::uint32_t>(reader_.position() - start);
  }

  // Parses the rest of sub_mb_pred() (clause 7.3.5.2); sub_partitions are set. Returns true if none
  // is smaller than 8x8.
  MILLRACE_NOINLINE_FUNCTION bool parse_sub_partitions(const int (&lists)[4], bool has_references) {
    bool is_8x8_at_least = true;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const SubPartition partition = macroblock_.sub_partitions[quarter];
      is_8x8_at_least =
          is_8x8_at_least && (partition == SubPartition::kDirect ? slice_.has_direct_8x8_inference
                                                                 : partition == SubPartition::k8x8);
    }
    for (int list = 0; list < 2; ++list) {
      for (int quarter = 0; quarter < 4; ++quarter) {
        if ((lists[quarter] >> list & 1) != 0) {
          macroblock_.references[list][quarter] =
              has_references ? read_reference(list, quarter) : std::int8_t{0};
        }
      }
    }
    const std::size_t start = reader_.position();
    for (int list = 0; list < 2; ++list) {
      for (int quarter = 0; quarter < 4; ++quarter) {
        if ((lists[quarter] >> list & 1) != 0) {
          parse_sub_vectors(list, 2 * (quarter & 1), quarter & 2,
                            macroblock_.sub_partitions[quarter]);
        }
      }
    }
    macroblock_.bits[static_cast<int>(SyntaxClass::kVectors)] =
        static_cast<std::uint32_t>(reader_.position() - start);
    return is_8x8_at_least;
  }

  MILLRACE_FUNCTION void parse_sub_vectors(int list, int left, int top, SubPartition partition) {
    const int width = partition == SubPartition::k8x8 || partition == SubPartition::k8x4 ? 2 : 1;
    const int height = partition == SubPartition::k8x8 || partition == SubPartition::k4x8 ? 2 : 1;
    for (int y = top; y < top + 2; y += height) {
      for (int x = left; x < left + 2; x += width) {
        parse_vector(list, x, y, width, height);
      }
    }
  }

  static constexpr bool kIsCabac = Reader::kIsCabac;

  const SliceParameters& slice_;
  Reader& reader_;
  const Neighbours& around_;
  int address_;
  Macroblock& macroblock_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_INTER_PARSER_H_
