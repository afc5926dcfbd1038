// SPDX-License-Identifier: Apache-2.0

// The choice between stores that fill the caches and stores that bypass them.
#ifndef MILLRACE_BACKENDS_CPU_HOST_STORES_H_
#define MILLRACE_BACKENDS_CPU_HOST_STORES_H_

#include <cstdint>

namespace millrace::cpu {

// Selects the stores of a function's output. kStreaming bypasses the caches, which is faster when
// the output does not fit in them (stores_for() in cache_size.h). Other threads see the stores as
// complete when the function returns.
enum class Stores : std::uint8_t { kCached, kStreaming };

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_STORES_H_
