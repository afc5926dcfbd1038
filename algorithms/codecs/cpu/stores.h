// SPDX-License-Identifier: Apache-2.0

// How a decoder on the CPU writes its output.
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_STORES_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_STORES_H_

#include <cstdint>

namespace millrace::codecs {

// kStreaming writes past the caches, which pays when the output is larger than they are. The stores
// are complete, as seen by other threads, when the call returns.
enum class Stores : std::uint8_t { kCached, kStreaming };

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_STORES_H_
