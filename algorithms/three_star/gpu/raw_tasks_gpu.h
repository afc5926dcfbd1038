// SPDX-License-Identifier: Apache-2.0

// Expands 3-stars on a GPU: tasks, one a lowest corner.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_RAW_TASKS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_RAW_TASKS_GPU_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/gpu/corner_lists_gpu.h>
#include <millrace/algorithms/three_star/gpu/corner_search_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_plan_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_tasks_gpu.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/warp_scan.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

using three_star::ThreeStar;

struct RawArguments {
  Reach reach;
  GridView grid;
  const std::uint32_t* ids;         // Ids of the points.
  const RecordPosition* positions;  // One for each point.
  std::uint32_t first;              // Corner, of the first task.
  ThreeStar* stars;
  std::uint64_t* bytes;  // Bytes written, initially 0.
};

// Writes the 3-stars of a lowest corner and a portion of its second corners: a chunk's corners are
// fewer than the warps of a GPU.
struct WriteStars {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  static constexpr int kRegisters = 96;
  static constexpr std::uint32_t kPortions = 8;

  // Holds 3-stars until there are enough for one reservation of memory.
  struct Scratch {
    static constexpr std::uint32_t kMost = 256;

    RecordScratch record;  // `keys` are the ids of neighbours.
    ThreeStar stars[kMost];
  };
  static constexpr std::size_t kScratchBytes = sizeof(Scratch);

  RawArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint32_t corner = arguments.first + static_cast<std::uint32_t>(index / kPortions);
    if (!arguments.positions[corner].has_record()) return;
    Scratch& scratch = *context.template scratch<Scratch>(1);
    RecordScratch& record = scratch.record;
    const CornerLists lists(arguments.reach, arguments.grid, corner);
    const std::uint32_t count = record.fill(
        context, arguments.reach, lists, reinterpret_cast<std::uint16_t*>(scratch.stars),
        [this](std::uint32_t neighbour) { return arguments.ids[neighbour]; });
    write_some(context, scratch, arguments.ids[corner], portion_of(count));
    context.sync();  // Before another task uses the scratch.
  }

 private:
  MILLRACE_FUNCTION IndexRange portion_of(std::uint32_t count) const {
    const auto portion = static_cast<std::uint32_t>(index % kPortions);
    return {count * portion / kPortions, count * (portion + 1) / kPortions};
  }

  template <class Context>
  MILLRACE_FUNCTION void write_some(Context& context, Scratch& scratch, std::uint32_t corner,
                                    const IndexRange& of_second) const {
    const NeighbourList list = {scratch.record.neighbours, scratch.record.ends};
    const auto lanes = static_cast<std::uint32_t>(context.lanes());
    std::uint32_t held = 0;
    const auto write = [&](std::uint32_t j, const StarTest& test, std::uint32_t begin,
                           std::uint32_t end) {
      for (std::uint32_t k = begin; k < end; k += lanes) {
        if (held + lanes > Scratch::kMost) held = hand_on(context, scratch, held);
        held += hold(context, scratch, test, {corner, j, k, end}, held);
      }
    };
    for_each_second(arguments.reach, list, *arguments.grid.windows, of_second, write);
    hand_on(context, scratch, held);
  }

  // Candidates for third corners before `end`, one k a lane.
  struct Candidates {
    std::uint32_t corner;  // Id of the corner.
    std::uint32_t second;  // Index of a neighbour, as all below.
    std::uint32_t k;
    std::uint32_t end;
  };

  // Appends those that are 3-stars to the ones held. Returns their number.
  template <class Context>
  MILLRACE_FUNCTION std::uint32_t hold(Context& context, Scratch& scratch, const StarTest& test,
                                       const Candidates& some, std::uint32_t held) const {
    const std::uint32_t third = some.k + context.lane();
    const bool is_in = third < some.end;
    const Neighbour of_k = scratch.record.neighbours[is_in ? third : some.k];
    const bool is_star =
        is_in && test.is_star(arguments.reach, of_k, test.excess(of_k, of_k.squared()));
    const gpu::LaneMask mask = ballot(is_star);
    if (is_star) {
      const gpu::LaneMask lower = (gpu::LaneMask{1} << context.lane()) - 1;
      const std::uint32_t* const points = scratch.record.keys;
      scratch.stars[held + lanes_in(mask & lower)] =
          three_star::star_of(some.corner, points[some.second], points[third]);
    }
    return lanes_in(mask);
  }

  // Writes the 3-stars held, and empties the memory.
  template <class Context>
  MILLRACE_FUNCTION std::uint32_t hand_on(Context& context, const Scratch& scratch,
                                          std::uint32_t held) const {
    std::uint64_t begin = 0;
    if (context.lane() == 0 && held > 0) {
      begin = atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
          arguments.bytes, std::uint64_t{held} * sizeof(ThreeStar));
    }
    begin = shuffle(begin, 0) / sizeof(std::uint32_t);
    context.sync();
    const auto* const from = reinterpret_cast<const std::uint32_t*>(scratch.stars);
    auto* const to = reinterpret_cast<std::uint32_t*>(arguments.stars) + begin;
    const std::uint32_t words = held * (sizeof(ThreeStar) / sizeof(std::uint32_t));
    for (std::uint32_t i = context.lane(); i < words; i += context.lanes()) to[i] = from[i];
    context.sync();
    return 0;
  }
};

struct RawTasks : TaskSet<WriteStars> {
  using Arguments = RawArguments;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_RAW_TASKS_GPU_H_
