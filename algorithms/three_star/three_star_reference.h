// SPDX-License-Identifier: Apache-2.0

// Tests the definition on all triples: the oracle of every test.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_REFERENCE_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_REFERENCE_H_

#include <millrace/algorithms/three_star/point.h>

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Returns all 3-stars in order. Time grows with the number of pairs of points within two radii of
// each other, times the number of points.
std::vector<ThreeStar> find_three_stars_reference(std::span<const Point> points,
                                                  std::int32_t radius);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_REFERENCE_H_
