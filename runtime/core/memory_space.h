// SPDX-License-Identifier: Apache-2.0

// Where memory lives, seen from the processor that uses it.
#ifndef MILLRACE_RUNTIME_CORE_MEMORY_SPACE_H_
#define MILLRACE_RUNTIME_CORE_MEMORY_SPACE_H_

namespace millrace {

enum class MemorySpace {
  kHost,    // Pageable host memory.
  kPinned,  // Page-locked host memory that the device reads and writes directly.
  kDevice,  // The device's own memory; only devices that share memory with the host let it be
            // read there (DeviceInfo::shares_host_memory).
};

inline constexpr MemorySpace kMemorySpaces[] = {MemorySpace::kHost, MemorySpace::kPinned,
                                                MemorySpace::kDevice};

// "host", "pinned" or "device".
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
