// SPDX-License-Identifier: Apache-2.0

// Continuous longitudes for points on both sides of the 180th meridian.
#ifndef MILLRACE_TOOLS_GEOGRAPHY_LONGITUDES_H_
#define MILLRACE_TOOLS_GEOGRAPHY_LONGITUDES_H_

#include <span>

namespace millrace::tools {

// Adds multiples of 360 degrees to longitudes of -360 to 360, so that the widest gap between
// meridians with points is outside of their range. Returns the gap's width.
double cut_at_widest_gap(std::span<double> longitudes);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_GEOGRAPHY_LONGITUDES_H_
