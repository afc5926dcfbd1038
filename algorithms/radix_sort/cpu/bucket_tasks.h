// SPDX-License-Identifier: Apache-2.0

// The tasks of radix sort on the CPU. A partition is counted and then scattered in chunks; the task
// that finishes the last chunk of a phase spawns the next tasks: the next phase, sorts of the
// partition's buckets, or, for a bucket that is too large, another partition. Keys alone may be
// partitioned in two by a pivot instead, and these ranges again, until there are enough of them.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_BUCKET_TASKS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_BUCKET_TASKS_H_

#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

struct BucketTasks;

// A range of elements in the output or in the spare arrays, or still in the input.
struct ElementRange {
  enum class Memory : std::uint8_t { kInput, kOutput, kSpare };

  std::size_t begin;
  std::size_t end;
  Memory memory;  // Holds the elements.

  std::size_t size() const { return end - begin; }
};

struct DigitPartition;

// The work of the tasks. Several threads may call these functions at once, for different chunks and
// ranges; tasks that follow are added to `next`.
class BucketSteps {
 public:
  virtual ~BucketSteps() = default;
  virtual void count(DigitPartition& partition, std::size_t chunk, TaskList<BucketTasks>& next) = 0;
  virtual void scatter(DigitPartition& partition, std::size_t chunk,
                       TaskList<BucketTasks>& next) = 0;
  virtual void sort(const ElementRange& bucket) = 0;
  virtual void split(const ElementRange& range, int levels, TaskList<BucketTasks>& next) = 0;
};

struct CountChunk {
  BucketSteps* steps;
  DigitPartition* partition;
  std::size_t chunk;

  template <class Context>
  void operator()(Context& context) const;
};

struct ScatterChunk {
  BucketSteps* steps;
  DigitPartition* partition;
  std::size_t chunk;

  template <class Context>
  void operator()(Context& context) const;
};

struct SortBucket {
  static constexpr bool kSpawns = false;

  BucketSteps* steps;
  ElementRange bucket;

  template <class Context>
  void operator()(Context&) const {
    steps->sort(bucket);
  }
};

// Partitions a range of keys in two, and these ranges `levels` - 1 times more; the results are
// sorted as buckets.
struct SplitRange {
  BucketSteps* steps;
  ElementRange range;
  int levels;

  template <class Context>
  void operator()(Context& context) const;
};

struct BucketTasks : TaskSet<CountChunk, ScatterChunk, SortBucket, SplitRange> {};

// Calls `step(next)` and spawns the tasks that it has added to `next`.
template <class Step, class Context>
void spawn_what_follows(Step step, Context& context) {
  TaskList<BucketTasks> next;
  step(next);
  const auto view = next.view();
  for (std::size_t i = 0; i < next.size(); ++i) {
    visit_type<BucketTasks>(view.tag(i),
                            [&]<class T>() { context.spawn(view.template get<T>(i)); });
  }
}

template <class Context>
void CountChunk::operator()(Context& context) const {
  spawn_what_follows([this](auto& next) { steps->count(*partition, chunk, next); }, context);
}

template <class Context>
void ScatterChunk::operator()(Context& context) const {
  spawn_what_follows([this](auto& next) { steps->scatter(*partition, chunk, next); }, context);
}

template <class Context>
void SplitRange::operator()(Context& context) const {
  spawn_what_follows([this](auto& next) { steps->split(range, levels, next); }, context);
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_BUCKET_TASKS_H_
