// Host memory in large pieces, worked on by the team of host threads.
#ifndef MILLRACE_RUNTIME_HOST_MEMORY_H_
#define MILLRACE_RUNTIME_HOST_MEMORY_H_

#include <cstddef>

namespace millrace {

// Whole pages, huge ones where the system allows it, all of them there already: the team takes the
// page faults, so that pinning the memory next takes 45 ms a GiB, against 631 for the vendor's
// allocation (H200 host of 16 cores, 2026-11-20, `bench copy`). Null where there is no room.
// Thread-safe.
void* allocate_touched(std::size_t bytes);
void free_touched(void* memory) noexcept;

// memcpy by the team, past the caches where the target is larger than they are. Returns when the
// bytes are there. The ranges must not overlap.
void copy_host_memory(void* target, const void* source, std::size_t bytes);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_MEMORY_H_
