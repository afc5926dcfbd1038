// SPDX-License-Identifier: Apache-2.0

// The size of the processor's caches.
#ifndef MILLRACE_BACKENDS_CPU_HOST_CACHE_SIZE_H_
#define MILLRACE_BACKENDS_CPU_HOST_CACHE_SIZE_H_

#include <millrace/backends/cpu/host/stores.h>

#include <cstddef>

namespace millrace::cpu {

// Returns the bytes of the largest cache that the first core reaches, or 32 MiB if the system does
// not report it. Output much larger than this is better written past the caches. Read from Linux's
// sysfs, because glibc's sysconf(_SC_LEVEL3_CACHE_SIZE) returned ten times the actual size on AMD
// processors.
std::size_t last_level_cache_bytes();

// Returns kStreaming if an output of this size does not fit in that cache.
Stores stores_for(std::size_t output_bytes);

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_CACHE_SIZE_H_
