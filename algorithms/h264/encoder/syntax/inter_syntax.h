// SPDX-License-Identifier: Apache-2.0

// Writes the type, references and vectors of an inter macroblock of a P slice (ITU-T H.264 clauses
// 7.3.5.1 and 7.3.5.2).
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_INTER_SYNTAX_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_INTER_SYNTAX_H_

#include <millrace/algorithms/h264/encoder/syntax/coded_border.h>
#include <millrace/algorithms/h264/entropy/context_increments.h>
#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/entropy/vector_prediction.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Returns true if no partition of an inter macroblock is smaller than 8x8: it may then have an 8x8
// transform.
MILLRACE_FUNCTION inline bool has_partitions_of_8x8(const Macroblock& macroblock) {
  if (macroblock.type != MacroblockType::kInter8x8) {
    return true;
  }
  for (const SubPartition partition : macroblock.sub_partitions) {
    if (partition != SubPartition::k8x8) {
      return false;
    }
  }
  return true;
}

// Writes one macroblock; the mirror image of InterParser. `Coder` is CavlcCoder or CabacCoder.
template <class Coder>
class InterSyntax {
 public:
  // The current macroblock of `around` is inter and not skipped.
  MILLRACE_FUNCTION InterSyntax(const Neighbours& around, const BordersAround& borders,
                                int reference_count, Coder& coder)
      : macroblock_(*around.current),
        around_(around),
        borders_(borders),
        reference_count_(reference_count),
        coder_(coder) {}

  // Writes mb_type up to the last vector difference. Fills the differences of the border.
  MILLRACE_FUNCTION void write(CodedBorder& border) {
    if (macroblock_.type == MacroblockType::kInter8x8) {
      write_sub_partitions();
    } else {
      write_partitions();
    }
    for (int k = 0; k < 4; ++k) {
      border.bottom_differences[k] = differences_[12 + k];
      border.right_differences[k] = differences_[4 * k + 3];
    }
  }

 private:
  static constexpr bool kIsCabac = Coder::kIsCabac;

  MILLRACE_FUNCTION void write_type(int number) {
    if constexpr (kIsCabac) {
      coder_.type_in_p(number);
    } else {
      coder_.unsigned_code(number);
    }
  }

  // Writes ref_idx of the partition with 8x8 block `quarter` first.
  MILLRACE_NOINLINE_FUNCTION void write_reference(int quarter) {
    if (reference_count_ < 2) {
      return;
    }
    const int reference = macroblock_.references[0][quarter];
    if constexpr (kIsCabac) {
      coder_.reference_index(reference_increment(0, around_, 2 * (quarter & 1), quarter & 2),
                             reference);
    } else {
      coder_.truncated_code(reference_count_, reference);
    }
  }

  // Writes mvd of the partition with block (x, y) first.
  MILLRACE_NOINLINE_FUNCTION void write_vector(int x, int y, int width, int height) {
    const int reference = macroblock_.references[0][(y & 2) + (x >> 1)];
    const MotionVector prediction = predicted_vector(0, reference, around_, {x, y, width, height});
    const MotionVector vector = macroblock_.vectors[0][4 * y + x];
    const MotionVector difference = {static_cast<std::int16_t>(vector.x - prediction.x),
                                     static_cast<std::int16_t>(vector.y - prediction.y)};
    if constexpr (kIsCabac) {
      const MotionVector left = x > 0                      ? differences_[4 * y + x - 1]
                                : borders_.left != nullptr ? borders_.left->right_differences[y]
                                                           : MotionVector{};
      const MotionVector above = y > 0                       ? differences_[4 * y + x - 4]
                                 : borders_.above != nullptr ? borders_.above->bottom_differences[x]
                                                             : MotionVector{};
      coder_.vector_difference(false, absolute(left.x) + absolute(above.x), difference.x);
      coder_.vector_difference(true, absolute(left.y) + absolute(above.y), difference.y);
      fill_vectors(differences_ + 4 * y + x, width, height, difference);
    } else {
      coder_.signed_code(difference.x);
      coder_.signed_code(difference.y);
    }
  }

  MILLRACE_FUNCTION static int absolute(int value) { return value < 0 ? -value : value; }

  // Writes 16x16, 16x8 and 8x16.
  MILLRACE_FUNCTION void write_partitions() {
    const bool is_8x16 = macroblock_.type == MacroblockType::kInter8x16;
    const bool is_16x8 = macroblock_.type == MacroblockType::kInter16x8;
    const int partitions = is_8x16 || is_16x8 ? 2 : 1;
    write_type(static_cast<int>(macroblock_.type) - static_cast<int>(MacroblockType::kInter16x16));
    for (int partition = 0; partition < partitions; ++partition) {
      write_reference(is_8x16 ? partition : 2 * partition);
    }
    for (int partition = 0; partition < partitions; ++partition) {
      write_vector(is_8x16 ? 2 * partition : 0, is_16x8 ? 2 * partition : 0, is_8x16 ? 2 : 4,
                   is_16x8 ? 2 : 4);
    }
  }

  MILLRACE_FUNCTION void write_sub_partitions() {
    const bool has_references = kIsCabac || reference_count_ < 2 || has_reference_above_zero();
    constexpr int kType = 3;               // P_8x8
    constexpr int kTypeOfReferences0 = 4;  // P_8x8ref0
    write_type(has_references ? kType : kTypeOfReferences0);
    for (const SubPartition partition : macroblock_.sub_partitions) {
      if constexpr (kIsCabac) {
        coder_.sub_type_in_p(static_cast<int>(partition));
      } else {
        coder_.unsigned_code(static_cast<int>(partition));
      }
    }
    for (int quarter = 0; has_references && quarter < 4; ++quarter) {
      write_reference(quarter);
    }
    for (int quarter = 0; quarter < 4; ++quarter) {
      const SubPartition partition = macroblock_.sub_partitions[quarter];
      const int width = partition == SubPartition::k8x8 || partition == SubPartition::k8x4 ? 2 : 1;
      const int height = partition == SubPartition::k8x8 || partition == SubPartition::k4x8 ? 2 : 1;
      for (int y = 0; y < 2; y += height) {
        for (int x = 0; x < 2; x += width) {
          write_vector(2 * (quarter & 1) + x, (quarter & 2) + y, width, height);
        }
      }
    }
  }

  MILLRACE_FUNCTION bool has_reference_above_zero() const {
    for (const std::int8_t reference : macroblock_.references[0]) {
      if (reference > 0) {
        return true;
      }
    }
    return false;
  }

  const Macroblock& macroblock_;
  const Neighbours& around_;
  const BordersAround& borders_;
  int reference_count_;
  Coder& coder_;
  MotionVector differences_[16] = {};
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_INTER_SYNTAX_H_
