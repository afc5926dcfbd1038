// SPDX-License-Identifier: Apache-2.0

// The kernel of kUberkernel and kKernelPerType: its arguments, which the host fills in.
#ifndef MILLRACE_BACKENDS_GPU_WAVES_WAVE_KERNEL_H_
#define MILLRACE_BACKENDS_GPU_WAVES_WAVE_KERNEL_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/worker.h>
#include <millrace/backends/gpu/waves/wave_barrier.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

inline constexpr TaskTag kAllTypes = 255;

// Ends a launch that loops over waves although tasks are left, which stay in the arrays of their
// wave. Not set by default.
struct WaveGoal {
  std::uint32_t tasks = 0;  // Tasks that the next wave must have; 0 if there is no goal.
  std::uint32_t waves = 0;  // Waves after which it ends in any case.

  MILLRACE_FUNCTION bool is_set() const { return tasks > 0; }
};

// The arguments of a launch that do not depend on where the roots are.
struct WaveLaunch {
  RunMemory memory;
  WaveMemory waves;
  std::uint32_t root_count;
  // Tasks by type, then chunks, of the launch's first wave, if that is not wave 0.
  std::uint32_t first_counts[kMaxTypes + 1];
  // Indices of the roots gathered by type, in the ranges of RunControl::root_ends; null if the
  // roots are run in their own order.
  const std::uint32_t* order;
  std::uint32_t first_wave;  // Index of the first wave; wave 0 is that of the roots.
  TaskTag only;              // The only type that this launch runs, or kAllTypes.
  bool loops;                // Runs all waves, in a cooperative launch; otherwise one wave.
  bool notifies_host;        // This launch is the last one of its wave.
  bool ends_wave;            // This launch ends its wave, and another wave may follow.
  WaveGoal goal;             // Only a launch that loops uses it.
};

// A Body (api.h).
template <class Roots>
struct WaveKernel : WaveLaunch {
  static constexpr bool kSpawns = Roots::Set::kSpawns;
  using Set = typename Roots::Set;
  static constexpr int kMaxThreads =
      !kSpawns ? BlockThreads::kFlat
               : target_threads<Set>(128, BlockThreads::kWaves / (kHasLargeTasks<Set> ? 2 : 1));
  // Flat queues need as many loads in flight as registers allow.
  static constexpr int kTargetBlocks =
      kSpawns ? 1 : target_threads<Set>(kMaxThreads, 6 * kMaxThreads) / kMaxThreads;

  Roots roots;

  MILLRACE_KERNEL_FUNCTION void operator()() const;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WAVES_WAVE_KERNEL_H_
