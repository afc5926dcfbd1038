// SPDX-License-Identifier: Apache-2.0

// Which rows of macroblocks each device of a group searches. Pure functions.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_BAND_PLAN_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_BAND_PLAN_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <vector>

namespace millrace::motion {

// Bands of `rows` rows of macroblocks for devices of such speeds, one behind the other. A device
// that has less than half a row's work gets none; no band but one where there is one row.
std::vector<MacroblockRows> plan_bands(int rows, const std::vector<double>& speeds);

// Whether it is not worth to take other memory for other bands of so many rows in all.
bool are_alike(const std::vector<MacroblockRows>& bands, const std::vector<MacroblockRows>& others,
               int rows);

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_BAND_PLAN_H_
