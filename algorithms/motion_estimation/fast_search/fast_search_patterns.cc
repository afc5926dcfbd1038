// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/fast_search_patterns.h>

namespace millrace::motion {
namespace {

constexpr WholeVector kSmallDiamond[] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
constexpr WholeVector kLargeDiamond[] = {{0, -2}, {-1, -1}, {1, -1}, {-2, 0},
                                         {2, 0},  {-1, 1},  {1, 1},  {0, 2}};
constexpr WholeVector kHexagon[] = {{-1, -2}, {1, -2}, {-2, 0}, {2, 0}, {-1, 2}, {1, 2}};
constexpr WholeVector kSixteenPoints[] = {{0, -4}, {-2, -3}, {2, -3}, {-4, -2}, {4, -2}, {-4, -1},
                                          {4, -1}, {-4, 0},  {4, 0},  {-4, 1},  {4, 1},  {-4, 2},
                                          {4, 2},  {-2, 3},  {2, 3},  {0, 4}};

// Limits of a start's cost, in sixteenths of the expected cost, below which only the last steps
// follow, or only those around the start.
constexpr std::uint64_t kConverged = 20;
constexpr std::uint64_t kNear = 28;

template <class Sample>
void look_around(FastSearchWindow<Sample>& window, const WholeVector& middle,
                 std::span<const WholeVector> pattern, int scale = 1) {
  for (const WholeVector& point : pattern) {
    window.look_at(middle + WholeVector{scale * point.x, scale * point.y});
  }
}

template <class Sample>
void move(FastSearchWindow<Sample>& window, std::span<const WholeVector> pattern) {
  WholeVector middle;
  do {
    middle = window.best();
    look_around(window, middle, pattern);
  } while (window.best() != middle);
}

// Evaluates every other sample, as far to the sides as the window extends and half as far up and
// down.
template <class Sample>
void look_at_cross(FastSearchWindow<Sample>& window) {
  const WholeVector middle = window.best();
  for (int x = 1; x <= window.range(); x += 2) {
    window.look_at(middle + WholeVector{-x, 0});
    window.look_at(middle + WholeVector{x, 0});
  }
  for (int y = 1; y <= window.range() / 2; y += 2) {
    window.look_at(middle + WholeVector{0, -y});
    window.look_at(middle + WholeVector{0, y});
  }
}

template <class Sample>
void look_at_square(FastSearchWindow<Sample>& window) {
  const WholeVector middle = window.best();
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) window.look_at(middle + WholeVector{x, y});
  }
}

template <class Sample>
void look_at_hexagons(FastSearchWindow<Sample>& window) {
  const WholeVector middle = window.best();
  for (int scale = 1; scale <= window.range() / 4; ++scale) {
    look_around<Sample>(window, middle, kSixteenPoints, scale);
  }
}

}  // namespace

template <class Sample>
void search_diamond(FastSearchWindow<Sample>& window) {
  window.look_at(window.centre());
  move<Sample>(window, kLargeDiamond);
  look_around<Sample>(window, window.best(), kSmallDiamond);
}

template <class Sample>
void search_multi_hexagon(FastSearchWindow<Sample>& window, const SearchHints& hints) {
  window.look_at(window.centre());
  for (const WholeVector& start : hints.starts) window.look_at(start);
  look_around<Sample>(window, window.best(), kSmallDiamond);
  const std::uint64_t cost = 16 * std::uint64_t{window.best_cost()};
  if (cost > kConverged * hints.expected_cost) {
    if (cost > kNear * hints.expected_cost) look_at_cross(window);
    look_at_square(window);
    if (cost > kNear * hints.expected_cost) look_at_hexagons(window);
  }
  move<Sample>(window, kHexagon);
  move<Sample>(window, kSmallDiamond);
}

template void search_diamond(FastSearchWindow<std::uint8_t>&);
template void search_diamond(FastSearchWindow<std::uint16_t>&);
template void search_multi_hexagon(FastSearchWindow<std::uint8_t>&, const SearchHints&);
template void search_multi_hexagon(FastSearchWindow<std::uint16_t>&, const SearchHints&);

}  // namespace millrace::motion
