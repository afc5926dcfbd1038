// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_BACKENDS_GPU_WAVES_WAVE_PROGRESS_H_
#define MILLRACE_BACKENDS_GPU_WAVES_WAVE_PROGRESS_H_

#include <millrace/backends/gpu/api.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The progress of a kernel that runs many waves, as a word that the host reads: the number of waves
// that have ended, and the number of tasks in the next one.
struct WaveProgress {
  // Waves per report. Writes to the host's memory are expensive.
  static constexpr std::uint32_t kEvery = 32;
  static constexpr std::uint32_t kFirst = 16;  // Waves before the first report.

  MILLRACE_FUNCTION static bool is_due(std::uint32_t waves) {
    return waves % kEvery == 0 || waves == kFirst;
  }

  MILLRACE_FUNCTION static std::uint64_t word(std::uint32_t waves, std::uint32_t tasks) {
    return static_cast<std::uint64_t>(waves) << 32 | tasks;
  }
  static double waves(std::uint64_t word) { return static_cast<double>(word >> 32); }
  static double tasks(std::uint64_t word) { return static_cast<double>(word & 0xffffffff); }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WAVES_WAVE_PROGRESS_H_
