// SPDX-License-Identifier: Apache-2.0

// The input files of `millrace three-star`.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_STAR_INPUTS_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_STAR_INPUTS_H_

#include <millrace/tools/command/three_star/limits/placement_inputs.h>
#include <millrace/tools/command/three_star/points/point_notes.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>
#include <millrace/tools/command/three_star/star_source.h>
#include <millrace/tools/command/three_star/three_star_options.h>

namespace millrace::tools {

// The points, and the conditions on their relays.
struct StarInputs {
  SensorGrid grid;
  PlacementInputs limits = {};
};

// Reads all input files; the points are those of `stars`, unless it is null. Sets `notes` for a
// file of points. Throws what the readers throw, and Error(kInvalidArgument) for points on which
// relays cannot be placed, if that is wanted.
StarInputs read_star_inputs(const ThreeStarOptions& options, const StarFile* stars,
                            PointNotes& notes);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_STAR_INPUTS_H_
