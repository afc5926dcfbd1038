// The neighbours of a lowest corner in order of direction, found by a warp.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CORNER_LISTS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CORNER_LISTS_GPU_H_

#include <cstdint>

#include <millrace/algorithms/three_star/corner_search_gpu.h>
#include <millrace/algorithms/three_star/device_grid_gpu.h>
#include <millrace/backends/gpu/api.h>

namespace millrace::MILLRACE_GPU {

// All members are called by all lanes of a task of a warp's width. Its context has the barrier.
class CornerLists {
 public:
  MILLRACE_FUNCTION CornerLists(const Reach& reach, const GridView& grid, std::uint32_t corner)
      : reach_(reach), grid_(grid), corner_(corner) {}

  // Of the corner's cell.
  MILLRACE_FUNCTION const three_star::CellGrid::Neighbours& around() const {
    return grid_.neighbours[corner_];
  }

  // Leaves where each bucket begins. Returns how many neighbours there are.
  template <class Context>
  MILLRACE_FUNCTION std::uint32_t count(Context& context, std::uint32_t* begins) const {
    const int lanes = context.lanes();
    for (int bucket = context.lane(); bucket < kBuckets; bucket += lanes) begins[bucket] = 0;
    context.sync();
    for_each([begins](float x, float y, std::uint32_t) {
      atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&begins[three_star::bucket_of(x, y)],
                                                           1u);
    });
    context.sync();
    // A lane has some buckets side by side.
    const int own = kBuckets / lanes;
    std::uint32_t* const first = begins + own * context.lane();
    std::uint32_t sum = 0;
    for (int i = 0; i < own; ++i) sum += first[i];
    const std::uint32_t end = sum_up_to(sum);
    std::uint32_t begin = end - sum;
    for (int i = 0; i < own; ++i) {
      const std::uint32_t of_bucket = first[i];
      first[i] = begin;
      begin += of_bucket;
    }
    context.sync();
    return shuffle(end, lanes - 1);
  }

  // Calls put(place, x, y, neighbour) for each, with its place in the order of direction, as
  // `begins` say, which become the ends of buckets. Neighbours of a bucket are in no particular
  // order.
  template <class Put>
  MILLRACE_FUNCTION void sort(std::uint32_t* begins, const Put& put) const {
    for_each([&](float x, float y, std::uint32_t neighbour) {
      const std::uint32_t place = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
          &begins[three_star::bucket_of(x, y)], 1u);
      put(place, x, y, neighbour);
    });
  }

  // The sum of the values of this lane and those before it.
  MILLRACE_FUNCTION static std::uint32_t sum_up_to(std::uint32_t value) {
    for (int distance = 1; distance < warp_width(); distance *= 2) {
      const bool has_before = lane_index() >= distance;
      const std::uint32_t before =
          shuffle(value, has_before ? lane_index() - distance : lane_index());
      if (has_before) value += before;
    }
    return value;
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

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CORNER_LISTS_GPU_H_
