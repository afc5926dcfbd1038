// SPDX-License-Identifier: Apache-2.0

// memcpy with stores past the caches, on one thread.
#ifndef MILLRACE_RUNTIME_HOST_STREAMING_COPY_H_
#define MILLRACE_RUNTIME_HOST_STREAMING_COPY_H_

#include <cstddef>
#include <cstdint>

namespace millrace {

// Pays where the target would not stay in the caches: one core reads and writes 40 GB/s, against 23
// by memcpy (AMD EPYC Zen 4 virtual machine, 2026-11-20, `bazel run -c opt //tools:bench -- copy`
// with either). The stores are complete, as seen by other threads, on return. No overlap.
void streaming_copy(std::uint8_t* target, const std::uint8_t* source, std::size_t bytes);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_STREAMING_COPY_H_
