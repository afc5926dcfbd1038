// SPDX-License-Identifier: Apache-2.0

// Limits of the standard's levels (ITU-T H.264 Table A-1).
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_LEVEL_LIMITS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_LEVEL_LIMITS_H_

#include <cstdint>

namespace millrace::h264 {

// Level 1b. kLevels names it by the level_idc that it has in high profile; in baseline and main
// profile its level_idc is 11, with constraint_set3_flag.
inline constexpr int kLevel1b = 9;

struct LevelLimits {
  int level;                          // level_idc
  std::int64_t macroblocks_a_second;  // MaxMBPS
  int macroblocks;                    // MaxFS
  int stored_macroblocks;             // MaxDpbMbs
  int vertical_range;                 // Luma samples, -vertical_range to vertical_range - 1/4.
  int vectors_in_two;                 // MaxMvsPer2Mb; where there is no limit, 32.
  int bit_rate;                       // MaxBR, in units of 1,000 bits a second.
};

inline constexpr LevelLimits kLevels[] = {
    {10, 1485, 99, 396, 64, 32, 64},
    {kLevel1b, 1485, 99, 396, 64, 32, 128},
    {11, 3000, 396, 900, 128, 32, 192},
    {12, 6000, 396, 2376, 128, 32, 384},
    {13, 11880, 396, 2376, 128, 32, 768},
    {20, 11880, 396, 2376, 128, 32, 2000},
    {21, 19800, 792, 4752, 256, 32, 4000},
    {22, 20250, 1620, 8100, 256, 32, 4000},
    {30, 40500, 1620, 8100, 256, 32, 10000},
    {31, 108000, 3600, 18000, 512, 16, 14000},
    {32, 216000, 5120, 20480, 512, 16, 20000},
    {40, 245760, 8192, 32768, 512, 16, 20000},
    {41, 245760, 8192, 32768, 512, 16, 50000},
    {42, 522240, 8704, 34816, 512, 16, 50000},
    {50, 589824, 22080, 110400, 512, 16, 135000},
    {51, 983040, 36864, 184320, 512, 16, 240000},
    {52, 2073600, 36864, 184320, 512, 16, 240000},
    {60, 4177920, 139264, 696320, 8192, 16, 240000},
    {61, 8355840, 139264, 696320, 8192, 16, 480000},
    {62, 16711680, 139264, 696320, 8192, 16, 800000},
};

// Returns the lowest level that fits, or the highest one if none does. `bits_a_second` is the rate
// of the coded pictures divided by the profile's factor: 1 in baseline and main profile, 1.25 in
// high profile (cpbBrVclFactor / 1000). It is 0 for a rate that is not known.
constexpr const LevelLimits& lowest_level(int columns, int rows, double frames_a_second,
                                          int references, double bits_a_second) {
  const int macroblocks = columns * rows;
  for (const LevelLimits& limits : kLevels) {
    const std::int64_t longest = 8 * std::int64_t{limits.macroblocks};  // Longest side, squared.
    const bool fits =
        macroblocks <= limits.macroblocks && std::int64_t{columns} * columns <= longest &&
        std::int64_t{rows} * rows <= longest &&
        macroblocks * references <= limits.stored_macroblocks &&
        macroblocks * frames_a_second <= static_cast<double>(limits.macroblocks_a_second) &&
        bits_a_second <= 1000.0 * limits.bit_rate;
    if (fits) return limits;
  }
  return kLevels[sizeof(kLevels) / sizeof(kLevels[0]) - 1];
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_LEVEL_LIMITS_H_
