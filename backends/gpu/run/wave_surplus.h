// SPDX-License-Identifier: Apache-2.0

// The tasks of large waves that wait on the device until others have run.
//
// The tasks that a wave spawns have to fit in the arrays of the next wave. Of a wave that is large
// compared to the free space there, only the last tasks run, and then all that they spawn. The
// others are set aside where they are, at the bottom of their arrays, and the waves of the run use
// the space above them. So a tree that is wider than the arrays is searched depth first, a large
// piece of a level at a time, and nothing spills unless a task spawns more than kMostSpawned
// others on average.
#ifndef MILLRACE_BACKENDS_GPU_RUN_WAVE_SURPLUS_H_
#define MILLRACE_BACKENDS_GPU_RUN_WAVE_SURPLUS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/max_types.h>
#include <millrace/backends/gpu/waves/wave_barrier.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {

// The numbers of a wave's tasks by type, then of its chunks.
using WaveCounts = std::array<std::uint32_t, kMaxTypes + 1>;

// Used by the thread of the run.
class WaveSurplus {
 public:
  // Number of tasks that a task of a wave may spawn on average so that all of them fit.
  static constexpr std::uint32_t kMostSpawned = 8;

  // The first `types` arrays of `waves` are used; a task of each type has `words` words. A wave
  // with up to `least` tasks of each type is not divided, since it leaves lanes without tasks.
  WaveSurplus(const WaveMemory& waves, std::size_t types,
              const std::array<std::uint32_t, kMaxTypes>& words, std::uint32_t least);

  bool empty() const { return deferred_.empty(); }
  // Number of tasks that have been set aside.
  std::uint64_t tasks() const;

  // Returns the arrays for a launch that begins with this wave: the space above the surplus.
  WaveMemory memory_for(std::uint32_t wave) const;

  // Sets tasks of `wave`, which follows a launch, aside if it is large. `counts` are those of its
  // tasks, and afterwards of those that remain.
  void set_aside(std::uint32_t wave, WaveCounts& counts);

  // Makes the tasks that were set aside last the tasks of `wave`, which must have none. Returns
  // false if there are none.
  bool take_back(std::uint32_t wave, WaveCounts& counts);

 private:
  struct Deferred {
    std::size_t array;  // Index in WaveMemory::arrays.
    std::array<std::uint32_t, kMaxTypes> counts;
  };

  std::size_t array_of(std::uint32_t wave) const { return (wave + shift_) % 2; }
  std::uint32_t most_of(std::size_t type) const;

  const WaveMemory waves_;
  const std::size_t types_;
  const std::array<std::uint32_t, kMaxTypes> words_;
  const std::uint32_t least_;
  std::uint32_t shift_ = 0;         // 1 if even waves use the second arrays.
  std::vector<Deferred> deferred_;  // Upwards in their arrays.
  std::array<std::array<std::uint32_t, kMaxTypes>, 2> set_aside_{};  // Their sums, by array.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_WAVE_SURPLUS_H_
