// SPDX-License-Identifier: Apache-2.0

// Tables of CABAC (ITU-T H.264 clause 9.3).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_TABLES_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_TABLES_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Contexts that frames of 4:2:0 use: ctxIdx 0 to 275 as they are, then 399 to 435.
inline constexpr int kCabacContexts = 276 + 37;

// First contexts of each syntax element (Table 9-34); those of 8x8 blocks are moved down.
enum CabacContext : int {
  kContextIntraType = 3,
  kContextSkipP = 11,
  kContextTypeP = 14,
  kContextIntraTypeP = 17,
  kContextSubTypeP = 21,
  kContextSkipB = 24,
  kContextTypeB = 27,
  kContextIntraTypeB = 32,
  kContextSubTypeB = 36,
  kContextDifferenceX = 40,
  kContextDifferenceY = 47,
  kContextReference = 54,
  kContextQpDelta = 60,
  kContextChromaMode = 64,
  kContextModeIsPredicted = 68,
  kContextMode = 69,
  kContextLumaPattern = 73,
  kContextChromaPattern = 77,
  kContextCodedBlock = 85,
  kContextSignificant = 105,
  kContextLast = 166,
  kContextLevel = 227,
  kContextTransform = 276,       // 399
  kContextSignificant8x8 = 279,  // 402
  kContextLast8x8 = 294,         // 417
  kContextLevel8x8 = 303,        // 426
};

// ctxBlockCat (Table 9-42).
enum class BlockCategory : int { kLumaDc, kLumaAc, kLuma4x4, kChromaDc, kChromaAc, kLuma8x8 };

// First contexts of a block's syntax elements (Tables 9-34 and 9-40).
struct BlockContexts {
  int coded_block;  // 8x8 blocks have none.
  int significant;
  int last;
  int level;             // The first five are those of the first bin.
  int levels_above_one;  // Contexts of the other bins.
};

MILLRACE_FUNCTION constexpr BlockContexts block_contexts(BlockCategory category) {
  constexpr int kMaps[5] = {0, 15, 29, 44, 47};
  constexpr int kLevels[5] = {0, 10, 20, 30, 39};
  if (category == BlockCategory::kLuma8x8) {
    return {0, kContextSignificant8x8, kContextLast8x8, kContextLevel8x8, 5};
  }
  const auto index = static_cast<int>(category);
  return {kContextCodedBlock + 4 * index, kContextSignificant + kMaps[index],
          kContextLast + kMaps[index], kContextLevel + kLevels[index],
          category == BlockCategory::kChromaDc ? 4 : 5};
}

struct CabacTables {
  // m and n of each context (Tables 9-12 to 9-33), for I slices and cabac_init_idc 0 to 2.
  std::int8_t initial[4][kCabacContexts][2];
  // Indexed by state, 2 * pStateIdx + valMPS, and bits 6 and 7 of the range (Table 9-44).
  std::uint8_t range_lps[128][4];
  // The state after the most and after the least probable symbol (Table 9-45).
  std::uint8_t next_state[2][128];
  // ctxIdxInc of significant_coeff_flag and last_significant_coeff_flag in 8x8 blocks (Table 9-43).
  std::uint8_t significant_8x8[63];
  std::uint8_t last_8x8[63];
};

extern const CabacTables kCabacTables;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_TABLES_H_
