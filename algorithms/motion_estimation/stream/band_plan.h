// SPDX-License-Identifier: Apache-2.0

// The rows of macroblocks that each device of a group searches. Pure functions.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_BAND_PLAN_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_BAND_PLAN_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <vector>

namespace millrace::motion {

// Returns consecutive bands of `rows` rows of macroblocks for devices of such speeds. A device that
// has less than half a row's work gets none; if there is one row, only one device gets a band.
std::vector<MacroblockRows> plan_bands(int rows, const std::vector<double>& speeds);

// Returns true if the bands differ too little to justify allocating other memory.
bool are_alike(const std::vector<MacroblockRows>& bands, const std::vector<MacroblockRows>& others,
               int rows);

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_BAND_PLAN_H_
