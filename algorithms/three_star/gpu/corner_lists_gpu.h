// SPDX-License-Identifier: Apache-2.0

// Finds the neighbours of a lowest corner in order of direction, by a warp.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_LISTS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_LISTS_GPU_H_

#include <millrace/algorithms/three_star/gpu/corner_search_gpu.h>
#include <millrace/algorithms/three_star/gpu/device_grid_gpu.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/warp_scan.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// All members are called by all lanes of a task of a warp's width. Its context has the barrier.
class CornerLists {
 public:
  MILLRACE_FUNCTION CornerLists(const Reach& reach, const GridView& grid, std::uint32_t corner)
      : reach_(reach), grid_(grid), corner_(corner) {}

  MILLRACE_FUNCTION std::uint32_t corner() const { return corner_; }

  // Returns the neighbourhood of the corner's cell.
  MILLRACE_FUNCTION const three_star::CellGrid::Neighbours& around() const {
    return grid_.neighbours[corner_];
  }

  // Writes the indices of those around() that are neighbours, the first kMost. Returns their
  // number, or more than kMost if indices do not have enough bits.
  template <std::uint32_t kMost>
  MILLRACE_FUNCTION std::uint32_t find(std::uint16_t* found) const {
    const Point corner = grid_.points[corner_];
    const three_star::CellGrid::Neighbours& near = around();
    if (near.size() > 65536) return kMost + 1;
    std::uint32_t count = 0;
    for (const IndexRange& range : {near.beside, near.above}) {
      for_each_candidate(reach_, grid_.points, corner, range, [&](std::uint32_t index, bool is) {
        const gpu::LaneMask all = ballot(is);
        const std::uint32_t to = count + lanes_in(all & lanes_below());
        if (is && to < kMost) found[to] = static_cast<std::uint16_t>(near.local_index(index));
        count += lanes_in(all);
      });
    }
    return count;
  }

  // Calls put(index, x, y, neighbour) for `count` neighbours found, with their indices in the order
  // of direction. Leaves the ends of the buckets. Neighbours of a bucket are in no particular
  // order.
  template <class Context, class Put>
  MILLRACE_FUNCTION void arrange(Context& context, std::uint32_t* ends, const std::uint16_t* found,
                                 std::uint32_t count, const Put& put) const {
    const Point corner = grid_.points[corner_];
    const three_star::CellGrid::Neighbours near = around();
    const auto for_each_found = [&](const auto& take) {
      for (std::uint32_t i = context.lane(); i < count; i += context.lanes()) {
        const std::uint32_t neighbour = near.grid_index(found[i]);
        const Point point = grid_.points[neighbour];
        take(static_cast<float>(point.x - corner.x), static_cast<float>(point.y - corner.y),
             neighbour);
      }
    };
    for (int bucket = context.lane(); bucket < kBuckets; bucket += context.lanes()) {
      ends[bucket] = 0;
    }
    context.sync();
    for_each_found(
        [&](float x, float y, std::uint32_t) { add_to(&ends[three_star::bucket_of(x, y)]); });
    context.sync();
    sum_buckets(context, ends);
    for_each_found([&](float x, float y, std::uint32_t neighbour) {
      put(add_to(&ends[three_star::bucket_of(x, y)]), x, y, neighbour);
    });
  }

  // Returns the number before the addition.
  MILLRACE_FUNCTION static std::uint32_t add_to(std::uint32_t* bucket) {
    return atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(bucket, 1u);
  }

  // Replaces the numbers of neighbours in the buckets by their beginnings. Returns the sum.
  template <class Context>
  MILLRACE_FUNCTION static std::uint32_t sum_buckets(Context& context, std::uint32_t* begins) {
    // A lane has several adjacent buckets.
    const int own = kBuckets / context.lanes();
    std::uint32_t* const first = begins + own * context.lane();
    std::uint32_t sum = 0;
    for (int i = 0; i < own; ++i) sum += first[i];
    const std::uint32_t end = inclusive_sum(sum);
    std::uint32_t begin = end - sum;
    for (int i = 0; i < own; ++i) {
      const std::uint32_t of_bucket = first[i];
      first[i] = begin;
      begin += of_bucket;
    }
    context.sync();
    return shuffle(end, context.lanes() - 1);
  }

  // For more neighbours than fit in memory as they are found: leaves the beginning of each bucket.
  // Returns the number of neighbours.
  template <class Context>
  MILLRACE_FUNCTION std::uint32_t count(Context& context, std::uint32_t* begins) const {
    for (int bucket = context.lane(); bucket < kBuckets; bucket += context.lanes()) {
      begins[bucket] = 0;
    }
    context.sync();
    for_each([begins](float x, float y, std::uint32_t) {
      add_to(&begins[three_star::bucket_of(x, y)]);
    });
    context.sync();
    return sum_buckets(context, begins);
  }

  // After count(), calls put(index, x, y, neighbour) for each, with its index in order by `begins`,
  // which become the ends of buckets. Neighbours of a bucket are in no particular order.
  template <class Put>
  MILLRACE_FUNCTION void sort(std::uint32_t* begins, const Put& put) const {
    for_each([&](float x, float y, std::uint32_t neighbour) {
      put(add_to(&begins[three_star::bucket_of(x, y)]), x, y, neighbour);
    });
  }

 private:
  template <class Take>
  MILLRACE_FUNCTION void for_each(const Take& take) const {
    const Point corner = grid_.points[corner_];
    const auto& near = around();
    for_each_neighbour(reach_, grid_.points, corner, near.beside, take);
    for_each_neighbour(reach_, grid_.points, corner, near.above, take);
  }

  const Reach& reach_;
  const GridView& grid_;
  const std::uint32_t corner_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_LISTS_GPU_H_
