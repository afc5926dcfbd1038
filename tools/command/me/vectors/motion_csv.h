// SPDX-License-Identifier: Apache-2.0

// Motion vectors as a table.
#ifndef MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_CSV_H_
#define MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_CSV_H_

#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>

#include <array>
#include <cstddef>
#include <ostream>
#include <string>

namespace millrace::tools {

// A line for each of the 41 partitions of every macroblock:
//
//   frame,mb_x,mb_y,partition,index,mv_x,mv_y,cost
//   1,0,0,16x16,0,-7,12,14630
//
// Macroblocks count from the top left one, partitions of one size in raster order, vectors in
// quarter samples. Clips with several references have another column, `reference`, 0 the nearest.
class MotionCsv {
 public:
  // Writes the names of the columns. The stream must outlive it.
  MotionCsv(std::ostream& out, int macroblocks_per_row, int references);

  // Writes nothing for a picture without references.
  void write(const motion::PictureMotion& picture);

 private:
  void append(const motion::PictureMotion& picture, std::size_t macroblock, int reference);

  std::ostream& out_;
  const int macroblocks_per_row_;
  const bool has_reference_;
  std::array<std::string, motion::kPartitions> names_;
  std::string text_;  // Lines of the macroblock that is written.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_CSV_H_
