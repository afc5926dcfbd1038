// SPDX-License-Identifier: Apache-2.0

// The macroblock types of inter slices by number (ITU-T H.264 Tables 7-13, 7-14, 7-17 and 7-18).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_MACROBLOCK_TYPES_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_MACROBLOCK_TYPES_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

inline constexpr int kIntraTypes = 26;  // mb_type of I slices, the last one is I_PCM.
inline constexpr int kInterTypesOfP = 5;
inline constexpr int kInterTypesOfB = 23;

// Lists that a partition is predicted from: bit 0 for list 0, bit 1 for list 1.
struct PartitionedType {
  MacroblockType type;
  int lists[2];  // Lists of the first and of the second partition.
};

// Returns mb_type 1 to 21 of B slices.
MILLRACE_FUNCTION constexpr PartitionedType partitioned_type_of_b(int number) {
  if (number < 4) {
    return {MacroblockType::kInter16x16, {number, 0}};
  }
  // Two bits for each pair of types, from 4 and 5 on.
  constexpr std::uint32_t kFirst = 0b11'11'11'10'01'10'01'10'01;
  constexpr std::uint32_t kSecond = 0b11'10'01'11'11'01'10'10'01;
  const int shift = number / 2 * 2 - 4;
  return {number % 2 == 0 ? MacroblockType::kInter16x8 : MacroblockType::kInter8x16,
          {static_cast<int>(kFirst >> shift & 3), static_cast<int>(kSecond >> shift & 3)}};
}

struct SubType {
  SubPartition partition;
  int lists;
};

// Returns sub_mb_type 0 to 3 of P slices.
MILLRACE_FUNCTION constexpr SubType sub_type_of_p(int number) {
  return {static_cast<SubPartition>(number), 1};
}

// Returns sub_mb_type 0 to 12 of B slices.
MILLRACE_FUNCTION constexpr SubType sub_type_of_b(int number) {
  // Four bits for each type, from 0 on: the partition, and the lists.
  constexpr std::uint64_t kPartitions = 0x3332121210004;
  constexpr std::uint64_t kLists = 0x3213322113210;
  return {static_cast<SubPartition>(kPartitions >> (4 * number) & 7),
          static_cast<int>(kLists >> (4 * number) & 3)};
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_MACROBLOCK_TYPES_H_
