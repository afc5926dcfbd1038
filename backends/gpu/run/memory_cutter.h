// SPDX-License-Identifier: Apache-2.0

// Divides the task memory of a run.
#ifndef MILLRACE_BACKENDS_GPU_RUN_MEMORY_CUTTER_H_
#define MILLRACE_BACKENDS_GPU_RUN_MEMORY_CUTTER_H_

#include <millrace/backends/gpu/api.h>

#include <cstddef>

namespace millrace::MILLRACE_GPU {

// Cuts pieces off a block of memory.
class MemoryCutter {
 public:
  MemoryCutter(char* memory, std::size_t bytes) : memory_(memory), left_(bytes) {}

  template <class T>
  T* take(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + 127) / 128 * 128;
    if (bytes > left_) return nullptr;
    char* const piece = memory_;
    memory_ += bytes;
    left_ -= bytes;
    return reinterpret_cast<T*>(piece);
  }
  std::size_t left() const { return left_; }

 private:
  char* memory_;
  std::size_t left_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_MEMORY_CUTTER_H_
