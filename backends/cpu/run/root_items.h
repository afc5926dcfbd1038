// SPDX-License-Identifier: Apache-2.0

// Runs the items with which a queue starts, a TaskList or IndexedTasks, in their own order or
// gathered by type.
#ifndef MILLRACE_BACKENDS_CPU_RUN_ROOT_ITEMS_H_
#define MILLRACE_BACKENDS_CPU_RUN_ROOT_ITEMS_H_

#include <millrace/backends/cpu/run/task_context.h>
#include <millrace/backends/cpu/status/poll_interval.h>
#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/task_set.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::cpu {

// The items at indices begin..end-1 of a queue or, with `order`, at order[begin..end-1].
struct Batch {
  std::size_t begin;
  std::size_t end;
  const std::uint32_t* order = nullptr;
};

// A set's body for many items at once, for SIMD code that is dispatched once per batch. Specialize
// it where the set is registered for the CPU:
//
//   template <> struct BatchBody<Tasks> {
//     static constexpr bool kDefined = true;
//     static void run(const IndexedTasks<Tasks>& items, const Batch& batch);
//   };
//
// Its results are those of the tasks, to the bit. It neither spawns nor fails. It gets some
// thousand items at a time, so that the run can be stopped.
template <class Set>
struct BatchBody {
  static constexpr bool kDefined = false;
};

template <class Roots>
inline constexpr bool kHasBatchBody = false;
template <class Set>
inline constexpr bool kHasBatchBody<IndexedTasks<Set>> = BatchBody<Set>::kDefined;

// Runs items item_at(begin) to item_at(end - 1) until the run is stopped, and returns the index
// reached. Polls for a stop once per interval, because a poll per item would cost as much as the
// smallest tasks. The function is inlined for the same reason. `interval` is the worker's. If only
// a failure can end the run, the clock is not read.
template <class Set, class View, class ItemAt, class Context>
[[gnu::always_inline]] inline std::size_t run_items(const View& items, const Batch& batch,
                                                    const ItemAt& item_at, const RunStatus& status,
                                                    Context& context, PollInterval& interval) {
  const bool is_watched = status.is_watched();
  const std::size_t unwatched = std::clamp<std::size_t>((batch.end - batch.begin) / 8, 1, 256);
  std::size_t begin = batch.begin;
  while (begin < batch.end && !status.stopped()) {
    const std::size_t end =
        std::min(begin + (is_watched ? interval.items() : unwatched), batch.end);
// Without it, the smallest tasks take up to twice as long, depending on alignment.
#pragma GCC unroll 4
    for (std::size_t i = begin; i < end; ++i) {
      if (context.failed()) return i;
      const std::size_t item = item_at(i);
      visit_type<Set>(items.tag(item), [&]<class T>() {
        if constexpr (View::template kIsRoot<T>) {
          context.run(items.template get<T>(item));
        }
      });
    }
    begin = end;
    if (is_watched) interval.adapt();
  }
  return begin;
}

template <class Set>
using TypeCounts = std::array<std::uint64_t, Set::kTypes>;

// Returns the number of items of a batch by type. Tags outside the set count as 0.
template <class Set, class View>
TypeCounts<Set> count_tags(const View& items, const Batch& batch) {
  TypeCounts<Set> counts{};
  std::uint64_t counted = 0;
  for (std::size_t tag = 1; tag < Set::kTypes; ++tag) {
    for (std::size_t i = batch.begin; i < batch.end; ++i) {
      const std::size_t item = batch.order == nullptr ? i : batch.order[i];
      counts[tag] += items.tag(item) == tag ? 1 : 0;
    }
    counted += counts[tag];
  }
  counts[0] = batch.end - batch.begin - counted;
  return counts;
}

// Runs a batch by the set's batch body; returns as run_items. Items are not counted by type: those
// that ran are all roots except those left.
template <class Set>
std::size_t run_batch_body(const IndexedTasks<Set>& roots, const Batch& batch,
                           WorkerState<Set>& state, const RunStatus& status) {
  constexpr std::size_t kMaxAtOnce = 4096;
  std::size_t begin = batch.begin;
  while (begin < batch.end && !status.stopped()) {
    const std::size_t end = std::min(begin + kMaxAtOnce, batch.end);
    BatchBody<Set>::run(roots, Batch{begin, end, batch.order});
    begin = end;
  }
  state.trace.heartbeat += begin - batch.begin;
  return begin;
}

// Leaves the items of a batch for the segment that continues the stopped run.
template <class Set, class View>
void leave_batch(const View& items, const Batch& batch, WorkerState<Set>& state,
                 const RunStatus& status) {
  const auto counts = count_tags<Set>(items, batch);
  for (std::size_t tag = 0; tag < Set::kTypes; ++tag) state.tasks_left[tag] += counts[tag];
  if (!status.keeps_unfinished()) return;
  for (std::size_t i = batch.begin; i < batch.end; ++i) {
    const std::size_t item = batch.order == nullptr ? i : batch.order[i];
    visit_type<Set>(items.tag(item), [&]<class T>() {
      if constexpr (View::template kIsRoot<T>) state.unstarted.push(items.template get<T>(item));
    });
  }
}

// Records that the items of a batch before `reached` have run, and leaves the others. Not inlined,
// because it would take registers from the items.
template <class Set, class View>
[[gnu::noinline]] void end_batch(const View& items, const Batch& batch, std::size_t reached,
                                 WorkerState<Set>& state, const RunStatus& status) {
  if (reached > batch.begin) {
    const std::size_t last = batch.order == nullptr ? reached - 1 : batch.order[reached - 1];
    state.trace.last_type = items.tag(last);
    if (status.stopped()) {
      visit_type<Set>(items.tag(last), [&]<class T>() {
        if constexpr (View::template kIsRoot<T>) state.was_running(items.template get<T>(last));
      });
    }
  }
  if (reached == batch.end) return;
  leave_batch(items, Batch{reached, batch.end, batch.order}, state, status);
}

// Runs a batch until the run is stopped, and leaves the rest. Flattened, so that the context is in
// registers (see TaskContext).
template <class Roots, class Worker>
[[gnu::flatten]] void run_batch(const Roots& roots, const Batch& batch, Worker& worker,
                                RunStatus& status) {
  using Set = typename Roots::Set;
  std::size_t reached = batch.begin;
  if constexpr (kHasBatchBody<Roots>) {
    reached = run_batch_body(roots, batch, worker.state, status);
  } else {
    // Copies, whose pointers stay in registers.
    PollInterval& interval = worker.state.poll_interval;
    run_burst<Set>(
        worker, status, [items = roots.view(), batch, &status, &interval, &reached](auto& context) {
          if (batch.order == nullptr) {
            reached = run_items<Set>(
                items, batch, [](std::size_t i) { return i; }, status, context, interval);
          } else {
            reached = run_items<Set>(
                items, batch, [order = batch.order](std::size_t i) { return order[i]; }, status,
                context, interval);
          }
        });
  }
  end_batch(roots.view(), batch, reached, worker.state, status);
}

// Returns the number of items by type. Throws kInvalidArgument for a tag outside the set or of a
// type that cannot be a root.
template <class Roots>
TypeCounts<typename Roots::Set> count_types(const Roots& roots) {
  using Set = typename Roots::Set;
  TypeCounts<Set> counts{};
  const TaskTag* tags = roots.tag_data();
  std::uint64_t counted = 0;
  for (std::size_t tag = 1; tag < Set::kTypes; ++tag) {
    counts[tag] = std::count(tags, tags + roots.size(), tag);
    counted += counts[tag];
  }
  if constexpr (Set::kTypes > 1) {
    const TaskTag largest = roots.size() == 0 ? 0 : *std::max_element(tags, tags + roots.size());
    if (largest >= Set::kTypes) {
      reject("a root has tag " + std::to_string(largest) + "; tags of the set are 0 to " +
             std::to_string(Set::kTypes - 1));
    }
  }
  counts[0] = roots.size() - counted;
  for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
    visit_type<Set>(static_cast<TaskTag>(tag), [&]<class T>() {
      if (!Roots::template kIsRoot<T> && counts[tag] > 0) {
        reject("a root has tag " + std::to_string(tag) +
               ", a type that only tasks spawn; use a root type");
      }
    });
  }
  return counts;
}

// Returns the indices of the items of one type, in their order: the paper's gather, of indices
// instead of copies.
template <class Roots>
std::vector<std::uint32_t> gather_type(const Roots& roots, TaskTag tag, std::size_t count) {
  std::vector<std::uint32_t> indices(count + 1);  // One more, so that the loop needs no branch.
  std::size_t found = 0;
  const auto items = roots.view();
  for (std::size_t i = 0; i < roots.size(); ++i) {
    indices[found] = static_cast<std::uint32_t>(i);
    found += items.tag(i) == tag ? 1 : 0;
  }
  indices.pop_back();
  return indices;
}

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_ROOT_ITEMS_H_
