// SPDX-License-Identifier: Apache-2.0

// Requests of the host or of a worker to stop a run.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_STOP_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_STOP_H_

#include <millrace/backends/gpu/api.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Says what workers do with the tasks they take. The largest value requested wins.
enum Stop : std::uint32_t {
  kRunning,  // Run them.
  kKept,     // Send them to the host instead of running them.
  kDropped,  // Drop them and return: the rest is not needed, or cannot be kept.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_STOP_H_
