// SPDX-License-Identifier: Apache-2.0

// The heads of a run's lists of free records for joins, in device memory.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_JOIN_LISTS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_JOIN_LISTS_H_

#include <millrace/backends/gpu/api.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The lists of join_depot.h, all zero when a launch starts.
struct JoinLists {
  alignas(128) std::uint64_t full;
  alignas(128) std::uint64_t empty;
  std::uint64_t used_magazines;  // Beyond those that workers begin with.
  alignas(128) std::uint64_t records;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_JOIN_LISTS_H_
