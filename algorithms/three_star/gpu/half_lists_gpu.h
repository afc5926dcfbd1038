// SPDX-License-Identifier: Apache-2.0

// Finds the neighbours of a lowest corner in half precision and in order of direction, by a warp.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_HALF_LISTS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_HALF_LISTS_GPU_H_

#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/gpu/corner_lists_gpu.h>
#include <millrace/algorithms/three_star/gpu/corner_search_gpu.h>
#include <millrace/algorithms/three_star/gpu/half_form_gpu.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/warp_scan.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// All members are called by all lanes of a task of a warp's width.
class HalfLists {
 public:
  static constexpr std::int32_t kMostRadius = HalfNeighbour::kMostRadius;

  MILLRACE_FUNCTION HalfLists(std::int32_t radius, const GridView& grid, std::uint32_t corner)
      : radius_(radius), grid_(grid), corner_(corner) {}

  // Writes the offsets of the first kMost neighbours from the corner, a word each. Returns the
  // number of neighbours.
  template <std::uint32_t kMost>
  MILLRACE_FUNCTION std::uint32_t find(std::uint32_t* found) const {
    const Point corner = grid_.points[corner_];
    const three_star::CellGrid::Neighbours near = grid_.neighbours[corner_];
    std::uint32_t count = 0;
    for (const IndexRange& range : {near.beside, near.above}) {
      constexpr std::uint32_t kAtOnce = 4;
      const auto lanes = static_cast<std::uint32_t>(warp_width());
      for (std::uint32_t first = range.begin; first < range.end; first += kAtOnce * lanes) {
        Point loaded[kAtOnce];
        for (std::uint32_t u = 0; u < kAtOnce; ++u) {
          const std::uint32_t i = first + u * lanes + lane_index();
          loaded[u] = corner;
          if (i < range.end) loaded[u] = grid_.points[i];
        }
        for (const Point& point : loaded) {
          const std::int32_t x = point.x - corner.x;
          const std::int32_t y = point.y - corner.y;
          const bool is = is_neighbour(x, y);
          const gpu::LaneMask all = ballot(is);
          const std::uint32_t to = count + lanes_in(all & lanes_below());
          if (is && to < kMost) found[to] = word_of(x, y);
          count += lanes_in(all);
        }
      }
    }
    return count;
  }

  // Leaves the beginning of each bucket of `count` neighbours found, and calls take(i, bucket) for
  // each.
  template <class Context, class Take>
  MILLRACE_FUNCTION static void count(Context& context, const std::uint32_t* found,
                                      std::uint32_t count, std::uint32_t* begins,
                                      const Take& take) {
    const auto lanes = static_cast<std::uint32_t>(context.lanes());
    for (std::uint32_t bucket = context.lane(); bucket < kBuckets; bucket += lanes) {
      begins[bucket] = 0;
    }
    context.sync();
    for (std::uint32_t i = context.lane(); i < count; i += lanes) {
      const int bucket = three_star::bucket_of(x_of(found[i]), y_of(found[i]));
      take(i, bucket);
      CornerLists::add_to(&begins[bucket]);
    }
    context.sync();
    CornerLists::sum_buckets(context, begins);
  }

  // Puts `count` neighbours found in order of direction, and leaves the ends of the buckets.
  // Neighbours of a bucket are in no particular order; `buckets` has a byte for each.
  template <class Context>
  MILLRACE_FUNCTION static void arrange(Context& context, const std::uint32_t* found,
                                        std::uint32_t count, std::uint8_t* buckets,
                                        std::uint32_t* ends, HalfNeighbour* neighbours) {
    HalfLists::count(context, found, count, ends, [buckets](std::uint32_t i, int bucket) {
      buckets[i] = static_cast<std::uint8_t>(bucket);
    });
    const auto lanes = static_cast<std::uint32_t>(context.lanes());
    for (std::uint32_t i = context.lane(); i < count; i += lanes) {
      neighbours[CornerLists::add_to(&ends[buckets[i]])] =
          HalfNeighbour::of(x_of(found[i]), y_of(found[i]));
    }
  }

 private:
  static constexpr int kBits = 16;

  // Points around a corner are less than six radii away in x, and four in y.
  MILLRACE_FUNCTION bool is_neighbour(std::int32_t x, std::int32_t y) const {
    const auto squared = static_cast<std::uint32_t>(x * x + y * y);
    const auto least = static_cast<std::uint32_t>(radius_ * radius_) + 1;
    const auto most = static_cast<std::uint32_t>(4 * radius_ * radius_);
    return y * (1 << kBits) + x > 0 && squared - least <= most - least;
  }
  MILLRACE_FUNCTION static std::uint32_t word_of(std::int32_t x, std::int32_t y) {
    return static_cast<std::uint32_t>(y) << kBits | (static_cast<std::uint32_t>(x) & 0xffff);
  }
  MILLRACE_FUNCTION static float x_of(std::uint32_t word) {
    return static_cast<float>(static_cast<std::int16_t>(word & 0xffff));
  }
  MILLRACE_FUNCTION static float y_of(std::uint32_t word) {
    return static_cast<float>(word >> kBits);
  }

  const std::int32_t radius_;
  const GridView& grid_;
  const std::uint32_t corner_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_HALF_LISTS_GPU_H_
