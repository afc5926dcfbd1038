// SPDX-License-Identifier: Apache-2.0

// Memory spaces: host, pinned and device memory.
#ifndef MILLRACE_RUNTIME_CORE_MEMORY_SPACE_H_
#define MILLRACE_RUNTIME_CORE_MEMORY_SPACE_H_

namespace millrace {

enum class MemorySpace {
  kHost,    // Pageable host memory.
  kPinned,  // Page-locked host memory that the device reads and writes directly.
  kDevice,  // The device's own memory. The host may access it only if
            // DeviceInfo::shares_host_memory is true.
};

inline constexpr MemorySpace kMemorySpaces[] = {MemorySpace::kHost, MemorySpace::kPinned,
                                                MemorySpace::kDevice};

// Returns "host", "pinned" or "device".
constexpr const char* to_string(MemorySpace space) {
  switch (space) {
    case MemorySpace::kHost: return "host";
    case MemorySpace::kPinned: return "pinned";
    case MemorySpace::kDevice: return "device";
  }
  return "unknown";
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_MEMORY_SPACE_H_
