// SPDX-License-Identifier: Apache-2.0

// Slices of pictures as tasks: a warp has a group of them, and each of its lanes parses one. A
// group waits, by a counter, for the slice before each of its slices in the picture, since a
// macroblock that another slice has already is damage. For a B slice it also waits for the last
// slice of the colocated picture, RefPicList1[0], whose motion direct prediction reads. Slices of
// different streams are independent, and so are I and P slices of different pictures.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSING_TASKS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSING_TASKS_H_

#include <millrace/algorithms/h264/entropy/coded_slice.h>
#include <millrace/algorithms/h264/entropy/tasks/parsed_slice_end.h>
#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::h264 {

// A slice and the groups that wait for it. Pointers are not owned.
struct SliceWork {
  CodedSlice slice;
  const std::int32_t* followers;  // Indices into ParsingBatch::groups.
  std::int32_t follower_count;
  ParsedSliceEnd end;
};

// Slices that one warp parses. None of them waits for another one.
struct SliceGroup {
  std::int32_t first;  // Index into ParsingBatch::order.
  std::int32_t count;  // At most the lanes of a warp.
  std::uint32_t unfinished_predecessors;
};

struct ParsingBatch {
  SliceWork* works;
  const std::int32_t* order;  // Indices into `works`; those of a group are next to each other.
  SliceGroup* groups;
  EntropyTables tables;
};

// Parses the slices of a group.
struct ParseSlices {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr int kRegisters = 128;  // The parser spills with 64.
  const ParsingBatch* batch;
  std::int32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const SliceGroup& group = batch->groups[index];
    const std::int32_t* const slices = batch->order + group.first;
    for (std::int32_t k = context.lane(); k < group.count; k += context.lanes()) {
      parse(batch->works[slices[k]], batch->tables);
    }
    context.sync();
    if (context.lane() != 0) return;
    for (std::int32_t k = 0; k < group.count; ++k) {
      const SliceWork& work = batch->works[slices[k]];
      for (std::int32_t i = 0; i < work.follower_count; ++i) {
        const std::int32_t follower = work.followers[i];
        context.arrive(&batch->groups[follower].unfinished_predecessors,
                       ParseSlices{batch, follower});
      }
    }
  }

 private:
  // Out of line: the parser is large, and every kernel would have a copy of it.
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static void parse(SliceWork& work,
                                                             const EntropyTables& tables) {
    work.end.set(h264::parse(work.slice, tables));
  }
};

using ParsingTasks = TaskSet<ParseSlices>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSING_TASKS_H_
