// SPDX-License-Identifier: Apache-2.0

// kUberkernel and kKernelPerType on a GPU: the tasks that a wave spawns are the next wave.
//
// A wave's tasks are in arrays, one per type. A worker collects the tasks that its tasks spawn on
// stacks in shared memory, and reserves space in the next wave's arrays once for many. Tasks that
// do not fit go to chunks (overflow_chunk.h), which are also part of the next wave.
#ifndef MILLRACE_BACKENDS_GPU_WAVES_WAVE_WORKER_H_
#define MILLRACE_BACKENDS_GPU_WAVES_WAVE_WORKER_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/host_control.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/control/stop.h>
#include <millrace/backends/gpu/device/control/wave_counters.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/unit_runner.h>
#include <millrace/backends/gpu/device/unit_source.h>
#include <millrace/backends/gpu/waves/wave_barrier.h>
#include <millrace/backends/gpu/waves/wave_kernel.h>
#include <millrace/backends/gpu/waves/wave_progress.h>
#include <millrace/backends/gpu/waves/wave_stacks.h>
#include <millrace/backends/gpu/waves/wave_units.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

template <class Roots>
class WaveWorker {
  using Set = typename Roots::Set;
  using Own = Worker<Set>;

 public:
  MILLRACE_FUNCTION explicit WaveWorker(const WaveKernel<Roots>& run)
      : run_(run), units_(run), runner_(WaveQueues(run.memory, run.waves)) {}

  // Called by all threads of the block.
  MILLRACE_KERNEL_FUNCTION void work() {
    start_block(runner_.memory(), run_.memory);
    if constexpr (Set::kSpawns) stacks().start();
    spills_ = run_.memory.first_stop == kKept;
    std::uint32_t wave = run_.first_wave;
    bool is_too_large = false;  // True if a wave is left that the host divides.
    if (thread_index() == 0) {
      units_.count_first_wave();
      units_.start();
    }
    sync_block();
    while (block().has_work != 0) {
      runner_.queues().begin_wave(wave);
      if (Set::kSpawns && block_index() == 0) clear_counters(wave + 2);
      run_wave(wave);
      if constexpr (Set::kSpawns) stacks().flush_all();
      if (!run_.ends_wave) break;
      sync_block();
      if (thread_index() < warp_width()) {
        end_wave<Set>(run_.memory, run_.waves, wave, /*must_read_counts=*/run_.only != kAllTypes,
                      run_.loops);
        if (run_.loops && thread_index() == 0) units_.start();
      }
      sync_block();
      if (!run_.loops || block().wave_stop == kDropped || has_lost_its_first_warp(wave)) break;
      is_too_large = block().is_too_large != 0;
      if (is_too_large || (Set::kTravels && is_goal_reached(wave + 1))) {
        if (block_index() == 0 && thread_index() == 0) write_next_wave();
        break;
      }
      spills_ = block().wave_stop == kKept;
      ++wave;
      if (WaveProgress::is_due(wave)) report_progress(wave);
    }
    runner_.finish();
    end_block<Set>(run_.memory, run_.notifies_host, run_.memory.is_whole_run && !is_too_large);
  }

 private:
  MILLRACE_FUNCTION static BlockShared& block() { return WorkerMemory<Set>::block(); }

  MILLRACE_FUNCTION WaveStacks<Set> stacks() const {
    return WaveStacks<Set>(runner_.queues(), runner_.memory());
  }

  // Returns true after a wave if the block's first warp has exited (TaskContext::scratch), which
  // ends the run. The same in all threads of the block.
  MILLRACE_FUNCTION static bool has_lost_its_first_warp(std::uint32_t wave) {
    return Set::kScratchBytes > 0 && block().ended_waves != wave + 1;
  }

  // Returns the same in all blocks, which know the size of the next wave.
  MILLRACE_FUNCTION bool is_goal_reached(std::uint32_t waves) const {
    if (!run_.goal.is_set() || block().wave_stop != kRunning) return false;
    if (block().has_work == 0 || block().wave[Set::kTypes] > 0) return false;
    std::uint32_t tasks = 0;
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) tasks += block().wave[tag];
    return tasks >= run_.goal.tasks || waves >= run_.goal.waves;
  }

  MILLRACE_FUNCTION void write_next_wave() const {
    HostControl& host = *run_.memory.host;
    for (std::size_t tag = 0; tag <= Set::kTypes; ++tag) host.next_wave[tag] = block().wave[tag];
  }

  MILLRACE_FUNCTION void report_progress(std::uint32_t waves) const {
    if (block_index() != 0 || thread_index() != 0) return;
    std::uint32_t tasks = 0;
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) tasks += block().wave[tag];
    atomic_store<gpu::Scope::kSystem, gpu::Order::kRelaxed>(&run_.memory.host->progress,
                                                            WaveProgress::word(waves, tasks));
  }

  // Clears the counters of a wave that has not started.
  MILLRACE_FUNCTION void clear_counters(std::uint32_t wave) const {
    WaveCounters& counters = run_.memory.control->wave_counters[wave % kWaveCounters];
    const auto clear = [](std::uint64_t& word) {
      atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&word, std::uint64_t{0});
    };
    const std::size_t own = thread_index();
    if (own < Set::kTypes) clear(counters.reserved[own]);
    if (own == 0) {
      clear(counters.arrivals);
      clear(counters.ticket);
      clear(counters.chunks);
    }
  }

  MILLRACE_KERNEL_FUNCTION void run_wave(std::uint32_t wave) {
    RunControl& control = *run_.memory.control;
    const UnitSource source(
        run_.loops ? &control.wave_counters[wave % kWaveCounters].ticket : &control.root_ticket,
        block());
    if (Own::is_leader()) poll_for_stop();
    // Consecutive pieces go to workers of different blocks, so that a small number of units is
    // spread over all blocks.
    const OwnedUnits own =
        source.owned(Own::index() * grid_blocks() + block_index(), Own::workers() * grid_blocks());
    // Each loop contains all tasks. Small kernels take less time with two; in large ones, one loop
    // has half the code.
    constexpr bool kIsLarge = Set::kSpawns && (Set::kTypes > 2 || Set::kOpensJoins);
    if constexpr (kIsLarge) {
      run_units_in_one_loop(wave, source, own);
    } else if (run_owned_units(wave, own) && source.has_more()) {
      for (UnitRange range = take(source); !range.empty(); range = take(source)) {
        run_range(wave, range);
      }
    }
  }

  // Returns false if the worker must stop.
  MILLRACE_KERNEL_FUNCTION bool run_owned_units(std::uint32_t wave, const OwnedUnits& own) {
    std::uint32_t round = 0;
    for (std::uint32_t begin = own.first; begin < own.end; begin += own.step) {
      if (must_leave(round++)) return false;
      run_range(wave, {begin, begin + own.piece});
    }
    return true;
  }

  MILLRACE_KERNEL_FUNCTION void run_units_in_one_loop(std::uint32_t wave, const UnitSource& source,
                                                      const OwnedUnits& own) {
    bool has_own = true;  // The worker has units that belong to it.
    for (std::uint32_t round = 0;; ++round) {
      UnitRange range;
      if (has_own) range = own.at(round);
      has_own = !range.empty();
      if (has_own) {
        if (must_leave(round)) return;
      } else {
        if (!source.has_more()) return;
        range = take(source);
        if (range.empty()) return;
      }
      run_range(wave, range);
    }
  }

  // Takes units that belong to no worker; returns an empty range if there are none, or the worker
  // must stop.
  MILLRACE_FUNCTION UnitRange take(const UnitSource& source) {
    std::uint64_t word = 0;
    if (Own::is_leader()) {
      poll_for_stop();
      if (block_stop() != kDropped) word = source.take().word();
    }
    const UnitRange range = UnitRange::from(broadcast(word));
    if (!range.empty() && run_.memory.is_watched) broadcast_stop();
    return range;
  }

  // Returns true if the worker must stop before its piece `round`.
  MILLRACE_FUNCTION bool must_leave(std::uint32_t round) {
    if (is_dropped()) return true;
    if (round % 4 != 3) return false;
    if (Own::is_leader()) poll_for_stop();
    return broadcast_stop() == kDropped;
  }

  MILLRACE_FUNCTION std::uint64_t broadcast(std::uint64_t word) const {
    return Own::broadcast(&runner_.memory().worker().slot, word);
  }

  // Returns true if a task of the block has failed, or the block knows of another reason to leave.
  // It is a vote, which takes less time than a broadcast. Workers that are blocks rely on the
  // broadcast, which they do at intervals.
  MILLRACE_FUNCTION static bool is_dropped() {
    if constexpr (kBlockWorkers<Set>) return false;
    return ballot(block_stop() == kDropped) != 0;
  }

  // Returns the stop request that the block knows of, the same value in all lanes of the worker.
  MILLRACE_FUNCTION Stop broadcast_stop() {
    const auto stop = static_cast<Stop>(broadcast(block_stop()));
    spills_ = stop == kKept;
    return stop;
  }

  MILLRACE_KERNEL_FUNCTION void run_range(std::uint32_t wave, const UnitRange& range) {
    if (!Set::kSpawns && !spills_ && runs_roots_in_order()) return run_roots_in_order(range);
    for (std::uint32_t unit = range.begin; unit < range.end; ++unit) {
      run_unit<0>(wave, unit);
      if constexpr (Set::kSpawns) stacks().settle();
    }
  }

  MILLRACE_FUNCTION bool runs_roots_in_order() const {
    return have_same_width<Set>() && run_.order == nullptr;
  }
  MILLRACE_FUNCTION void run_roots_in_order(const UnitRange& units) {
    const std::uint64_t unit = Own::template unit<typename Set::template Type<0>>();
    const std::uint64_t end =
        units.end * unit < run_.root_count ? units.end * unit : run_.root_count;
    const std::uint64_t begin = units.begin * unit;
    if constexpr (have_same_width<Set>()) {
      runner_.run_roots(run_.roots, static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(end - begin));
    }
  }

  // Polls the host and the other blocks for a stop request. Done at intervals, because both loads
  // have long latencies.
  MILLRACE_FUNCTION void poll_for_stop() {
    if (Own::index() != 0 || ++polls_ % 8 != 0) return;
    if (run_.memory.is_watched) poll_host(run_.memory, block());
    const std::uint32_t stop =
        atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&run_.memory.control->stop);
    if (stop != kRunning) {
      atomic_max<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().stop, stop);
    }
  }

  // Runs unit `unit`, counted from the first unit of the type at kRank of the order by priority.
  template <std::size_t kRank>
  MILLRACE_KERNEL_FUNCTION void run_unit(std::uint32_t wave, std::uint32_t unit) {
    if constexpr (kRank == Set::kTypes) {
      if constexpr (Set::kSpawns) run_chunk(wave, unit);
    } else {
      constexpr std::size_t kTag = Set::kByPriority[kRank];
      using T = typename Set::template Type<kTag>;
      const std::uint32_t own = units_.template count<T>();
      if (unit >= own) return run_unit<kRank + 1>(wave, unit - own);
      const auto size = static_cast<std::uint32_t>(Own::template unit<T>());
      const std::uint32_t begin = unit * size;
      const std::uint32_t left = units_.template tasks<T>() - begin;
      const std::uint32_t count = left < size ? left : size;
      if (Set::kSpawns && wave > 0) {
        const TaskArray<T> array(run_.waves.arrays[wave % 2][kTag]);
        run_or_spill<T>(count, [&](std::uint32_t i) { return array.load(begin + i); });
      } else {
        run_roots<T>(begin, count);
      }
    }
  }

  template <class T>
  MILLRACE_KERNEL_FUNCTION void run_roots(std::uint32_t begin, std::uint32_t count) {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    if (run_.order != nullptr || Set::kTypes == 1) {
      if constexpr (Roots::template kIsRoot<T>) {
        const std::uint32_t* order =
            run_.order == nullptr ? nullptr : run_.order + units_.template order_begin<kTag>();
        run_or_spill<T>(count, [&, order](std::uint32_t i) {
          const std::uint32_t index = order == nullptr ? begin + i : order[begin + i];
          return run_.roots.template get<T>(index);
        });
      }
    } else if constexpr (kTag == 0) {
      // Roots in their own order count as tasks of the first type (wave_units.h).
      if (spills_) {
        spill_mixed(begin, count);
      } else {
        if constexpr (have_same_width<Set>()) runner_.run_roots(run_.roots, begin, count);
      }
    }
  }

  MILLRACE_FUNCTION void spill_mixed(std::uint32_t begin, std::uint32_t count) {
    for (std::uint32_t i = Own::lane(); i < count; i += Own::lanes()) {
      const TaskTag tag = run_.roots.tag(begin + i);
      visit_type<Set>(tag, [&]<class T>() {
        if constexpr (Roots::template kIsRoot<T>) {
          run_.memory.ring.push(tag, run_.roots.template get<T>(begin + i));
        }
      });
    }
    Own::sync();
  }

  MILLRACE_KERNEL_FUNCTION void run_chunk(std::uint32_t wave, std::uint32_t index) {
    const ChunkPool& pool = run_.memory.pool;
    std::uint32_t& entry = run_.waves.chunk_list[wave % 2][index];
    if (entry == kNoChunk) return;
    const Chunk chunk = pool.filled(entry);
    const TaskTag tag = chunk.tag();
    if (run_.only != kAllTypes && run_.only != tag) return;
    const std::uint32_t count = chunk.count();
    visit_type<Set>(tag, [&]<class T>() {
      const auto size = static_cast<std::uint32_t>(Own::template unit<T>());
      const std::uint32_t capacity = runner_.memory().layout().template chunk_capacity<T>();
      for (std::uint32_t begin = 0; begin < count; begin += size) {
        const std::uint32_t left = count - begin;
        run_or_spill<T>(left < size ? left : size, [&](std::uint32_t i) {
          return TaskWords<T>::load(pool.words(chunk.id), capacity, begin + i);
        });
      }
    });
    Own::sync();
    if (!Own::is_leader()) return;
    // Another launch of this wave must not take the chunk, which may be reused from here on.
    entry = kNoChunk;
    pool.free(chunk.id);
  }

  template <class T, class Load>
  MILLRACE_KERNEL_FUNCTION void run_or_spill(std::uint32_t count, const Load& load) {
    if (spills_) {
      runner_.template spill<T>(count, load);
    } else {
      runner_.template run<T>(count, load);
    }
  }

  const WaveKernel<Roots>& run_;
  WaveUnits<Roots> units_;
  UnitRunner<Set, WaveQueues> runner_;
  std::uint32_t polls_ = 0;
  // True if tasks go to the host instead of being run; the same in all lanes of the worker.
  bool spills_ = false;
};

template <class Roots>
MILLRACE_KERNEL_FUNCTION void WaveKernel<Roots>::operator()() const {
  WaveWorker<Roots>(*this).work();
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WAVES_WAVE_WORKER_H_
