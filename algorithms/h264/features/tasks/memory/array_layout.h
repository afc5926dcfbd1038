// SPDX-License-Identifier: Apache-2.0

// Offsets of arrays in one piece of memory.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_ARRAY_LAYOUT_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_ARRAY_LAYOUT_H_

#include <cstddef>

namespace millrace::h264 {

class ArrayLayout {
 public:
  // Returns the offset of an array of `count` elements.
  template <class T>
  std::size_t add(std::size_t count) {
    constexpr std::size_t kAlignment = 16;
    const std::size_t offset = (bytes_ + kAlignment - 1) / kAlignment * kAlignment;
    bytes_ = offset + count * sizeof(T);
    return offset;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_ARRAY_LAYOUT_H_
