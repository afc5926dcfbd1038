// SPDX-License-Identifier: Apache-2.0

// Stable merge sort by fork and join. A range opens a join for the merge of its halves; a merge of
// many pairs is divided into segments, all of which the join of the range above waits for. The
// array and its scratch change roles from merge to merge, so a merge writes each pair once.
#ifndef MILLRACE_DOCS_EXAMPLES_RECURSION_MERGE_SORT_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_RECURSION_MERGE_SORT_TASKS_H_

#include <millrace/docs/examples/recursion/merge_steps.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::examples {

// The arrays and sizes that all tasks of a sort share, in memory of the device.
struct MergeSortArrays {
  SortPair* pairs;  // The input.
  SortPair* scratch;
  std::uint32_t cut_off;  // Pairs that one task sorts at most.
  std::uint32_t segment;  // Pairs that one task merges at most.
};

// A range of the input, to be sorted into one of the arrays.
struct MergeSortRange {
  MergeSortArrays arrays;
  std::uint32_t begin;
  std::uint32_t count;
  bool is_into_scratch;

  MILLRACE_FUNCTION MergeSortRange left() const {
    return {arrays, begin, count / 2, !is_into_scratch};
  }
  MILLRACE_FUNCTION MergeSortRange right() const {
    return {arrays, begin + count / 2, count - count / 2, !is_into_scratch};
  }
  MILLRACE_FUNCTION std::uint32_t segments() const { return (count - 1) / arrays.segment + 1; }

  // Sorts the range by itself.
  MILLRACE_FUNCTION void sort() const { sort_small(arrays.pairs + begin, to(), from(), count); }

  // Writes a segment of the merged halves, which have been sorted into the other array.
  MILLRACE_FUNCTION void merge_segment(std::uint32_t segment) const {
    const std::uint32_t first = segment * arrays.segment;
    const std::uint32_t end = count - first < arrays.segment ? count : first + arrays.segment;
    merge_interval({from(), count / 2}, {from() + count / 2, count - count / 2}, first, end, to());
  }

 private:
  MILLRACE_FUNCTION SortPair* to() const {
    return (is_into_scratch ? arrays.scratch : arrays.pairs) + begin;
  }
  MILLRACE_FUNCTION SortPair* from() const {
    return (is_into_scratch ? arrays.pairs : arrays.scratch) + begin;
  }
};

// Merges a segment of two halves.
struct MergeSegment {
  static constexpr int kPriority = 1;  // Merges end joins, whose memory ranges need.
  Join<> done;
  MergeSortRange range;
  std::uint32_t segment;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    range.merge_segment(segment);
    context.arrive(done);
  }
};

// Merges two halves when both are sorted.
struct MergeHalves {
  static constexpr int kPriority = 1;
  Join<> done;
  MergeSortRange range;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint32_t segments = range.segments();
    if (segments == 1) {
      range.merge_segment(0);
      return context.arrive(done);
    }
    context.expect(done, segments - 1);  // Besides this task's own arrival.
    context.spawn_many(segments, [this](std::uint32_t segment) {
      return MergeSegment{done, range, segment};
    });
  }
};

// Sorts a range, by itself or by its halves.
struct SortRange {
  static constexpr std::uint32_t kJoins = 1;
  Join<> done;
  MergeSortRange range;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (range.count <= range.arrays.cut_off) {
      range.sort();
      return context.arrive(done);
    }
    const auto halves = context.open_join(2, MergeHalves{done, range});
    context.spawn(SortRange{halves, range.left()});
    context.spawn(SortRange{halves, range.right()});
  }
};

using MergeSortTasks = TaskSet<SortRange, MergeHalves, MergeSegment>;

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_RECURSION_MERGE_SORT_TASKS_H_
