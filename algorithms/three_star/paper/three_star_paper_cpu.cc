// SPDX-License-Identifier: Apache-2.0

// The paper's method on the CPU: as many searchers as there are cores.
#include <millrace/algorithms/three_star/paper/make_paper_chunks_op.h>
#include <millrace/algorithms/three_star/paper/narrow_sides.h>
#include <millrace/algorithms/three_star/paper/paper_tables.h>
#include <millrace/algorithms/three_star/paper/wide_sides.h>
#include <millrace/backends/cpu/task_target.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace millrace::three_star {
namespace {

std::uint64_t now() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

template <class T>
T add(T& value, T more) {
  return std::atomic_ref(value).fetch_add(more);
}

// Searches for one chunk, as one searcher.
template <class Sides>
class Searcher {
 public:
  Searcher(const PaperSearch& search, const Sides& sides)
      : search_(search), grid_(search.grid), sides_(sides) {}

  void run(std::uint32_t number) {
    const std::uint64_t start = now();
    bool has_work = take_left(number) || take_cell();
    while (has_work && search_cell()) has_work = take_cell();
    if (has_work) leave();
    add(search_.state->ticks.report, report_ticks_);
    add(search_.state->ticks.all, now() - start);
    if (add(search_.state->finished, 1U) + 1 == search_.searchers) search_.close();
  }

 private:
  // Returns the step of a cursor: a first corner, from its segment's beginning, and a second one.
  static constexpr std::uint32_t step_of(std::uint32_t first, std::uint32_t second) {
    return first * kSegmentPoints + second;
  }

  bool take_left(std::uint32_t number) {
    const PaperState& state = *search_.state;
    if (number >= state.left[state.turn]) return false;
    const PaperLeft& left = search_.left_of(state.turn, number);
    cursor_ = left.cursor;
    staged_ = left.staged;
    std::memcpy(stage_.data(), search_.stage_of(state.turn, number), staged_ * sizeof stage_[0]);
    return true;
  }

  bool take_cell() {
    const std::uint64_t cell = add(search_.state->next_cell, std::uint64_t{1});
    cursor_ = {.cell = static_cast<std::uint32_t>(cell)};
    return cell < grid_.cell_count;
  }

  void leave() {
    const std::uint32_t turn = 1 - search_.state->turn;
    const std::uint32_t index = add(search_.state->left[turn], 1U);
    search_.left_of(turn, index) = {cursor_, staged_};
    std::memcpy(search_.stage_of(turn, index), stage_.data(), staged_ * sizeof stage_[0]);
  }

  // Returns false if the chunk is full: then the cursor is where to continue.
  bool search_cell() {
    const PaperCell& cell = grid_.cells[cursor_.cell];
    if (!settle(cell, cursor_)) return true;
    do {
      if (!search_segments(cell) || !flush(cell)) return false;
    } while (next_segments(cell, cursor_));
    return true;
  }

  // Returns the first point of a segment that can be a third corner beside that second one.
  static std::uint32_t first_third(const PaperRanges& ranges, std::uint32_t second,
                                   const IndexRange& third) {
    return ranges.third == ranges.second && second >= third.begin ? second + 1 - third.begin : 0;
  }

  bool search_segments(const PaperCell& cell) {
    const PaperRanges ranges(cursor_.combination);
    const IndexRange own = segment_of(cell.ranges[0], cursor_.segments[0]);
    const IndexRange second = segment_of(cell.ranges[ranges.second], cursor_.segments[1]);
    const IndexRange third = segment_of(cell.ranges[ranges.third], cursor_.segments[2]);
    for (std::uint32_t i = cursor_.step / kSegmentPoints; i < own.size(); ++i) {
      const Point& at = grid_.points[own.begin + i];
      for (std::uint32_t j = cursor_.step % kSegmentPoints; j < second.size(); ++j) {
        if (ranges.second == 0 && second.begin + j <= own.begin + i) continue;
        const auto a = sides_.side(at, grid_.points[second.begin + j]);
        if (a == 0) continue;
        if (staged_ + kSegmentPoints > kPaperStage) {
          cursor_.step = step_of(i, j);
          if (!flush(cell)) return false;
        }
        for (std::uint32_t k = first_third(ranges, second.begin + j, third); k < third.size();
             ++k) {
          const auto b = sides_.side(at, grid_.points[third.begin + k]);
          if (b == 0) continue;
          const auto c = sides_.side(grid_.points[second.begin + j], grid_.points[third.begin + k]);
          if (c == 0 || !sides_.is_three_star(a, b, c)) continue;
          stage_[staged_++] = PackedStar::of(i, j, k).word;
        }
      }
      cursor_.step = step_of(i + 1, 0);
    }
    return true;
  }

  // Writes the stage, of one cell's segments, to the chunk. Returns false if it has no space.
  bool flush(const PaperCell& cell) {
    if (staged_ == 0) return true;
    const std::uint64_t start = now();
    PaperState& state = *search_.state;
    const std::uint64_t bytes = chunk_bytes(search_.is_compressed != 0, staged_);
    const std::uint64_t offset = add(state.used, bytes);
    const bool has_space = offset + bytes <= search_.capacity;
    if (has_space) {
      add(state.bytes, bytes);
      add(state.three_stars, std::uint64_t{staged_});
      if (search_.is_compressed != 0) {
        write_segment(search_.output(offset));
      } else {
        write_ids(cell, search_.output(offset));
      }
      staged_ = 0;
    }
    report_ticks_ += now() - start;
    return has_space;
  }

  void write_segment(std::byte* to) const {
    PaperSegment segment = {.cell = cursor_.cell,
                            .combination_and_count = cursor_.combination << 28 | staged_};
    std::copy_n(cursor_.segments, 3, segment.segments);
    std::memcpy(to, &segment, sizeof segment);
    to += sizeof segment;
    std::byte* const end = to + chunk_bytes(true, staged_) - sizeof segment;
    for (std::uint32_t i = 0; i < staged_; ++i) {
      for (int byte = 0; byte < 3; ++byte) *to++ = std::byte(stage_[i] >> (8 * byte));
    }
    std::fill(to, end, std::byte{0});
  }

  void write_ids(const PaperCell& cell, std::byte* to) const {
    const PaperRanges ranges(cursor_.combination);
    const auto ids = [&](std::uint32_t range, int corner) {
      return grid_.ids + segment_of(cell.ranges[range], cursor_.segments[corner]).begin;
    };
    const std::uint32_t* const first = ids(0, 0);
    const std::uint32_t* const second = ids(ranges.second, 1);
    const std::uint32_t* const third = ids(ranges.third, 2);
    for (std::uint32_t i = 0; i < staged_; ++i) {
      const PackedStar star = {stage_[i]};
      const ThreeStar found =
          star_of(first[star.first()], second[star.second()], third[star.third()]);
      std::memcpy(to + i * sizeof found, &found, sizeof found);
    }
  }

  const PaperSearch& search_;
  const PaperView& grid_;
  const Sides sides_;
  PaperCursor cursor_;
  std::uint32_t staged_ = 0;
  std::array<std::uint32_t, kPaperStage> stage_;
  std::uint64_t report_ticks_ = 0;
};

template <class Sides>
struct SearchChunk {
  struct Arguments {
    PaperSearch search;
    Sides sides;
  };

  Arguments arguments;
  std::size_t number;

  template <class Context>
  void operator()(Context& /*context*/) const {
    Searcher<Sides>(arguments.search, arguments.sides).run(static_cast<std::uint32_t>(number));
  }
};

template <class Sides>
struct SearchTasks : TaskSet<SearchChunk<Sides>> {
  using Arguments = typename SearchChunk<Sides>::Arguments;
};

const cpu::RegisterTasks<SearchTasks<NarrowSides>> registered_narrow;
const cpu::RegisterTasks<SearchTasks<WideSides>> registered_wide;
const cpu::RegisterTasks<SearchTasks<TableSides<PlainTables>>> registered_tables;

class HostChunks final : public PaperChunks {
 public:
  HostChunks(Queue& queue, const PaperInput& input)
      : input_(input),
        searchers_(static_cast<std::uint32_t>(std::max(1, queue.device().info().compute_units))),
        memory_(queue, searchers_) {
    queue.wait();
  }

  void enqueue(Queue& queue, const PipelineChunk& chunk) override {
    if (const PaperTables* const tables = input_.tables) {
      submit(queue, chunk, TableSides<PlainTables>(input_.radius, plain(*tables)));
    } else if (input_.radius <= NarrowSides::kMostRadius) {
      submit(queue, chunk, NarrowSides(input_.radius));
    } else {
      submit(queue, chunk, WideSides(input_.radius));
    }
  }

 private:
  template <class Sides>
  void submit(Queue& queue, const PipelineChunk& chunk, const Sides& sides) {
    const PaperSearch search = memory_.search(input_.grid, input_.is_compressed, chunk);
    submit_tasks(
        queue, IndexedTasks<SearchTasks<Sides>>{.count = searchers_, .arguments = {search, sides}});
  }

  static PlainTables plain(const PaperTables& tables) {
    return {tables.ranks().data(), tables.bounds().data(),
            static_cast<std::uint32_t>(tables.rank_pitch()),
            static_cast<std::uint32_t>(tables.bounds_pitch())};
  }

  const PaperInput input_;
  const std::uint32_t searchers_;
  PaperMemory memory_;
};

std::unique_ptr<PaperChunks> make_chunks(Queue& queue, const PaperInput& input) {
  return std::make_unique<HostChunks>(queue, input);
}

const RegisterOp<MakePaperChunksOp> registered(cpu::kTarget, &make_chunks);

}  // namespace
}  // namespace millrace::three_star
