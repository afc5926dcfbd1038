// SPDX-License-Identifier: Apache-2.0

// Says where and why a device ended a slice.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSED_SLICE_END_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSED_SLICE_END_H_

#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// A SliceEnd with a copy of its text: the host cannot read a device's constants. A text of more
// than kMaxText - 1 characters is cut.
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

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSED_SLICE_END_H_
