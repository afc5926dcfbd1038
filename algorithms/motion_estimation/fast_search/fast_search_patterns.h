// SPDX-License-Identifier: Apache-2.0

// Orders in which fast searches look at the candidates of a window, in whole samples.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_PATTERNS_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_PATTERNS_H_

#include <millrace/algorithms/motion_estimation/fast_search/fast_search_window.h>

#include <cstdint>
#include <span>

namespace millrace::motion {

// Searches by Zhu and Ma, "A new diamond search algorithm for fast block-matching motion
// estimation", IEEE Transactions on Image Processing 9(2), 2000: from the centre, the large diamond
// until its middle is best, then the small one once.
template <class Sample>
void search_diamond(FastSearchWindow<Sample>& window);

// Knowledge about a partition from others that were searched before.
struct SearchHints {
  std::span<const WholeVector> starts{};  // Candidates to evaluate beside the window's centre.
  std::uint32_t expected_cost = 0;        // 0 if unknown.
};

// Searches in the style of Chen, Zhou and He, "Fast integer-pel and fractional-pel motion
// estimation for H.264/AVC", Journal of Visual Communication and Image Representation 17(2), 2006
// (UMHexagonS): from the best of the starts, a cross that is twice as wide as high, all of 5x5,
// hexagons of 16 points in growing distance, and then a hexagon and a diamond that move until their
// middle is best. A start whose cost is close to the expected one skips the first of these steps.
template <class Sample>
void search_multi_hexagon(FastSearchWindow<Sample>& window, const SearchHints& hints);

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_PATTERNS_H_
