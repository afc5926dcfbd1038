// SPDX-License-Identifier: Apache-2.0

// Slices of pictures as tasks. A slice waits, by a counter, for the slice before it in its picture,
// whose macroblocks it must not have, and for the last slice of the picture whose motion it reads
// for direct prediction. All others are independent: those of different streams, and of pictures
// without B slices.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSING_TASKS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSING_TASKS_H_

#include <millrace/algorithms/h264/entropy/coded_slice.h>
#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// The end of a slice, as SliceEnd says it, with the text where a host can read it.
struct ParsedSliceEnd {
  static constexpr std::size_t kMaxText = 64;

  std::uint64_t bit;
  std::uint64_t coefficients;
  std::int32_t macroblocks;
  char damage[kMaxText];  // Ends with a 0; empty: none.

  MILLRACE_FUNCTION void set(const SliceEnd& end) {
    bit = end.bit;
    coefficients = end.coefficients;
    macroblocks = end.macroblocks;
    std::size_t length = 0;
    if (end.damage != nullptr) {
      for (; length + 1 < kMaxText && end.damage[length] != 0; ++length) {
        damage[length] = end.damage[length];
      }
    }
    damage[length] = 0;
  }
};

// A slice, and the slices that wait for it. Pointers are not owned.
struct SliceWork {
  CodedSlice slice;
  EntropyTables tables;
  const std::int32_t* followers;  // Indices into the array of works that this one is in.
  std::int32_t follower_count;
  std::uint32_t missing;  // Arrivals for which it still waits.
  ParsedSliceEnd end;
};

// Parses one slice.
struct ParseSlice {
  static constexpr int kRegisters = 128;
  SliceWork* works;
  std::int32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    SliceWork& work = works[index];
    parse(work);
    for (std::int32_t k = 0; k < work.follower_count; ++k) {
      const std::int32_t follower = work.followers[k];
      context.arrive(&works[follower].missing, ParseSlice{works, follower});
    }
  }

 private:
  // Much code, which the kernels call: it is compiled once for all of them.
  MILLRACE_COLD_FUNCTION static void parse(SliceWork& work) {
    work.end.set(h264::parse(work.slice, work.tables));
  }
};

using ParsingTasks = TaskSet<ParseSlice>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSING_TASKS_H_
