// SPDX-License-Identifier: Apache-2.0

// The search on GPUs: a warp has a lowest corner. star_simd.h describes the algorithm.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_SEARCH_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_SEARCH_GPU_H_

#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/backends/gpu/api.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

using three_star::AngleWindows;
using three_star::IndexRange;
using three_star::kBuckets;
using three_star::Offset;
using three_star::Point;

// A neighbour of the lowest corner, relative to it.
struct alignas(8) Neighbour {
  float x;
  float y;

  MILLRACE_FUNCTION float squared() const { return x * x + y * y; }
  MILLRACE_FUNCTION Offset offset() const {
    return {static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)};
  }
};

// Elements of padding_of() behind the last neighbour of a list, so that loops need not end there.
inline constexpr std::uint32_t kPadding = 32;

// Neighbours in order of direction, and the padding.
struct NeighbourList {
  const Neighbour* neighbours;
  const std::uint32_t* ends;  // End of each bucket.

  MILLRACE_FUNCTION std::uint32_t begin_of(int bucket) const {
    return bucket == 0 ? 0 : ends[bucket - 1];
  }
};

// The radius, and constants in single precision that follow from it: star_simd.h.
struct Reach {
  std::int32_t radius;
  float squared;
  float margin;

  MILLRACE_FUNCTION explicit Reach(std::int32_t of_radius)
      : radius(of_radius),
        squared(static_cast<float>(of_radius) * static_cast<float>(of_radius)),
        margin(squared * 0x1p-17F) {}
};

// Returns a neighbour that makes a 3-star with no other, and is not near doing so.
MILLRACE_FUNCTION inline Neighbour padding_of(const Reach& reach) {
  const float far = -16 * static_cast<float>(reach.radius);
  return {far, far};
}

// Returns true if `to_other` leads from a lowest corner to another of a 3-star.
MILLRACE_FUNCTION inline bool is_neighbour(const Reach& reach, std::int32_t x, std::int32_t y) {
  if (y < 0 || (y == 0 && x <= 0)) return false;
  const Neighbour to = {static_cast<float>(x), static_cast<float>(y)};
  const float squared = to.squared();
  if (squared < reach.squared - reach.margin || squared > 4 * reach.squared + reach.margin) {
    return false;
  }
  if (squared > reach.squared + reach.margin && squared < 4 * reach.squared - reach.margin) {
    return true;
  }
  return is_side(to.offset(), reach.radius);
}

// Calls take(x, y, index) for the neighbours in a range, each on a lane of the warp.
template <class Take>
MILLRACE_FUNCTION void for_each_neighbour(const Reach& reach, const Point* points,
                                          const Point& corner, const IndexRange& range,
                                          const Take& take) {
  for (std::uint32_t i = range.begin + lane_index(); i < range.end; i += warp_width()) {
    const Point point = points[i];
    const std::int32_t x = point.x - corner.x;
    const std::int32_t y = point.y - corner.y;
    if (is_neighbour(reach, x, y)) take(static_cast<float>(x), static_cast<float>(y), i);
  }
}

// Calls take(index, is) for all of a range, on all lanes at a time; `is` is true if the lane has a
// neighbour. Several loads are in flight at once.
template <class Take>
MILLRACE_FUNCTION void for_each_candidate(const Reach& reach, const Point* points,
                                          const Point& corner, const IndexRange& range,
                                          const Take& take) {
  constexpr int kAtOnce = 4;
  const auto lanes = static_cast<std::uint32_t>(warp_width());
  for (std::uint32_t first = range.begin; first < range.end; first += kAtOnce * lanes) {
    Point loaded[kAtOnce];
    for (int u = 0; u < kAtOnce; ++u) {
      const std::uint32_t i = first + u * lanes + lane_index();
      loaded[u] = points[i < range.end ? i : range.begin];
    }
    for (int u = 0; u < kAtOnce; ++u) {
      const std::uint32_t i = first + u * lanes + lane_index();
      const std::int32_t x = loaded[u].x - corner.x;
      const std::int32_t y = loaded[u].y - corner.y;
      const bool is = i < range.end && is_neighbour(reach, x, y);
      take(i, is);
    }
  }
}

// Returns 1 if a number is negative, otherwise 0.
MILLRACE_FUNCTION inline std::uint32_t sign_of(float number) {
  return std::bit_cast<std::uint32_t>(number) >> 31;
}

// The conditions of a lowest corner and a neighbour j on a third corner k, counterclockwise of j.
struct StarTest {
  Neighbour j;
  float near_x, near_y;    // Centre times -2 of the circle on the side of k.
  float far_x, far_y;      // Centre times 2 of the other circle.
  float twice_x, twice_y;  // Twice the coordinates of j.
  float least;             // R^2 - |j|^2 + 1/2.

  // `across` is s of star_simd.cc. If j is zeros, no k makes a 3-star.
  MILLRACE_FUNCTION StarTest(const Reach& reach, const Neighbour& of_j, float across)
      : j(of_j),
        near_x(across * j.y - j.x),
        near_y(-across * j.x - j.y),
        far_x(j.x + across * j.y),
        far_y(j.y - across * j.x),
        twice_x(2 * j.x),
        twice_y(2 * j.y),
        least(reach.squared - j.squared() + 0.5F) {}

  MILLRACE_FUNCTION static float across(const Reach& reach, const Neighbour& j) {
    const std::int64_t diameter = std::int64_t{2} * reach.radius;
    const auto rest = static_cast<float>(diameter * diameter - j.offset().squared());
    return sqrtf(rest / j.squared());
  }

  // Squared distances are integers: that of j and k is compared with R^2 by the number half way to
  // the next, so that R itself, which is frequent, is beyond the margin of small radii.
  //
  // Returns a negative number if k makes a 3-star, and one within the margin if only integers can
  // decide. Beyond it, k is inside one circle and outside the other, and so counterclockwise of j,
  // and in its window.
  MILLRACE_FUNCTION float excess(const Neighbour& k, float squared) const {
    const float in_near = near_y * k.y + (near_x * k.x + squared);
    const float off_j = twice_y * k.y + (twice_x * k.x + (least - squared));
    const float off_far = far_y * k.y + (far_x * k.x - squared);
    return fmaxf(in_near, fmaxf(off_j, off_far));
  }

  // Returns true if k makes a 3-star; `excess` is that of k.
  MILLRACE_FUNCTION bool is_star(const Reach& reach, const Neighbour& k, float excess) const {
    if (fabsf(excess) > reach.margin) return excess < 0;
    return three_star::cross(j.offset(), k.offset()) > 0 &&
           is_three_star(j.offset(), k.offset(), reach.radius);
  }
};

// State of the warp's lanes for several neighbours j, one each.
struct SecondCorner {
  Neighbour j;
  float across;
  std::uint32_t begin;  // Begin of the window.
  std::uint32_t end;

  MILLRACE_FUNCTION SecondCorner(const Reach& reach, const NeighbourList& list,
                                 const AngleWindows& windows, std::uint32_t index)
      : j(list.neighbours[index]), across(StarTest::across(reach, j)) {
    const int bucket = three_star::bucket_of(j.x, j.y);
    begin = list.begin_of(windows.first[bucket]);
    end = list.begin_of(windows.end[bucket]);
  }

  // Makes it a j with which no k makes a 3-star.
  MILLRACE_FUNCTION void clear() {
    j = {0, 0};
    across = 0;
  }

  MILLRACE_FUNCTION StarTest test(const Reach& reach) const { return StarTest(reach, j, across); }

  // Returns the test of a lane. All lanes call.
  MILLRACE_FUNCTION StarTest test_of(const Reach& reach, int lane) const {
    const Neighbour of_j = {shuffle(j.x, lane), shuffle(j.y, lane)};
    return StarTest(reach, of_j, shuffle(across, lane));
  }
};

// Calls take(j, test, begin, end) for several neighbours j, one after another, with the window of
// each. All lanes of the warp call, and are called.
template <class Take>
MILLRACE_FUNCTION void for_each_second(const Reach& reach, const NeighbourList& list,
                                       const AngleWindows& windows, const IndexRange& seconds,
                                       const Take& take) {
  const auto lanes = static_cast<std::uint32_t>(warp_width());
  for (std::uint32_t first = seconds.begin; first < seconds.end; first += lanes) {
    const std::uint32_t own = first + lane_index();
    const SecondCorner second(reach, list, windows, own < seconds.end ? own : first);
    const std::uint32_t left = seconds.end - first;
    for (std::uint32_t j = 0; j < (left < lanes ? left : lanes); ++j) {
      const auto lane = static_cast<int>(j);
      const StarTest test = second.test_of(reach, lane);
      take(first + j, test, shuffle(second.begin, lane), shuffle(second.end, lane));
    }
  }
}

// A warp tests several neighbours j at a time with the third corners of all their windows: adjacent
// j have nearly the same ones. This many adjacent lanes have different j, and as many of them each;
// the lanes of a column share the k. More j together are fewer loads, but their windows differ
// more.
inline constexpr int kColumns = 8;
inline constexpr int kTogether = 2;

// Every step-th of a range of third corners k, and perhaps some behind them, for the j of a lane.
struct ThirdCorners {
  // Independent tests at once.
  static constexpr std::uint32_t kAtOnce = 2;

  const Neighbour* neighbours;
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t step;

  // Calls take(test, k, excess) for all tests and k.
  template <class Take>
  MILLRACE_FUNCTION void for_each(const StarTest (&tests)[kTogether], const Take& take) const {
    for (std::uint32_t i = begin; i < end; i += kAtOnce * step) {
      Neighbour thirds[kAtOnce];
      for (std::uint32_t u = 0; u < kAtOnce; ++u) thirds[u] = neighbours[i + u * step];
      for (const Neighbour& k : thirds) {
        const float squared = k.squared();
        for (const StarTest& test : tests) take(test, k, test.excess(k, squared));
      }
    }
  }

  // The loop that takes nearly all of the time has no branch: if integers are needed, which is
  // rare, it is run again.
  MILLRACE_FUNCTION std::uint32_t count(const Reach& reach,
                                        const StarTest (&tests)[kTogether]) const {
    std::uint32_t stars = 0;
    float closest = reach.squared;
    for_each(tests, [&](const StarTest&, const Neighbour&, float excess) {
      stars += sign_of(excess);
      closest = fminf(closest, fabsf(excess));
    });
    if (closest > reach.margin) return stars;
    stars = 0;
    for_each(tests, [&](const StarTest& test, const Neighbour& k, float excess) {
      stars += test.is_star(reach, k, excess) ? 1 : 0;
    });
    return stars;
  }
};

// Returns which of 32 neighbours from `first` on make 3-stars with the j of a lane, the first one's
// bit the lowest. Lanes need not have the same j.
MILLRACE_FUNCTION inline std::uint32_t stars_among(const Reach& reach, const StarTest& test,
                                                   const Neighbour* first) {
  constexpr int kAtOnce = 8;
  std::uint32_t bits = 0;
  float closest = reach.squared;
  for (int end = 32; end > 0; end -= kAtOnce) {
    for (int i = 1; i <= kAtOnce; ++i) {
      const Neighbour k = first[end - i];
      const float excess = test.excess(k, k.squared());
      bits = bits << 1 | sign_of(excess);
      closest = fminf(closest, fabsf(excess));
    }
  }
  if (closest > reach.margin) return bits;
  bits = 0;
  for (int i = 31; i >= 0; --i) {
    const bool is_star = test.is_star(reach, first[i], test.excess(first[i], first[i].squared()));
    bits = bits << 1 | (is_star ? 1U : 0U);
  }
  return bits;
}

// Returns this lane's portion of the number of 3-stars that have neighbours j_begin to j_end - 1 of
// a lowest corner as the second one counterclockwise. All lanes of the warp call.
MILLRACE_FUNCTION inline std::uint32_t count_stars(const Reach& reach, const NeighbourList& list,
                                                   const AngleWindows& windows,
                                                   std::uint32_t j_begin, std::uint32_t j_end) {
  const auto lanes = static_cast<std::uint32_t>(warp_width());
  const int column = lane_index() % kColumns;
  const std::uint32_t row = lane_index() / kColumns;
  std::uint32_t stars = 0;
  for (std::uint32_t first = j_begin; first < j_end; first += lanes) {
    const std::uint32_t own = first + lane_index();
    SecondCorner second(reach, list, windows, own < j_end ? own : first);
    if (own >= j_end) second.clear();
    const int count = static_cast<int>(j_end - first < lanes ? j_end - first : lanes);
    for (int group = 0; group < count; group += kColumns * kTogether) {
      const int end = group + kColumns * kTogether < count ? group + kColumns * kTogether : count;
      // Windows begin and end in the order of j.
      const ThirdCorners thirds = {list.neighbours, shuffle(second.begin, group) + row,
                                   shuffle(second.end, end - 1), lanes / kColumns};
      const StarTest tests[kTogether] = {second.test_of(reach, group + column),
                                         second.test_of(reach, group + kColumns + column)};
      stars += thirds.count(reach, tests);
    }
  }
  return stars;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_SEARCH_GPU_H_
