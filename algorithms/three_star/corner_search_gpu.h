// The search on GPUs: a warp has a lowest corner. What it does is what star_simd.h says of the CPU.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CORNER_SEARCH_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CORNER_SEARCH_GPU_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/backends/gpu/api.h>

namespace millrace::MILLRACE_GPU {

using three_star::AngleWindows;
using three_star::kBuckets;
using three_star::Offset;
using three_star::PlaceRange;
using three_star::Point;

// A neighbour of the lowest corner, seen from there.
struct alignas(8) Neighbour {
  float x;
  float y;

  MILLRACE_FUNCTION float squared() const { return x * x + y * y; }
  MILLRACE_FUNCTION Offset offset() const {
    return {static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)};
  }
};

// Neighbours in order of direction.
struct NeighbourList {
  const Neighbour* neighbours;
  const std::uint32_t* ends;  // Of each bucket.

  MILLRACE_FUNCTION std::uint32_t begin_of(int bucket) const {
    return bucket == 0 ? 0 : ends[bucket - 1];
  }
};

// The radius, and what it makes of single precision: star_simd.h.
struct Reach {
  std::int32_t radius;
  float squared;
  float margin;

  MILLRACE_FUNCTION explicit Reach(std::int32_t of_radius)
      : radius(of_radius),
        squared(static_cast<float>(of_radius) * static_cast<float>(of_radius)),
        margin(squared * 0x1p-17F) {}
};

// Whether `to_other` leads from a lowest corner to another of a 3-star.
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

// Calls take(x, y, place) for the neighbours among some places, each on a lane of the warp.
template <class Take>
MILLRACE_FUNCTION void for_each_neighbour(const Reach& reach, const Point* points,
                                          const Point& corner, const PlaceRange& places,
                                          const Take& take) {
  for (std::uint32_t i = places.begin + lane_index(); i < places.end; i += warp_width()) {
    const Point point = points[i];
    const std::int32_t x = point.x - corner.x;
    const std::int32_t y = point.y - corner.y;
    if (is_neighbour(reach, x, y)) take(static_cast<float>(x), static_cast<float>(y), i);
  }
}

// What a lowest corner and a neighbour j ask of a third corner k.
struct StarTest {
  Neighbour j;
  float near_x, near_y;  // Of the circle on the side of k, the centre times -2.
  float far_x, far_y;    // Of the other circle, times 2.
  float least;           // R^2 - |j|^2.
  std::uint32_t begin;   // The window.
  std::uint32_t size;

  // `across` is s of star_simd.cc.
  MILLRACE_FUNCTION StarTest(const Reach& reach, const Neighbour& of_j, float across,
                             std::uint32_t of_begin, std::uint32_t of_size)
      : j(of_j),
        near_x(across * j.y - j.x),
        near_y(-across * j.x - j.y),
        far_x(j.x + across * j.y),
        far_y(j.y - across * j.x),
        least(reach.squared - j.squared()),
        begin(of_begin),
        size(of_size) {}

  MILLRACE_FUNCTION static float across(const Reach& reach, const Neighbour& j) {
    const std::int64_t diameter = std::int64_t{2} * reach.radius;
    const auto rest = static_cast<float>(diameter * diameter - j.offset().squared());
    return sqrtf(rest / j.squared());
  }

  MILLRACE_FUNCTION bool is_star(const Reach& reach, const Neighbour& k, float squared,
                                 std::uint32_t place) const {
    const float in_near = near_y * k.y + (near_x * k.x + squared);
    const float off_j = 2 * j.y * k.y + (2 * j.x * k.x + (least - squared));
    const float off_far = far_y * k.y + (far_x * k.x - squared);
    const float most = fmaxf(in_near, fmaxf(off_j, off_far));
    if (most > reach.margin || place - begin >= size) return false;
    if (most < -reach.margin) return true;
    return is_three_star(j.offset(), k.offset(), reach.radius);
  }
};

// What the warp's lanes know of some neighbours j, one each.
struct SecondCorner {
  Neighbour j;
  float across;
  std::uint32_t begin;  // The window.
  std::uint32_t size;

  MILLRACE_FUNCTION SecondCorner(const Reach& reach, const NeighbourList& list,
                                 const AngleWindows& windows, std::uint32_t place)
      : j(list.neighbours[place]), across(StarTest::across(reach, j)) {
    const int bucket = three_star::bucket_of(j.x, j.y);
    begin = list.begin_of(windows.first[bucket]);
    size = list.begin_of(windows.end[bucket]) - begin;
  }

  // That of a lane; all call.
  MILLRACE_FUNCTION StarTest test_of(const Reach& reach, int lane) const {
    const Neighbour of_j = {shuffle(j.x, lane), shuffle(j.y, lane)};
    return StarTest(reach, of_j, shuffle(across, lane), shuffle(begin, lane), shuffle(size, lane));
  }
};

// Neighbours j that are tried with each k together.
inline constexpr int kTogether = 4;

// Of the 3-stars that have neighbours j_begin to j_end - 1 of a lowest corner as the second one
// counterclockwise, this lane's share. All lanes of the warp call.
MILLRACE_FUNCTION inline std::uint32_t count_stars(const Reach& reach, const NeighbourList& list,
                                                   const AngleWindows& windows,
                                                   std::uint32_t j_begin, std::uint32_t j_end) {
  const auto lanes = static_cast<std::uint32_t>(warp_width());
  std::uint32_t stars = 0;
  for (std::uint32_t first = j_begin; first < j_end; first += lanes) {
    const std::uint32_t own = first + lane_index();
    SecondCorner second(reach, list, windows, own < j_end ? own : first);
    if (own >= j_end) second.size = 0;
    const std::uint32_t count = j_end - first < lanes ? j_end - first : lanes;
    for (std::uint32_t group = 0; group < count; group += kTogether) {
      const auto test_of = [&](int j) {
        return second.test_of(reach, static_cast<int>(group) + j);
      };
      const StarTest tests[kTogether] = {test_of(0), test_of(1), test_of(2), test_of(3)};
      std::uint32_t window_end = 0;
      for (const StarTest& test : tests) {
        const std::uint32_t test_end = test.size > 0 ? test.begin + test.size : 0;
        window_end = test_end > window_end ? test_end : window_end;
      }
      for (std::uint32_t k = tests[0].begin + lane_index(); k < window_end; k += lanes) {
        const Neighbour of_k = list.neighbours[k];
        const float squared = of_k.squared();
        for (const StarTest& test : tests) stars += test.is_star(reach, of_k, squared, k) ? 1 : 0;
      }
    }
  }
  return stars;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CORNER_SEARCH_GPU_H_
