// SPDX-License-Identifier: Apache-2.0

// The counters of a wave, in device memory.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_WAVE_COUNTERS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_WAVE_COUNTERS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/max_types.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Counters that all blocks update during a wave. There are four sets, used in rotation. During a
// wave, blocks use the set of the wave, and `reserved` and `chunks` of the next set. Some blocks
// may still read `arrivals` of the previous set. The fourth set is cleared.
inline constexpr std::uint32_t kWaveCounters = 4;
struct WaveCounters {
  alignas(128) std::uint64_t arrivals;
  alignas(128) std::uint64_t ticket;
  alignas(128) std::uint64_t reserved[kMaxTypes];
  alignas(128) std::uint64_t chunks;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_WAVE_COUNTERS_H_
