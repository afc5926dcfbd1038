// SPDX-License-Identifier: Apache-2.0

// Tables by which codes of CAVLC are read (ITU-T H.264 Tables 9-4 to 9-10), made from the codes of
// the standard when this is compiled.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_TABLES_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_TABLES_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// One code word: its length in bits, 0 for none, and its bits as a number.
struct CavlcCode {
  std::uint8_t length = 0;
  std::uint8_t bits = 0;
};

// coeff_token by nC (0 and 1, 2 and 3, 4 to 7, chroma DC), TrailingOnes and TotalCoeff (Table 9-5).
inline constexpr CavlcCode kCoefficientTokens[4][4][17] = {
    {{{1, 1},
      {6, 5},
      {8, 7},
      {9, 7},
      {10, 7},
      {11, 7},
      {13, 15},
      {13, 11},
      {13, 8},
      {14, 15},
      {14, 11},
      {15, 15},
      {15, 11},
      {16, 15},
      {16, 11},
      {16, 7},
      {16, 4}},
     {{0, 0},
      {2, 1},
      {6, 4},
      {8, 6},
      {9, 6},
      {10, 6},
      {11, 6},
      {13, 14},
      {13, 10},
      {14, 14},
      {14, 10},
      {15, 14},
      {15, 10},
      {15, 1},
      {16, 14},
      {16, 10},
      {16, 6}},
     {{0, 0},
      {0, 0},
      {3, 1},
      {7, 5},
      {8, 5},
      {9, 5},
      {10, 5},
      {11, 5},
      {13, 13},
      {13, 9},
      {14, 13},
      {14, 9},
      {15, 13},
      {15, 9},
      {16, 13},
      {16, 9},
      {16, 5}},
     {{0, 0},
      {0, 0},
      {0, 0},
      {5, 3},
      {6, 3},
      {7, 4},
      {8, 4},
      {9, 4},
      {10, 4},
      {11, 4},
      {13, 12},
      {14, 12},
      {14, 8},
      {15, 12},
      {15, 8},
      {16, 12},
      {16, 8}}},
    {{{2, 3},
      {6, 11},
      {6, 7},
      {7, 7},
      {8, 7},
      {8, 4},
      {9, 7},
      {11, 15},
      {11, 11},
      {12, 15},
      {12, 11},
      {12, 8},
      {13, 15},
      {13, 11},
      {13, 7},
      {14, 9},
      {14, 7}},
     {{0, 0},
      {2, 2},
      {5, 7},
      {6, 10},
      {6, 6},
      {7, 6},
      {8, 6},
      {9, 6},
      {11, 14},
      {11, 10},
      {12, 14},
      {12, 10},
      {13, 14},
      {13, 10},
      {14, 11},
      {14, 8},
      {14, 6}},
     {{0, 0},
      {0, 0},
      {3, 3},
      {6, 9},
      {6, 5},
      {7, 5},
      {8, 5},
      {9, 5},
      {11, 13},
      {11, 9},
      {12, 13},
      {12, 9},
      {13, 13},
      {13, 9},
      {13, 6},
      {14, 10},
      {14, 5}},
     {{0, 0},
      {0, 0},
      {0, 0},
      {4, 5},
      {4, 4},
      {5, 6},
      {6, 8},
      {6, 4},
      {7, 4},
      {9, 4},
      {11, 12},
      {11, 8},
      {12, 12},
      {13, 12},
      {13, 8},
      {13, 1},
      {14, 4}}},
    {{{4, 15},
      {6, 15},
      {6, 11},
      {6, 8},
      {7, 15},
      {7, 11},
      {7, 9},
      {7, 8},
      {8, 15},
      {8, 11},
      {9, 15},
      {9, 11},
      {9, 8},
      {10, 13},
      {10, 9},
      {10, 5},
      {10, 1}},
     {{0, 0},
      {4, 14},
      {5, 15},
      {5, 12},
      {5, 10},
      {5, 8},
      {6, 14},
      {6, 10},
      {7, 14},
      {8, 14},
      {8, 10},
      {9, 14},
      {9, 10},
      {9, 7},
      {10, 12},
      {10, 8},
      {10, 4}},
     {{0, 0},
      {0, 0},
      {4, 13},
      {5, 14},
      {5, 11},
      {5, 9},
      {6, 13},
      {6, 9},
      {7, 13},
      {7, 10},
      {8, 13},
      {8, 9},
      {9, 13},
      {9, 9},
      {10, 11},
      {10, 7},
      {10, 3}},
     {{0, 0},
      {0, 0},
      {0, 0},
      {4, 12},
      {4, 11},
      {4, 10},
      {4, 9},
      {4, 8},
      {5, 13},
      {6, 12},
      {7, 12},
      {8, 12},
      {8, 8},
      {9, 12},
      {10, 10},
      {10, 6},
      {10, 2}}},
    {{{2, 1}, {6, 7}, {6, 4}, {6, 3}, {6, 2}},
     {{0, 0}, {1, 1}, {6, 6}, {7, 3}, {8, 3}},
     {{0, 0}, {0, 0}, {3, 1}, {7, 2}, {8, 2}},
     {{0, 0}, {0, 0}, {0, 0}, {6, 5}, {7, 0}}}};

// total_zeros by TotalCoeff - 1 and its value (Tables 9-7, 9-8), and for chroma DC (Table 9-9a).
inline constexpr CavlcCode kTotalZeros[15][16] = {
    {{1, 1},
     {3, 3},
     {3, 2},
     {4, 3},
     {4, 2},
     {5, 3},
     {5, 2},
     {6, 3},
     {6, 2},
     {7, 3},
     {7, 2},
     {8, 3},
     {8, 2},
     {9, 3},
     {9, 2},
     {9, 1}},
    {{3, 7},
     {3, 6},
     {3, 5},
     {3, 4},
     {3, 3},
     {4, 5},
     {4, 4},
     {4, 3},
     {4, 2},
     {5, 3},
     {5, 2},
     {6, 3},
     {6, 2},
     {6, 1},
     {6, 0}},
    {{4, 5},
     {3, 7},
     {3, 6},
     {3, 5},
     {4, 4},
     {4, 3},
     {3, 4},
     {3, 3},
     {4, 2},
     {5, 3},
     {5, 2},
     {6, 1},
     {5, 1},
     {6, 0}},
    {{5, 3},
     {3, 7},
     {4, 5},
     {4, 4},
     {3, 6},
     {3, 5},
     {3, 4},
     {4, 3},
     {3, 3},
     {4, 2},
     {5, 2},
     {5, 1},
     {5, 0}},
    {{4, 5},
     {4, 4},
     {4, 3},
     {3, 7},
     {3, 6},
     {3, 5},
     {3, 4},
     {3, 3},
     {4, 2},
     {5, 1},
     {4, 1},
     {5, 0}},
    {{6, 1}, {5, 1}, {3, 7}, {3, 6}, {3, 5}, {3, 4}, {3, 3}, {3, 2}, {4, 1}, {3, 1}, {6, 0}},
    {{6, 1}, {5, 1}, {3, 5}, {3, 4}, {3, 3}, {2, 3}, {3, 2}, {4, 1}, {3, 1}, {6, 0}},
    {{6, 1}, {4, 1}, {5, 1}, {3, 3}, {2, 3}, {2, 2}, {3, 2}, {3, 1}, {6, 0}},
    {{6, 1}, {6, 0}, {4, 1}, {2, 3}, {2, 2}, {3, 1}, {2, 1}, {5, 1}},
    {{5, 1}, {5, 0}, {3, 1}, {2, 3}, {2, 2}, {2, 1}, {4, 1}},
    {{4, 0}, {4, 1}, {3, 1}, {3, 2}, {1, 1}, {3, 3}},
    {{4, 0}, {4, 1}, {2, 1}, {1, 1}, {3, 1}},
    {{3, 0}, {3, 1}, {1, 1}, {2, 1}},
    {{2, 0}, {2, 1}, {1, 1}},
    {{1, 0}, {1, 1}}};
inline constexpr CavlcCode kChromaTotalZeros[3][4] = {
    {{1, 1}, {2, 1}, {3, 1}, {3, 0}}, {{1, 1}, {2, 1}, {2, 0}}, {{1, 1}, {1, 0}}};

// run_before by the zeros left - 1, 7 for all above 6, and its value up to 6 (Table 9-10).
inline constexpr CavlcCode kRunsBefore[7][7] = {
    {{1, 1}, {1, 0}},
    {{1, 1}, {2, 1}, {2, 0}},
    {{2, 3}, {2, 2}, {2, 1}, {2, 0}},
    {{2, 3}, {2, 2}, {2, 1}, {3, 1}, {3, 0}},
    {{2, 3}, {2, 2}, {3, 3}, {3, 2}, {3, 1}, {3, 0}},
    {{2, 3}, {3, 0}, {3, 1}, {3, 3}, {3, 2}, {3, 5}, {3, 4}},
    {{3, 7}, {3, 6}, {3, 5}, {3, 4}, {3, 3}, {3, 2}, {3, 1}}};

// Classes of nC beside those of neighbours, which are 0 to 3.
inline constexpr int kChromaDcTokens = 3;
inline constexpr int kLongTokens = 4;  // nC of 8 and more: 6 bits each.

// Returns the table of coeff_token for nC, 0 to 16.
MILLRACE_FUNCTION constexpr int token_class(int nc) {
  return nc < 2 ? 0 : nc < 4 ? 1 : nc < 8 ? 2 : kLongTokens;
}

// A run_before whose code begins with three zeros. No code word has this entry.
inline constexpr std::uint8_t kLongRun = 15;

// The table in CavlcTables::total_zeros for one TotalCoeff: the number of bits that it is read by
// and its first entry.
struct TotalZerosTable {
  int bits;
  int first;
};

// `total` is 1 to 15.
MILLRACE_FUNCTION constexpr TotalZerosTable total_zeros_table(int total) {
  return {total == 1 ? 9 : 6, total == 1 ? 0 : 512 + 64 * (total - 2)};
}

// Entries that no code word leads to are 0.
struct CavlcTables {
  // By class of nC, number of leading zero bits and the three bits after the first 1: the length in
  // bits 0 to 4, TrailingOnes in bits 5 and 6, TotalCoeff from bit 7 on.
  std::uint16_t coefficient_tokens[4][16][8];
  // Indexed by the sum of TotalCoeff left and above, 64 for a block that is not available.
  std::uint8_t token_classes[129];
  // Indexed by the next bits: the length in bits 4 to 7, the value in bits 0 to 3.
  std::uint8_t total_zeros[512 + 14 * 64];  // Starts at total_zeros_table().
  std::uint8_t chroma_total_zeros[3][8];
  // Indexed by the zeros left. With none left a run of 0 has no bits; kLongRun leads to runs
  // above 6.
  std::uint8_t runs_before[16][8];
  // Coded block pattern by codeNum of me(v), intra and inter (Table 9-4).
  std::uint8_t coded_block_patterns[2][48];
};

// Enters a code word and a value below 16 into a table of 2^bits entries.
constexpr void enter_code(std::uint8_t* table, int bits, CavlcCode code, int value) {
  if (code.length == 0) {
    return;
  }
  const int free_bits = bits - code.length;
  for (int k = 0; k < 1 << free_bits; ++k) {
    table[(code.bits << free_bits) + k] = static_cast<std::uint8_t>(code.length << 4 | value);
  }
}

constexpr void enter_token(std::uint16_t (&table)[16][8], CavlcCode code, int ones, int total) {
  if (code.length == 0) {
    return;
  }
  const auto entry = static_cast<std::uint16_t>(code.length | ones << 5 | total << 7);
  if (code.bits == 0) {  // Any bits may follow.
    for (int zeros = code.length; zeros < 16; ++zeros) {
      for (int k = 0; k < 8; ++k) {
        table[zeros][k] = entry;
      }
    }
    return;
  }
  int width = 0;  // Bits after the first 1.
  while (code.bits >> (width + 1) != 0) {
    ++width;
  }
  const int zeros = code.length - 1 - width;
  const int free_bits = 3 - width;
  const int first = (code.bits - (1 << width)) << free_bits;
  for (int k = 0; k < 1 << free_bits; ++k) {
    table[zeros][first + k] = entry;
  }
}

constexpr CavlcTables cavlc_tables() {
  CavlcTables tables = {};
  for (int sum = 0; sum < 129; ++sum) {
    const int nc = sum < 64 ? (sum + 1) / 2 : sum % 32;
    tables.token_classes[sum] = static_cast<std::uint8_t>(token_class(nc));
  }
  for (int nc = 0; nc < 4; ++nc) {
    for (int ones = 0; ones < 4; ++ones) {
      for (int total = 0; total < 17; ++total) {
        enter_token(tables.coefficient_tokens[nc], kCoefficientTokens[nc][ones][total], ones,
                    total);
      }
    }
  }
  for (int value = 0; value < 16; ++value) {
    for (int total = 1; total < 16; ++total) {
      const TotalZerosTable table = total_zeros_table(total);
      enter_code(tables.total_zeros + table.first, table.bits, kTotalZeros[total - 1][value],
                 value);
    }
  }
  for (int value = 0; value < 4; ++value) {
    for (int total = 0; total < 3; ++total) {
      enter_code(tables.chroma_total_zeros[total], 3, kChromaTotalZeros[total][value], value);
    }
  }
  for (int value = 0; value < 7; ++value) {
    for (int left = 1; left < 16; ++left) {
      const int row = (left < 7 ? left : 7) - 1;
      enter_code(tables.runs_before[left], 3, kRunsBefore[row][value], value);
    }
  }
  for (int left = 7; left < 16; ++left) {
    tables.runs_before[left][0] = kLongRun;
  }
  constexpr std::uint8_t kPatterns[2][48] = {
      {47, 31, 15, 0,  23, 27, 29, 30, 7,  11, 13, 14, 39, 43, 45, 46,
       16, 3,  5,  10, 12, 19, 21, 26, 28, 35, 37, 42, 44, 1,  2,  4,
       8,  17, 18, 20, 24, 6,  9,  22, 25, 32, 33, 34, 36, 40, 38, 41},
      {0,  16, 1,  2,  4,  8,  32, 3,  5,  10, 12, 15, 47, 7,  11, 13,
       14, 6,  9,  31, 35, 37, 42, 44, 33, 34, 36, 40, 39, 43, 45, 46,
       17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41}};
  for (int k = 0; k < 48; ++k) {
    tables.coded_block_patterns[0][k] = kPatterns[0][k];
    tables.coded_block_patterns[1][k] = kPatterns[1][k];
  }
  return tables;
}

inline constexpr CavlcTables kCavlcTables = cavlc_tables();

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_TABLES_H_
