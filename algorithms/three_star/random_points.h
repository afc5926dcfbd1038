// SPDX-License-Identifier: Apache-2.0

// Points for benchmarks and examples, the same on all machines.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_RANDOM_POINTS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_RANDOM_POINTS_H_

#include <millrace/algorithms/three_star/point.h>

#include <cstddef>
#include <vector>

namespace millrace::three_star {

// Returns `count` points, independent and uniform on width x width, from SplitMix64 with a state of
// 1: the first of 2000 x 2000 are (1133, 1491), (1942, 888), (888, 1525).
std::vector<Point> random_points(std::size_t count, std::int32_t width = 2000);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_RANDOM_POINTS_H_
