// SPDX-License-Identifier: Apache-2.0

// Host memory: limits of this process, and allocation and copies by the team of host threads. All
// functions may be called from any thread.
#ifndef MILLRACE_RUNTIME_HOST_HOST_MEMORY_H_
#define MILLRACE_RUNTIME_HOST_HOST_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace {

// Returns the bytes of memory of the machine, or those that the process's control groups (version
// 2) allow if these are fewer. `root` is the folder that contains proc and sys.
std::size_t memory_limit(const std::string& root = "/");

// Returns the bytes that can be taken without the kernel killing a process: the minimum over the
// machine and each control group. Their caches of files count as available.
std::size_t available_memory(const std::string& root = "/");

// Returns memory in whole pages, huge ones if the system allows it, or null if there is not enough.
// The team takes all page faults, so that pinning the memory next takes 45 ms a GiB, against 631
// for the vendor's allocation (H200's host of 16 cores,
// docs/experiments/how_host_memory_is_copied.md).
void* allocate_touched(std::size_t bytes);

// Returns memory without touching it, or null if there is not enough. It is aligned to 64 bytes at
// least. Memory of at least 1 MiB has huge pages if the system allows them.
void* allocate_untouched(std::size_t bytes);

// Frees memory of either function; null is ignored.
void free_host_memory(void* memory) noexcept;

// memcpy by the calling thread with stores past the caches. Faster than memcpy where the target
// would not stay in the caches: one core of a Zen 4 reads and writes 40 GB/s, against 23 by memcpy
// (docs/experiments/how_host_memory_is_copied.md). The stores are complete, as seen by other
// threads, on return. The ranges must not overlap.
void streaming_copy(std::uint8_t* target, const std::uint8_t* source, std::size_t bytes);

// memcpy by the team, with stores past the caches if the target is larger than these. Returns when
// the copy is complete. The ranges must not overlap.
void copy_host_memory(void* target, const void* source, std::size_t bytes);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_HOST_MEMORY_H_
