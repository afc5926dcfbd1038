// SPDX-License-Identifier: Apache-2.0

// The rows of the tables of motion estimation: clips, or moving textures, of a format.
#ifndef MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_ROWS_H_
#define MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_ROWS_H_

#include <millrace/tools/reproduce/tables/measured_device.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

// A format of the paper's sequences, and its tables: of quality, of the time of all of motion
// estimation, of its parallel part, and of whole encodes.
struct MotionFormat {
  int width;
  int height;
  int rate;  // Pictures a second.
  const char* quality_table;
  const char* whole_table;
  const char* parallel_table;
  const char* encode_table;
};

inline constexpr MotionFormat kMotionFormats[] = {
    {640, 480, 30, "Table 2", "Table 5", "Table 8", "Table 11"},
    {1280, 720, 50, "Table 3", "Table 6", "Table 9", "Table 12"},
    {1920, 1080, 50, "Table 4", "Table 7", "Table 10", "Table 13"}};

// The format whose pictures have the nearest number of samples, by ratio.
const MotionFormat& format_of(double width, double height);

// The input of a row.
struct MotionRow {
  std::string label;
  std::string input;
  std::uint64_t size = 0;
  bool is_cut = false;  // True if pictures are the middle of larger ones.
  int range = 0;        // Range of the search, in samples.

  RunKey key(const std::string& workload, const char* strategy) const {
    return {workload, input, size, strategy};
  }
};

// Labels each by at most 28 bytes of its input's name and by its size, such as "640x480"; no two
// alike: a second one of a label ends in " (2)".
void label_rows(std::vector<MotionRow>& rows, const std::vector<std::string>& sizes);

// The rows of a workload and format: clips, which are nearest to it, or else the largest texture of
// the format, or the smallest one of all. `strategy` is one that was measured of each.
std::vector<MotionRow> motion_rows(const MeasuredDevice& measured, const std::string& workload,
                                   const char* strategy, const MotionFormat& format);

// True if the rows are textures, or none.
bool are_textures(const std::vector<MotionRow>& rows);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_ROWS_H_
