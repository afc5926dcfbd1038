// SPDX-License-Identifier: Apache-2.0

// Slices of pictures as tasks. A slice waits, by a counter, for the slice before it in its picture,
// since a macroblock that another slice has already is damage. A B slice also waits for the last
// slice of its colocated picture, RefPicList1[0], whose motion direct prediction reads. Slices of
// different streams are independent, and so are I and P slices of different pictures.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSING_TASKS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSING_TASKS_H_

#include <millrace/algorithms/h264/entropy/coded_slice.h>
#include <millrace/algorithms/h264/entropy/tasks/parsed_slice_end.h>
#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::h264 {

// A slice and the slices that wait for it. Pointers are not owned.
struct SliceWork {
  CodedSlice slice;
  EntropyTables tables;
  const std::int32_t* followers;  // Indices into ParseSlice::works.
  std::int32_t follower_count;
  std::uint32_t unfinished_predecessors;
  ParsedSliceEnd end;
};

// Parses one slice.
struct ParseSlice {
  static constexpr int kRegisters = 128;  // The parser spills with 64.
  SliceWork* works;
  std::int32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    SliceWork& work = works[index];
    parse(work);
    for (std::int32_t k = 0; k < work.follower_count; ++k) {
      const std::int32_t follower = work.followers[k];
      context.arrive(&works[follower].unfinished_predecessors, ParseSlice{works, follower});
    }
  }

 private:
  // Out of line: the parser is large, and every kernel would have a copy of it.
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static void parse(SliceWork& work) {
    work.end.set(h264::parse(work.slice, work.tables));
  }
};

using ParsingTasks = TaskSet<ParseSlice>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSING_TASKS_H_
