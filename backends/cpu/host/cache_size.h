// SPDX-License-Identifier: Apache-2.0

// How much the processor's caches hold.
#ifndef MILLRACE_BACKENDS_CPU_HOST_CACHE_SIZE_H_
#define MILLRACE_BACKENDS_CPU_HOST_CACHE_SIZE_H_

#include <millrace/backends/cpu/host/stores.h>

#include <cstddef>

namespace millrace::cpu {

// Bytes of the largest cache that the first core reaches; 32 MiB where the system does not say.
// Output much larger than this is better written past the caches. From Linux's sysfs, because
// glibc's sysconf(_SC_LEVEL3_CACHE_SIZE) was seen to answer ten times the truth on AMD processors.
std::size_t last_level_cache_bytes();

// Returns kStreaming if an output of this size does not fit in that cache.
Stores stores_for(std::size_t output_bytes);

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_CACHE_SIZE_H_
