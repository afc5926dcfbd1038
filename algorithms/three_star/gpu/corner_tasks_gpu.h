// SPDX-License-Identifier: Apache-2.0

// The search as tasks, one a lowest corner. Corners whose neighbours do not fit into shared memory
// are left to tasks of another set, which have memory elsewhere and spawn a task for several second
// corners each.
//
// A form defines how neighbours are stored and third corners counted: FloatForm for any radius,
// HalfForm (half_form_gpu.h) if the GPU multiplies matrices.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_TASKS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_TASKS_GPU_H_

#include <millrace/algorithms/three_star/gpu/corner_lists_gpu.h>
#include <millrace/algorithms/three_star/gpu/corner_memory_gpu.h>
#include <millrace/algorithms/three_star/gpu/corner_search_gpu.h>
#include <millrace/algorithms/three_star/gpu/half_form_gpu.h>
#include <millrace/algorithms/three_star/gpu/half_lists_gpu.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Bytes of the bucket ends with which a corner's memory begins.
inline constexpr std::size_t kEndsBytes = kBuckets * sizeof(std::uint32_t);

// Returns the bytes of a corner with this many neighbours, one Record each.
template <class Record>
constexpr std::size_t storage_bytes(std::size_t neighbours) {
  return kEndsBytes + (neighbours + kPadding) * sizeof(Record);
}

// Writes the padding behind the last neighbour. All lanes of a warp call.
template <class Context>
MILLRACE_FUNCTION void pad(Context& context, const Reach& reach, Neighbour* behind) {
  for (std::uint32_t i = context.lane(); i < kPadding; i += context.lanes()) {
    behind[i] = padding_of(reach);
  }
}
template <class Context>
MILLRACE_FUNCTION void pad(Context& context, const Reach& reach, HalfNeighbour* behind) {
  for (std::uint32_t i = context.lane(); i < kPadding; i += context.lanes()) {
    behind[i] = HalfNeighbour::padding(reach);
  }
}

// Single precision, for any radius and any GPU.
struct FloatForm {
  using Record = Neighbour;
  struct Tests {};

  MILLRACE_FUNCTION static Record record(float x, float y) { return {x, y}; }

  MILLRACE_FUNCTION static std::uint32_t count(const Reach& reach, const Record* neighbours,
                                               const std::uint32_t* ends,
                                               const AngleWindows& windows, Tests& /*tests*/,
                                               const IndexRange& seconds) {
    return count_stars(reach, {neighbours, ends}, windows, seconds.begin, seconds.end);
  }
};

template <class Form>
struct CornerScratch;

template <>
struct CornerScratch<FloatForm> {
  static constexpr std::uint32_t kMost = 640;  // Most neighbours.

  std::uint32_t ends[kBuckets];
  Neighbour neighbours[kMost + kPadding];
  std::uint16_t found[kMost];
  FloatForm::Tests tests;

  // Returns the number of neighbours; if it is more than kMost, they are not stored here.
  template <class Context>
  MILLRACE_FUNCTION std::uint32_t fill(Context& context, const Reach& reach, const GridView& grid,
                                       std::uint32_t corner) {
    const CornerLists lists(reach, grid, corner);
    const std::uint32_t count = lists.find<kMost>(found);
    context.sync();
    if (count > kMost) return lists.count(context, ends);
    lists.arrange(context, ends, found, count,
                  [&](std::uint32_t index, float x, float y, std::uint32_t) {
                    neighbours[index] = {x, y};
                  });
    pad(context, reach, neighbours + count);
    return count;
  }
};

template <>
struct CornerScratch<HalfForm> {
  // So that 20 warps fit into an H200's shared memory, and nearly all corners of 204,800 points on
  // 2000 x 2000, with a radius of 50, are searched by one
  // (docs/experiments/three_stars_on_a_gpu.md).
  static constexpr std::uint32_t kMost = 720;

  std::uint32_t ends[kBuckets];
  HalfNeighbour neighbours[kMost + kPadding];
  union {
    std::uint32_t found[kMost];
    HalfForm::Tests tests;
  };
  std::uint8_t buckets[kMost];

  template <class Context>
  MILLRACE_FUNCTION std::uint32_t fill(Context& context, const Reach& reach, const GridView& grid,
                                       std::uint32_t corner) {
    const HalfLists lists(reach.radius, grid, corner);
    const std::uint32_t count = lists.find<kMost>(found);
    if (count > kMost) return count;
    HalfLists::arrange(context, found, count, buckets, ends, neighbours);
    pad(context, reach, neighbours + count);
    return count;
  }
};

template <class Form>
struct SearchCorner {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  static constexpr int kRegisters = 96;
  using Scratch = CornerScratch<Form>;
  static constexpr std::size_t kScratchBytes = sizeof(Scratch);

  const CornerMemory* memory;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    Scratch& scratch = *context.template scratch<Scratch>(1);
    const Reach reach = memory->reach;
    const GridView grid = memory->grid;
    const std::uint32_t corner = memory->corner(index);
    const std::uint32_t count = scratch.fill(context, reach, grid, corner);
    context.sync();
    if (count > Scratch::kMost) {
      memory->take_storage(storage_bytes<typename Form::Record>(count));
      if (context.lane() == 0) memory->leave(corner);
      return;
    }
    if (context.lane() == 0) context.add(&memory->counts->pairs, count);
    context.add(&memory->counts->three_stars,
                Form::count(reach, scratch.neighbours, scratch.ends, *grid.windows, scratch.tests,
                            {.begin = 0, .end = count}));
    context.sync();  // Before another task uses the scratch.
  }
};

template <class Form>
struct CornerTasks : TaskSet<SearchCorner<Form>> {
  using Arguments = const CornerMemory*;
};

// Counts for several second corners of a lowest corner whose neighbours are in
// CornerMemory::storage, behind the ends of their buckets.
template <class Form>
struct SearchSome {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  static constexpr int kRegisters = 96;
  static constexpr std::uint32_t kMost = 128;
  using Scratch = typename Form::Tests;
  static constexpr std::size_t kScratchBytes = sizeof(Scratch);

  const CornerMemory* memory;
  const std::byte* storage;
  std::uint32_t begin;
  std::uint32_t end;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    Scratch& scratch = *context.template scratch<Scratch>(1);
    const auto* const ends = reinterpret_cast<const std::uint32_t*>(storage);
    const auto* const neighbours =
        reinterpret_cast<const typename Form::Record*>(storage + kEndsBytes);
    context.add(&memory->counts->three_stars,
                Form::count(memory->reach, neighbours, ends, *memory->grid.windows, scratch,
                            {.begin = begin, .end = end}));
  }
};

// Searches a corner that has been left.
template <class Form>
struct SearchLarge {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr int kRegisters = 96;
  static constexpr std::size_t kScratchBytes = kEndsBytes;

  const CornerMemory* memory;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    using Record = typename Form::Record;
    auto* const begins = context.template scratch<std::uint32_t>(kBuckets);
    const std::uint32_t corner = memory->corner(index);
    const CornerLists lists(memory->reach, memory->grid, corner);
    const std::uint32_t count = lists.count(context, begins);
    std::byte* const storage = memory->take_storage(storage_bytes<Record>(count));
    if (storage == nullptr) {
      if (context.lane() == 0) memory->leave(corner);
      return;
    }
    if (context.lane() == 0) context.add(&memory->counts->pairs, count);
    auto* const neighbours = reinterpret_cast<Record*>(storage + kEndsBytes);
    lists.sort(begins, [=](std::uint32_t to, float x, float y, std::uint32_t) {
      neighbours[to] = Form::record(x, y);
    });
    pad(context, memory->reach, neighbours + count);
    context.sync();
    auto* const ends = reinterpret_cast<std::uint32_t*>(storage);
    for (int i = context.lane(); i < kBuckets; i += context.lanes()) ends[i] = begins[i];
    context.sync();
    const std::uint32_t some = SearchSome<Form>::kMost;
    for (std::uint32_t i = context.lane(); i * some < count; i += context.lanes()) {
      const std::uint32_t end = (i + 1) * some;
      context.spawn(SearchSome<Form>{memory, storage, i * some, end < count ? end : count});
    }
  }
};

template <class Form>
struct LargeTasks : TaskSet<SearchLarge<Form>, SearchSome<Form>> {
  using Arguments = const CornerMemory*;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_CORNER_TASKS_GPU_H_
