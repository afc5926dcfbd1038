// SPDX-License-Identifier: Apache-2.0

// Counts 3-stars by the matrix units of a GPU: corner_search_gpu.h with neighbours in half
// precision, which is exact up to a radius, and a product for each of the three conditions.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_HALF_FORM_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_HALF_FORM_GPU_H_

#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/gpu/corner_search_gpu.h>
#include <millrace/algorithms/three_star/gpu/device_grid_gpu.h>
#include <millrace/algorithms/three_star/gpu/matrix_products_gpu.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/warp_scan.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// A neighbour of the lowest corner, relative to it: x, y, and x^2 + y^2 in units of kUnit and the
// remainder, all of them integers.
struct alignas(8) HalfNeighbour {
  static constexpr std::int32_t kMostRadius = 1024;
  static constexpr int kUnitBits = 11;
  static constexpr float kUnit = 1 << kUnitBits;

  std::uint32_t words[2];

  MILLRACE_FUNCTION static HalfNeighbour of(float x, float y) {
    const auto squared = static_cast<std::uint32_t>(x * x + y * y);
    return {halves_of(x, y), halves_of(static_cast<float>(squared >> kUnitBits),
                                       static_cast<float>(squared & ((1U << kUnitBits) - 1)))};
  }
  // Returns the element of padding_of() in this form.
  MILLRACE_FUNCTION static HalfNeighbour padding(const Reach& /*reach*/) {
    return {0, halves_of(32768, 0)};
  }

  MILLRACE_FUNCTION float x() const { return low_half(words[0]); }
  MILLRACE_FUNCTION float y() const { return high_half(words[0]); }
};

// Factors of the products: for each of several second corners, the words of the first and the third
// condition that the lanes of a row have (add_products), and the varying part of the second
// condition.
struct alignas(16) HalfTest {
  std::uint32_t near[4];
  std::uint32_t far[4];
  std::uint32_t twice;  // -2x and -2y.
  float least;          // StarTest::least times -1.
  std::uint32_t unused[2];
};

// The conditions are those of StarTest, times -1: positive where k makes a 3-star. A lane has two j
// and two k of each product. Coefficients are sums of three halves, as exact as singles.
class HalfTests {
 public:
  // A product's j and k.
  static constexpr std::uint32_t kSeconds = 16;
  static constexpr std::uint32_t kThirds = 8;

  // Writes the test of `second`, the calling lane's.
  template <class Second>
  MILLRACE_FUNCTION static HalfTest test_of(const Reach& reach, const Second& second) {
    const Neighbour& j = second.j;
    const float a = second.across;
    HalfTest test;
    split(j.x - a * j.y, j.y + a * j.x, halves_of(-HalfNeighbour::kUnit, -1), test.near);
    split(-j.x - a * j.y, a * j.x - j.y, halves_of(HalfNeighbour::kUnit, 1), test.far);
    test.twice = halves_of(-2 * j.x, -2 * j.y);
    test.least = j.squared() - reach.squared - 0.5F;
    return test;
  }

  // Loads the tests first[0] to first[kSeconds - 1].
  MILLRACE_FUNCTION explicit HalfTests(const HalfTest* first) {
    const int row = lane_index() / 4;
    const int pair = lane_index() % 4;
    const std::uint32_t of_squares = halves_of(HalfNeighbour::kUnit, 1);
    for (int i = 0; i < 2; ++i) {
      const HalfTest& test = first[row + 8 * i];
      near_[i] = test.near[pair];
      far_[i] = test.far[pair];
      twice_[i] = pair == 0 ? test.twice : pair == 1 ? of_squares : 0;
      least_[i] = test.least;
    }
  }

  // Calls take(least, i) with i from 0 to 3 for the lane's j and k: j is row(i) of the tests, and k
  // column(i) from `thirds` on. If two conditions are not met, `least` may be either.
  template <class Take>
  MILLRACE_FUNCTION void for_each(const HalfNeighbour* thirds, const Take& take) const {
    const std::uint32_t k = thirds[lane_index() / 4].words[lane_index() % 4 == 1];
    float near[4] = {};
    float far[4] = {};
    float off_j[4] = {least_[0], least_[0], least_[1], least_[1]};
    add_products(near, near_[0], near_[1], k);
    add_products(off_j, twice_[0], twice_[1], k);
    add_products(far, far_[0], far_[1], k);
    for (int i = 0; i < 4; ++i) take(least_of(near[i], off_j[i], far[i]), i);
  }

  MILLRACE_FUNCTION static int row(int i) { return lane_index() / 4 + i / 2 * 8; }
  MILLRACE_FUNCTION static int column(int i) { return lane_index() % 4 * 2 + i % 2; }

 private:
  // Splits a pair of numbers; in the lanes that have squares, it takes the factor of these instead.
  MILLRACE_FUNCTION static void split(float x, float y, std::uint32_t of_squares,
                                      std::uint32_t (&words)[4]) {
    words[0] = halves_of(x, y);
    words[1] = of_squares;
    const float rest_x = x - low_half(words[0]);
    const float rest_y = y - high_half(words[0]);
    words[2] = halves_of(rest_x, rest_y);
    words[3] = halves_of(rest_x - low_half(words[2]), rest_y - high_half(words[2]));
  }

  // Compares as integers, which is one instruction: returns the least if all are positive,
  // otherwise one that is not, and of those the nearest to zero.
  MILLRACE_FUNCTION static float least_of(float a, float b, float c) {
    const auto of_a = std::bit_cast<std::int32_t>(a);
    const auto of_b = std::bit_cast<std::int32_t>(b);
    const auto of_c = std::bit_cast<std::int32_t>(c);
    const std::int32_t of_both = of_a < of_b ? of_a : of_b;
    return std::bit_cast<float>(of_both < of_c ? of_both : of_c);
  }

  std::uint32_t near_[2];
  std::uint32_t far_[2];
  std::uint32_t twice_[2];
  float least_[2];
};

// For radii up to HalfNeighbour::kMostRadius and warps of kMatrixLanes.
struct HalfForm {
  using Record = HalfNeighbour;

  MILLRACE_FUNCTION static Record record(float x, float y) { return HalfNeighbour::of(x, y); }

  // Shared memory of a warp's search.
  struct Tests {
    HalfTest of_lanes[kMatrixLanes];
  };

  // Counts a lane's third corners of a group of second ones, from `begin` to `end` and several
  // behind.
  MILLRACE_FUNCTION static std::uint32_t count_group(const Reach& reach, const HalfTests& tests,
                                                     const HalfNeighbour* seconds,
                                                     const HalfNeighbour* neighbours,
                                                     std::uint32_t begin, std::uint32_t end) {
    const float margin = margin_of(reach);
    std::uint32_t others = 0;
    float closest = reach.squared;
    const auto add = [&](float least, int) {
      others += sign_of(least);
      closest = fminf(closest, fabsf(least));
    };
    std::uint32_t k = begin;
    for (; k + HalfTests::kThirds < end; k += 2 * HalfTests::kThirds) {
      tests.for_each(neighbours + k, add);
      tests.for_each(neighbours + k + HalfTests::kThirds, add);
    }
    if (k < end) {
      tests.for_each(neighbours + k, add);
      k += HalfTests::kThirds;
    }
    if (ballot(closest <= margin) == 0) return (k - begin) / HalfTests::kThirds * 4 - others;
    std::uint32_t stars = 0;
    for (k = begin; k < end; k += HalfTests::kThirds) {
      tests.for_each(neighbours + k, [&](float least, int i) {
        const bool is_star = fabsf(least) > margin
                                 ? least > 0
                                 : is_exactly(reach, seconds[HalfTests::row(i)],
                                              neighbours[k + HalfTests::column(i)]);
        stars += is_star ? 1 : 0;
      });
    }
    return stars;
  }

  // Counts like count_stars().
  MILLRACE_FUNCTION static std::uint32_t count(const Reach& reach, const HalfNeighbour* neighbours,
                                               const std::uint32_t* ends,
                                               const AngleWindows& windows, Tests& tests,
                                               const IndexRange& range) {
    constexpr std::uint32_t kLanes = kMatrixLanes;
    const auto [j_begin, j_end] = range;
    const auto begin_of = [ends](int bucket) { return bucket == 0 ? 0 : ends[bucket - 1]; };
    std::uint32_t stars = 0;
    for (std::uint32_t first = j_begin; first < j_end; first += kLanes) {
      const std::uint32_t own = first + lane_index();
      const HalfNeighbour& neighbour = neighbours[own < j_end ? own : first];
      Second second = {{neighbour.x(), neighbour.y()}, 0};
      const int bucket = three_star::bucket_of(second.j.x, second.j.y);
      const std::uint32_t begin = begin_of(windows.first[bucket]);
      const std::uint32_t end = begin_of(windows.end[bucket]);
      if (own < j_end) {
        second.across = across(reach, second.j);
      } else {
        second.j = {0, 0};
      }
      tests.of_lanes[lane_index()] = HalfTests::test_of(reach, second);
      sync_warp();
      const std::uint32_t count = j_end - first < kLanes ? j_end - first : kLanes;
      for (std::uint32_t group = 0; group < count; group += HalfTests::kSeconds) {
        const std::uint32_t last =
            (group + HalfTests::kSeconds < count ? group + HalfTests::kSeconds : count) - 1;
        // Windows begin and end in the order of j.
        const std::uint32_t k_begin = shuffle(begin, static_cast<int>(group));
        const std::uint32_t k_end = shuffle(end, static_cast<int>(last));
        if (k_begin >= k_end) continue;
        stars += count_group(reach, HalfTests(tests.of_lanes + group), neighbours + first + group,
                             neighbours, k_begin, k_end);
      }
      sync_warp();  // The tests are overwritten next.
    }
    return stars;
  }

 private:
  struct Second {
    Neighbour j;
    float across;
  };

  // Returns `across` of StarTest, for small integers.
  MILLRACE_FUNCTION static float across(const Reach& reach, const Neighbour& j) {
    const float squared = j.squared();
    return sqrtf((4 * reach.squared - squared) / squared);
  }

  // Twice that of singles: sums in a product are truncated, not rounded.
  MILLRACE_FUNCTION static float margin_of(const Reach& reach) { return 2 * reach.margin; }

  MILLRACE_FUNCTION static bool is_exactly(const Reach& reach, const HalfNeighbour& second,
                                           const HalfNeighbour& third) {
    const three_star::Offset j = {static_cast<std::int32_t>(second.x()),
                                  static_cast<std::int32_t>(second.y())};
    const three_star::Offset k = {static_cast<std::int32_t>(third.x()),
                                  static_cast<std::int32_t>(third.y())};
    return three_star::cross(j, k) > 0 && is_three_star(j, k, reach.radius);
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_HALF_FORM_GPU_H_
