// SPDX-License-Identifier: Apache-2.0

// The lists of chunks that the blocks of one multiprocessor share, in device memory.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_SHARD_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_SHARD_H_

#include <millrace/backends/gpu/api.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// A list of chunks to steal and a list of free chunks, shared by the blocks of a multiprocessor.
// The word of an empty list is 0.
struct Shard {
  alignas(128) std::uint64_t published;
  std::uint32_t stop;  // Copy of RunControl::stop, next to the word that every worker polls.
  alignas(128) std::uint64_t free;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_SHARD_H_
