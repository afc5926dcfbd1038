// SPDX-License-Identifier: Apache-2.0

// Positions of the memory that a task takes by Context::scratch (task.h) on the host.
#ifndef MILLRACE_RUNTIME_TASKS_INTERNAL_SCRATCH_CURSOR_H_
#define MILLRACE_RUNTIME_TASKS_INTERNAL_SCRATCH_CURSOR_H_

#include <millrace/runtime/core/check.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace millrace {

// Throws kInvalidArgument, for `count` elements of `size` bytes where `left` bytes are left.
[[noreturn]] inline void reject_scratch(std::size_t count, std::size_t size, std::size_t left) {
  reject("a task requested " + std::to_string(count) + " elements of " + std::to_string(size) +
         " bytes of scratch, but " + std::to_string(left) +
         " bytes are left; increase its type's kScratchBytes");
}

// Places elements one after another in a block that is aligned for all types.
class ScratchCursor {
 public:
  // Returns the byte at which `count` elements begin. Throws kInvalidArgument if all calls since
  // reset() together take more than `most` bytes.
  template <class T>
  std::size_t place(std::size_t count, std::size_t most) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
    const std::size_t begin = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    if (begin > most || count > (most - begin) / sizeof(T)) {
      reject_scratch(count, sizeof(T), most - used_);
    }
    used_ = begin + count * sizeof(T);
    return begin;
  }

  void reset() { used_ = 0; }

 private:
  std::size_t used_ = 0;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_INTERNAL_SCRATCH_CURSOR_H_
