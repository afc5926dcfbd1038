// SPDX-License-Identifier: Apache-2.0

// Orders items by their length, the longest first, so that the last ones to end are short.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_LONGEST_FIRST_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_LONGEST_FIRST_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::h264 {

// Number of classes of lengths.
inline constexpr std::size_t kLengthClasses = 252;

// Returns the class of a length, which grows with it. Lengths of one class differ by less than a
// quarter of the shorter one.
constexpr std::size_t length_class(std::size_t length) {
  constexpr int kDigits = 3;  // Significant binary digits.
  const int more = static_cast<int>(std::bit_width(length)) - kDigits;
  if (more <= 0) return length;
  return 4 * static_cast<std::size_t>(more) + (length >> more);
}

// Sets `order` to the indices from 0 to before `count`, by the class of length_of(index), the
// longest first. Indices of a class stay in order: copies of one stream, whose lanes run in step,
// stay together, and counting takes a tenth of the time of a sort.
template <class LengthOf>
void longest_first(std::size_t count, const LengthOf& length_of, std::vector<std::int32_t>& order) {
  std::array<std::size_t, kLengthClasses + 1> ends = {};
  for (std::size_t i = 0; i < count; ++i) {
    ++ends[kLengthClasses - 1 - length_class(length_of(i)) + 1];
  }
  for (std::size_t c = 1; c <= kLengthClasses; ++c) ends[c] += ends[c - 1];
  order.resize(count);
  // From here on `ends` has the next index of each class.
  for (std::size_t i = 0; i < count; ++i) {
    order[ends[kLengthClasses - 1 - length_class(length_of(i))]++] = static_cast<std::int32_t>(i);
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_LONGEST_FIRST_H_
