// The search as tasks: a lowest corner is one, and where it has so many neighbours that they do not
// fit into shared memory, spawns one for some of them each.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CORNER_TASKS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CORNER_TASKS_GPU_H_

#include <cstddef>
#include <cstdint>

#include <millrace/algorithms/three_star/corner_lists_gpu.h>
#include <millrace/algorithms/three_star/corner_search_gpu.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/task_set.h>

namespace millrace::MILLRACE_GPU {

// What a search has found so far.
struct CornerCounts {
  std::uint64_t three_stars = 0;
  std::uint64_t pairs = 0;
  std::uint64_t room_used = 0;  // More than there is where corners were left.
  std::uint32_t left = 0;       // Corners.
};

// What all tasks of a search read; in device memory.
struct CornerMemory {
  Reach reach;
  GridView grid{};
  CornerCounts* counts = nullptr;

  // Neighbours that do not fit into shared memory; corners that find no room are left.
  Neighbour* room = nullptr;
  std::uint64_t room_size = 0;
  std::uint32_t* left = nullptr;

  // The points that are searched for; null: those from `first` on.
  const std::uint32_t* corners = nullptr;
  std::uint32_t first = 0;

  MILLRACE_FUNCTION std::uint32_t corner(std::size_t index) const {
    return corners == nullptr ? first + static_cast<std::uint32_t>(index) : corners[index];
  }
};

// What a run of them is given and what it gives back: on the host and, copied, on the device.
struct CornerSearch {
  CornerCounts counts;
  CornerMemory memory;
};

// Writes what stands behind the last neighbour; all lanes of a warp call.
template <class Context>
MILLRACE_FUNCTION void pad(Context& context, const Reach& reach, Neighbour* behind) {
  for (std::uint32_t i = context.lane(); i < kPadding; i += context.lanes()) {
    behind[i] = padding_of(reach);
  }
}

// Some second corners of a lowest corner whose neighbours are in CornerMemory::room, behind the
// ends of their buckets.
struct SearchSome {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr int kRegisters = 96;
  static constexpr std::uint32_t kMost = 128;
  static constexpr std::size_t kEndsBytes = kBuckets * sizeof(std::uint32_t);
  static constexpr std::uint32_t kEndsSize = kEndsBytes / sizeof(Neighbour);

  const CornerMemory* memory;
  const Neighbour* ends;
  std::uint32_t begin;
  std::uint32_t end;

  MILLRACE_FUNCTION static NeighbourList list_behind(const Neighbour* ends) {
    return {ends + kEndsSize, reinterpret_cast<const std::uint32_t*>(ends)};
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(&memory->counts->three_stars,
                count_stars(memory->reach, list_behind(ends), *memory->grid.windows, begin, end));
  }
};

struct CornerScratch {
  static constexpr std::uint32_t kMost = 640;  // So that 20 warps fit into an H200's shared memory,
                                               // with the stacks of a run.
  static constexpr std::uint32_t kMostFound = 480;

  std::uint32_t ends[kBuckets];
  Neighbour neighbours[kMost + kPadding];

  // For kMostFound, where as many neighbours have no use for it.
  MILLRACE_FUNCTION std::uint16_t* found() {
    static_assert(kMostFound * sizeof(std::uint16_t) <=
                  (kMost + kPadding - kMostFound) * sizeof(Neighbour));
    return reinterpret_cast<std::uint16_t*>(neighbours + kMostFound);
  }
};

struct SearchCorner {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr int kRegisters = 96;
  static constexpr std::size_t kScratchBytes = sizeof(CornerScratch);

  const CornerMemory* memory;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    CornerScratch& scratch = *context.template scratch<CornerScratch>(1);
    const Reach reach = memory->reach;
    const GridView grid = memory->grid;
    const CornerLists lists(reach, grid, memory->corner(index));
    std::uint32_t count = lists.find<CornerScratch::kMostFound>(scratch.found());
    context.sync();
    const auto put = [&](std::uint32_t place, float x, float y, std::uint32_t) {
      scratch.neighbours[place] = {x, y};
    };
    const bool is_found = count <= CornerScratch::kMostFound;
    if (is_found) {
      lists.arrange(context, scratch.ends, scratch.found(), count, put);
    } else {
      count = lists.count(context, scratch.ends);
    }
    if (context.lane() == 0) context.add(&memory->counts->pairs, count);
    if (count <= CornerScratch::kMost) {
      if (!is_found) lists.sort(scratch.ends, put);
      pad(context, reach, scratch.neighbours + count);
      context.sync();
      context.add(&memory->counts->three_stars,
                  count_stars(reach, {scratch.neighbours, scratch.ends}, *grid.windows, 0, count));
    } else {
      search_many(context, lists, scratch.ends, count);
    }
    context.sync();  // Before another task has the scratch.
  }

 private:
  template <class Context>
  MILLRACE_FUNCTION void search_many(Context& context, const CornerLists& lists,
                                     std::uint32_t* begins, std::uint32_t count) const {
    const std::uint32_t size = SearchSome::kEndsSize + count + kPadding;
    std::uint64_t place = 0;
    if (context.lane() == 0) {
      place = atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&memory->counts->room_used,
                                                                    std::uint64_t{size});
    }
    place = shuffle(place, 0);
    if (place + size > memory->room_size) {
      if (context.lane() == 0) leave(count);
      return;
    }
    Neighbour* const room = memory->room + place;
    Neighbour* const neighbours = room + SearchSome::kEndsSize;
    lists.sort(begins, [=](std::uint32_t to, float x, float y, std::uint32_t) {
      neighbours[to] = {x, y};
    });
    pad(context, memory->reach, neighbours + count);
    context.sync();
    auto* const ends = reinterpret_cast<std::uint32_t*>(room);
    for (int i = context.lane(); i < kBuckets; i += context.lanes()) ends[i] = begins[i];
    context.sync();
    const std::uint32_t some = SearchSome::kMost;
    for (std::uint32_t i = context.lane(); i * some < count; i += context.lanes()) {
      const std::uint32_t end = (i + 1) * some;
      context.spawn(SearchSome{memory, room, i * some, end < count ? end : count});
    }
  }

  // For another run, which counts its pairs again.
  MILLRACE_FUNCTION void leave(std::uint32_t pairs) const {
    CornerCounts& counts = *memory->counts;
    const std::uint32_t place =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&counts.left, 1u);
    memory->left[place] = memory->corner(index);
    atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&counts.pairs, std::uint64_t{0} - pairs);
  }
};

struct CornerTasks : TaskSet<SearchCorner, SearchSome> {
  using Arguments = const CornerMemory*;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CORNER_TASKS_GPU_H_
