// SPDX-License-Identifier: Apache-2.0

// The words that the host and the workers of a run share, in pinned memory.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_HOST_CONTROL_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_HOST_CONTROL_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/max_types.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Pinned memory. The host writes `stop` and `wanted`. The device writes `progress` while it runs,
// and the rest when a kernel has ended.
struct HostControl {
  std::uint64_t progress;     // A word of wave_progress.h, of a kernel that runs waves; 0 at first.
  std::uint32_t stop;         // A Stop.
  std::uint32_t wanted;       // Chunks that the host has requested so far, for other devices.
  std::uint32_t finished;     // 1 when the words below are valid.
  std::uint32_t was_stopped;  // The Stop that workers have observed.
  std::uint64_t failure;
  std::uint64_t tasks_run[kMaxTypes];
  std::uint64_t steals;
  std::uint64_t waves;
  std::uint64_t opened_joins;  // See RunControl.
  std::uint64_t used_joins;
  std::uint32_t joins_ran_out;
  // Tasks by type, then chunks, of the wave that follows a launch.
  std::uint32_t next_wave[kMaxTypes + 1];
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_HOST_CONTROL_H_
