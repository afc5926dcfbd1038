// SPDX-License-Identifier: Apache-2.0

// The failure of a run, as one word that many lanes may set with one atomic operation.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_FAILURE_WORD_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_FAILURE_WORD_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The first failure of a run, packed into one word; 0 is no failure.
enum class Failure : std::uint64_t { kNone, kTask, kScratch, kTag, kArrival, kJoin };

MILLRACE_FUNCTION constexpr std::uint64_t failure_word(Failure failure, TaskTag tag, int code) {
  return static_cast<std::uint64_t>(failure) << 56 | static_cast<std::uint64_t>(tag) << 48 |
         static_cast<std::uint32_t>(code);
}
MILLRACE_FUNCTION constexpr Failure failure_of(std::uint64_t word) {
  return static_cast<Failure>(word >> 56);
}
MILLRACE_FUNCTION constexpr TaskTag failed_tag(std::uint64_t word) {
  return static_cast<TaskTag>(word >> 48 & 0xff);
}
MILLRACE_FUNCTION constexpr int failure_code(std::uint64_t word) {
  return static_cast<int>(static_cast<std::uint32_t>(word));
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_FAILURE_WORD_H_
