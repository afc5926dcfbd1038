// SPDX-License-Identifier: Apache-2.0

// The units of a wave: those of tasks of the first type, of the second and so on, then chunks.
#ifndef MILLRACE_BACKENDS_GPU_WAVES_WAVE_UNITS_H_
#define MILLRACE_BACKENDS_GPU_WAVES_WAVE_UNITS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/unit_source.h>
#include <millrace/backends/gpu/device/worker_memory.h>
#include <millrace/backends/gpu/waves/wave_barrier.h>
#include <millrace/backends/gpu/waves/wave_kernel.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

template <class Roots>
class WaveUnits {
  using Set = typename Roots::Set;

 public:
  MILLRACE_FUNCTION explicit WaveUnits(const WaveKernel<Roots>& run) : run_(run) {}

  // Leaves the first wave's number of tasks by type in BlockShared::wave, as end_wave does for
  // later waves. Called by one thread of each block.
  MILLRACE_FUNCTION void count_first_wave() const {
    if (!Set::kSpawns || run_.first_wave == 0) {
      count_roots<0>();
    } else {
      for (std::size_t i = 0; i <= Set::kTypes; ++i) block().wave[i] = run_.first_counts[i];
    }
  }

  // Sets up the distribution of the wave's units (unit_source.h), after its tasks have been
  // counted. Called by one thread of each block.
  MILLRACE_FUNCTION void start() const {
    start_units<Set>(block(), count_up_to_chunks() + block().wave[Set::kTypes],
                     /*starts_full=*/true);
  }

  // Number of tasks of type T that this launch runs in the wave, and number of their units.
  template <class T>
  MILLRACE_FUNCTION std::uint32_t tasks() const {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    return run_.only == kAllTypes || run_.only == kTag ? block().wave[kTag] : 0;
  }
  template <class T>
  MILLRACE_FUNCTION std::uint32_t count() const {
    const auto unit = static_cast<std::uint32_t>(Worker<Set>::template unit<T>());
    const std::uint32_t all = tasks<T>();
    return all / unit + (all % unit == 0 ? 0 : 1);
  }

  // Returns the index in WaveKernel::order of the first root of the type with this tag.
  template <std::size_t kTag>
  MILLRACE_FUNCTION std::uint32_t order_begin() const {
    if constexpr (kTag == 0)
      return 0;
    else
      return run_.memory.control->root_ends[kTag - 1];
  }

 private:
  MILLRACE_FUNCTION static BlockShared& block() { return WorkerMemory<Set>::block(); }

  // Roots in their own order form units of one kind, whatever their types.
  template <std::size_t kTag>
  MILLRACE_FUNCTION void count_roots() const {
    if constexpr (kTag == Set::kTypes) {
      block().wave[kTag] = 0;  // The number of chunks.
    } else {
      block().wave[kTag] = run_.order != nullptr
                               ? run_.memory.control->root_ends[kTag] - order_begin<kTag>()
                           : kTag == 0 ? run_.root_count
                                       : 0;
      count_roots<kTag + 1>();
    }
  }

  template <std::size_t kTag = 0>
  MILLRACE_FUNCTION std::uint32_t count_up_to_chunks() const {
    const std::uint32_t own = count<typename Set::template Type<kTag>>();
    if constexpr (kTag + 1 == Set::kTypes) {
      return own;
    } else {
      return own + count_up_to_chunks<kTag + 1>();
    }
  }

  const WaveKernel<Roots>& run_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WAVES_WAVE_UNITS_H_
