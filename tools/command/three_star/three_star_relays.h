// SPDX-License-Identifier: Apache-2.0

// The table of relays.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_RELAYS_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_RELAYS_H_

#include <ostream>

#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/tools/command/three_star/points/three_star_grid.h>

namespace millrace::tools {

// A line for each relay, in the columns and units of the points:
//
//   relay,x,y,kind,joins
//   0,12.5,7,three-star,s0 s4 s17
//   1,33,-2.25,tree,r0 s9
//
// `joins` lists the neighbours in the tree of all: s and the index of a point, from 0 on, or r and
// that of a relay.
void write_relays(const three_star::Placement& placement, const SensorGrid& grid,
                  std::ostream& out);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_RELAYS_H_
