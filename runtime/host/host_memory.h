// SPDX-License-Identifier: Apache-2.0

// Host memory: how much this process may have, and large pieces of it, worked on by the team of
// host threads.
#ifndef MILLRACE_RUNTIME_HOST_HOST_MEMORY_H_
#define MILLRACE_RUNTIME_HOST_HOST_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace {

// Bytes the machine has, or as many as the process's control groups (version 2) allow, if that is
// less. `root` is where proc and sys are.
std::size_t memory_limit(const std::string& root = "/");

// Bytes that can still be taken without the kernel killing a process for them: of the machine and
// of each control group. What these have in caches of files counts, as it is given back.
std::size_t available_memory(const std::string& root = "/");

// Whole pages, huge ones where the system allows it, all of them there already: the team takes the
// page faults, so that pinning the memory next takes 45 ms a GiB, against 631 for the vendor's
// allocation (H200 host of 16 cores, 2026-11-20, `bench copy`). Null where there is no room.
// Thread-safe.
void* allocate_touched(std::size_t bytes);
void free_touched(void* memory) noexcept;

// memcpy by the calling thread with stores past the caches. Faster than memcpy where the target
// would not stay in the caches: one core reads and writes 40 GB/s, against 23 by memcpy (AMD EPYC
// Zen 4 virtual machine, 2026-11-20, `bazel run -c opt //tools:bench -- copy` with either). The
// stores are complete, as seen by other threads, on return. The ranges must not overlap.
void streaming_copy(std::uint8_t* target, const std::uint8_t* source, std::size_t bytes);

// memcpy by the team, past the caches where the target is larger than they are. Returns when the
// bytes are there. The ranges must not overlap.
void copy_host_memory(void* target, const void* source, std::size_t bytes);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_HOST_MEMORY_H_
