// SPDX-License-Identifier: Apache-2.0

// Tables by which codes of CAVLC are written (ITU-T H.264 Tables 9-4 to 9-10).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_CODES_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_CODES_H_

#include <millrace/algorithms/h264/entropy/cavlc/cavlc_tables.h>

#include <cstdint>

namespace millrace::h264 {

// The inverse of CavlcTables. Codes of length 0 have no bits or do not exist.
struct CavlcCodes {
  CavlcCode coefficient_tokens[5][4][17];  // Indexed by token class, TrailingOnes and TotalCoeff.
  CavlcCode total_zeros[15][16];           // Indexed by TotalCoeff - 1 and total_zeros.
  CavlcCode chroma_total_zeros[3][4];
  CavlcCode runs_before[15][15];             // Indexed by the zeros left and run_before.
  std::uint8_t token_classes[129];           // Copy of CavlcTables::token_classes.
  std::uint8_t coded_block_patterns[2][48];  // codeNum of me(v) by pattern, intra and inter.
};

constexpr CavlcCodes cavlc_codes() {
  CavlcCodes codes = {};
  for (int ones = 0; ones < 4; ++ones) {
    for (int total = 0; total < 17; ++total) {
      for (int nc = 0; nc < 4; ++nc) {
        codes.coefficient_tokens[nc][ones][total] = kCoefficientTokens[nc][ones][total];
      }
      codes.coefficient_tokens[kLongTokens][ones][total] = {
          6, static_cast<std::uint8_t>(total == 0 ? 3 : 4 * (total - 1) + ones)};
    }
  }
  for (int total = 0; total < 15; ++total) {
    for (int zeros = 0; zeros < 16; ++zeros) {
      codes.total_zeros[total][zeros] = kTotalZeros[total][zeros];
    }
  }
  for (int total = 0; total < 3; ++total) {
    for (int zeros = 0; zeros < 4; ++zeros) {
      codes.chroma_total_zeros[total][zeros] = kChromaTotalZeros[total][zeros];
    }
  }
  for (int left = 1; left < 15; ++left) {
    for (int run = 0; run <= left; ++run) {
      codes.runs_before[left][run] = run < 7 ? kRunsBefore[(left < 7 ? left : 7) - 1][run]
                                             : CavlcCode{static_cast<std::uint8_t>(run - 3), 1};
    }
  }
  for (int sum = 0; sum < 129; ++sum) {
    codes.token_classes[sum] = kCavlcTables.token_classes[sum];
  }
  for (int is_inter = 0; is_inter < 2; ++is_inter) {
    for (int code = 0; code < 48; ++code) {
      const int pattern = kCavlcTables.coded_block_patterns[is_inter][code];
      codes.coded_block_patterns[is_inter][pattern] = static_cast<std::uint8_t>(code);
    }
  }
  return codes;
}

inline constexpr CavlcCodes kCavlcCodes = cavlc_codes();

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_CODES_H_
