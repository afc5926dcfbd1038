// SPDX-License-Identifier: Apache-2.0

// The host's side of kUberkernel and kKernelPerType: it launches one wave after another, or kernels
// that loop over waves until one is too large for the memory (wave_surplus.h).
#ifndef MILLRACE_BACKENDS_GPU_RUN_WAVE_DRIVER_H_
#define MILLRACE_BACKENDS_GPU_RUN_WAVE_DRIVER_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/max_types.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/backends/gpu/run/run_outcome.h>
#include <millrace/backends/gpu/run/run_watch.h>
#include <millrace/backends/gpu/run/wave_surplus.h>
#include <millrace/backends/gpu/waves/wave_kernel.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace millrace::MILLRACE_GPU {

// The properties of a task set by which launches are shaped.
struct WaveTypes {
  std::size_t count;                           // Number of types.
  std::array<int, kMaxTypes> lanes;            // Lanes that a task of each type occupies.
  std::array<std::uint32_t, kMaxTypes> words;  // Words of a task of each type.
  std::array<TaskTag, kMaxTypes> by_priority;  // Tags by falling priority.
  bool spawns;
  bool are_run_by_blocks;  // True if a worker is a block.
};

// Members of a run, whatever launches its waves.
struct RunParts {
  GpuQueue& queue;
  RunBuffers& buffers;
  RunWatchBase& watch;
  RunOutcome& outcome;
};

// One run's waves. The objects that the arguments refer to must outlive it. Used by the thread of
// the run.
class WaveDriver {
 public:
  // Launches the run's kernel.
  using Launch = std::function<void(const gpu::LaunchShape& shape, const WaveLaunch& arguments)>;

  WaveDriver(const RunParts& run, const WaveTypes& types, const LaunchGrid& grid,
             const Launch& launch)
      : queue_(run.queue),
        buffers_(run.buffers),
        watch_(run.watch),
        outcome_(run.outcome),
        types_(types),
        grid_(grid),
        launch_(launch) {}

  // Launches waves until no task is left, a stop is requested or a task fails. `is_by_type` gives
  // each type a launch of its own. Returns true if the last launch has cleared what workers share.
  // Throws kOutOfMemory if there is no memory for the first launch; no task has run then. Where
  // there is none for a later one, it ends the run and launches again, once, for the tasks to be
  // spilled.
  bool drive(WaveLaunch run, bool is_by_type);

 private:
  using Counts = WaveCounts;

  bool is_dropped() const;
  bool read_root_counts(Counts& counts);
  void prepare(WaveLaunch& run, const WaveSurplus& surplus, const Counts& next) const;
  void launch(const gpu::LaunchShape& shape, WaveLaunch& run);
  void launch_wave(WaveLaunch& run, const Counts& counts);
  void launch_types(WaveLaunch& run, const Counts& counts);
  std::uint64_t lanes_for(const Counts& counts, TaskTag only) const;
  gpu::LaunchShape shape_for(std::uint64_t lanes) const;

  GpuQueue& queue_;
  RunBuffers& buffers_;
  RunWatchBase& watch_;
  RunOutcome& outcome_;
  const WaveTypes types_;
  const LaunchGrid& grid_;
  const Launch& launch_;
  bool has_launched_ = false;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_WAVE_DRIVER_H_
