// SPDX-License-Identifier: Apache-2.0

// The columns of tables 2 to 4 that are of whole encodes, and tables 11 to 13, from results of
// `millrace bench rd`.
#ifndef MILLRACE_TOOLS_REPRODUCE_MOTION_ENCODE_REPRODUCTION_H_
#define MILLRACE_TOOLS_REPRODUCE_MOTION_ENCODE_REPRODUCTION_H_

#include <millrace/tools/reproduce/motion/motion_rows.h>
#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

#include <vector>

namespace millrace::tools {

// The clips that were encoded and are nearest to the format, or else the moving texture.
std::vector<MotionRow> encode_rows(const MeasuredDevice& measured, const MotionFormat& format);

// Adds to a table in the form of tables 2 to 4 a row for each clip: Bjontegaard deltas of `millrace
// encode` with the paper's settings to the JM's stored encodes, and, in columns of its own, to
// x264's. Adds notes on what they are.
void add_encode_deltas(const MeasuredDevice& measured, const MotionFormat& format,
                       DataTable& table);

// Makes one of tables 11 to 13.
Reproduction reproduce_encode_times(const PaperTable& paper, const MeasuredDevice& measured,
                                    const MotionFormat& format);

// Returns the encodes of a format that the tables need. Clips of a size that cannot be encoded are
// left out.
std::vector<PlannedRuns> plan_encodes(const ReproductionPlan& plan, const MotionFormat& format);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_MOTION_ENCODE_REPRODUCTION_H_
