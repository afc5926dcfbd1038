// SPDX-License-Identifier: Apache-2.0

// The barrier at the end of a wave: all blocks of the grid wait for each other, and learn the size
// of the next wave.
#ifndef MILLRACE_BACKENDS_GPU_WAVES_WAVE_BARRIER_H_
#define MILLRACE_BACKENDS_GPU_WAVES_WAVE_BARRIER_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/max_types.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/control/stop.h>
#include <millrace/backends/gpu/device/control/wave_counters.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/worker_memory.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The arrays of a run in waves; those of this wave and of the next alternate.
struct WaveMemory {
  std::uint32_t* arrays[2][kMaxTypes];   // Laid out as TaskArray.
  std::uint32_t capacity[2][kMaxTypes];  // Number of tasks an array holds.
  std::uint32_t* chunk_list[2];
  // A launch that loops over waves ends before a wave with more tasks of a type (wave_surplus.h).
  std::uint32_t most[kMaxTypes];
};

// The word that a block adds to WaveCounters::arrivals. It has the block itself (12 bits), a flag
// that the counts must be read from memory (12 bits), and the number of tasks the block has spawned
// of each type, if the set has at most 4 types and the numbers are so small that the sum over
// all blocks fits. So a block that has observed the arrival of all blocks knows the next wave at
// once. This saves round trips in small waves, whose time is mostly the barrier.
template <std::size_t kTypes>
struct ArrivalWord {
  static constexpr int kFieldBits = 12;
  static constexpr int kCountBits = kTypes <= 4 ? 40 / static_cast<int>(kTypes) : 0;
  static constexpr std::uint64_t kMaxBlocks = (1 << kFieldBits) - 1;

  MILLRACE_FUNCTION static std::uint64_t arrival(const BlockShared& block, std::uint64_t blocks,
                                                 bool must_read_counts) {
    std::uint64_t word = 1;
    must_read_counts = must_read_counts || kCountBits == 0;
    if constexpr (kCountBits > 0) {
      // Avoids a division by `blocks`, which would take long: all blocks wait for the last one that
      // adds its word.
      constexpr std::uint64_t kCounts = (std::uint64_t{1} << kCountBits) - 1;
      const std::uint64_t most = blocks <= 256 ? kCounts / 256 : kCounts / kMaxBlocks;
      for (std::size_t tag = 0; tag < kTypes; ++tag) {
        must_read_counts = must_read_counts || block.spawned[tag] > most;
        const std::uint64_t count = block.spawned[tag] > most ? 0 : block.spawned[tag];
        word += count << (2 * kFieldBits + kCountBits * tag);
      }
    }
    return word + (static_cast<std::uint64_t>(must_read_counts) << kFieldBits);
  }
  MILLRACE_FUNCTION static std::uint64_t arrivals(std::uint64_t word) { return word & kMaxBlocks; }
  MILLRACE_FUNCTION static bool must_read_counts(std::uint64_t word) {
    return (word >> kFieldBits & kMaxBlocks) != 0;
  }
  MILLRACE_FUNCTION static std::uint64_t count(std::uint64_t word, std::size_t tag) {
    if constexpr (kCountBits == 0)
      return 0;
    else
      return word >> (2 * kFieldBits + kCountBits * tag) & ((std::uint64_t{1} << kCountBits) - 1);
  }
};

// A word of RunControl::published: a count, the stop request that applies, and the number of the
// phase, by which waiting blocks recognize it.
struct PublishedWord {
  MILLRACE_FUNCTION static std::uint64_t make(std::uint32_t phase, Stop stop, std::uint64_t count) {
    return static_cast<std::uint64_t>(phase & 0x3fffffff) << 34 |
           static_cast<std::uint64_t>(stop) << 32 | count;
  }
  MILLRACE_FUNCTION static bool has_phase(std::uint64_t word, std::uint32_t phase) {
    return word >> 34 == (phase & 0x3fffffff);
  }
  MILLRACE_FUNCTION static Stop stop(std::uint64_t word) {
    return static_cast<Stop>(word >> 32 & 3);
  }
  MILLRACE_FUNCTION static std::uint32_t count(std::uint64_t word) {
    return static_cast<std::uint32_t>(word);
  }
};

// Publishes the size of the next wave. Called by one thread, of the block that arrives last.
template <class Set>
MILLRACE_FUNCTION void publish_wave(const RunMemory& memory, const WaveMemory& waves,
                                    std::uint32_t wave, std::uint32_t phase, bool notifies_host) {
  constexpr auto kDevice = gpu::Scope::kDevice;
  constexpr auto kRelaxed = gpu::Order::kRelaxed;
  RunControl& control = *memory.control;
  const WaveCounters& next = control.wave_counters[(wave + 1) % kWaveCounters];
  std::uint64_t counts[Set::kTypes + 1];
  counts[Set::kTypes] = atomic_load<kDevice, kRelaxed>(&next.chunks);
  const auto stop = static_cast<Stop>(atomic_load<kDevice, kRelaxed>(&control.stop));
  for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
    const std::uint64_t all = atomic_load<kDevice, kRelaxed>(&next.reserved[tag]);
    const std::uint64_t most = waves.capacity[(wave + 1) % 2][tag];
    counts[tag] = all < most ? all : most;
  }

  // Orders all words in one step: with the acquiring load of a reader, it makes the writes before
  // this fence visible.
  fence<kDevice>();
  for (std::size_t tag = 0; tag <= Set::kTypes; ++tag) {
    atomic_store<kDevice, kRelaxed>(&control.published[tag],
                                    PublishedWord::make(phase, stop, counts[tag]));
  }
  if (!notifies_host) return;
  for (std::size_t tag = 0; tag <= Set::kTypes; ++tag) {
    memory.host->next_wave[tag] = static_cast<std::uint32_t>(counts[tag]);
  }
}

// Returns a device word for which `is_ready` is true, after waiting for it. Returns 0 if the run is
// dropped, since a block with a failed task may never arrive.
template <class IsReady>
MILLRACE_FUNCTION std::uint64_t await_word(const RunMemory& memory, const std::uint64_t& word,
                                           const IsReady& is_ready) {
  constexpr auto kDevice = gpu::Scope::kDevice;
  for (unsigned round = 1;; ++round) {
    const std::uint64_t found = atomic_load<kDevice, gpu::Order::kAcquire>(&word);
    if (is_ready(found)) return found;
    if (round % 16 == 0 &&
        atomic_load<kDevice, gpu::Order::kRelaxed>(&memory.control->stop) == kDropped) {
      return 0;
    }
  }
}

// Waits for all blocks, and leaves the size of the next wave in the block's shared memory. Called
// by the block's first warp; each lane handles a type. Usually the arrival words themselves have
// the sizes.
template <class Set>
MILLRACE_FUNCTION void await_wave(const RunMemory& memory, const WaveMemory& waves,
                                  BlockShared& block, std::uint32_t wave, std::uint32_t phase) {
  using Word = ArrivalWord<Set::kTypes>;
  constexpr auto kRelaxed = gpu::Order::kRelaxed;
  const auto blocks = static_cast<std::uint64_t>(grid_blocks());
  for (std::size_t tag = thread_index(); tag <= Set::kTypes; tag += warp_width()) {
    const std::uint64_t arrivals =
        await_word(memory, memory.control->wave_counters[wave % kWaveCounters].arrivals,
                   [=](std::uint64_t found) { return Word::arrivals(found) == blocks; });
    std::uint64_t word = PublishedWord::make(phase, kDropped, 0);
    if (arrivals != 0 && !Word::must_read_counts(arrivals)) {
      const std::uint64_t all = tag < Set::kTypes ? Word::count(arrivals, tag) : 0;
      const std::uint64_t most = tag < Set::kTypes ? waves.capacity[(wave + 1) % 2][tag] : 0;
      word = PublishedWord::make(phase, kRunning, all < most ? all : most);
    } else if (arrivals != 0) {
      const std::uint64_t found =
          await_word(memory, memory.control->published[tag],
                     [=](std::uint64_t found) { return PublishedWord::has_phase(found, phase); });
      if (found != 0) word = found;
    }
    block.wave[tag] = PublishedWord::count(word);
    if (tag < Set::kTypes && PublishedWord::count(word) > waves.most[tag]) {
      atomic_store<gpu::Scope::kBlock, kRelaxed>(&block.is_too_large, 1u);
    }
    const Stop stop = PublishedWord::stop(word);
    if (stop != kRunning) {
      atomic_max<gpu::Scope::kBlock, kRelaxed>(&block.stop, static_cast<std::uint32_t>(stop));
      atomic_max<gpu::Scope::kBlock, kRelaxed>(&block.wave_stop, static_cast<std::uint32_t>(stop));
    }
    if (PublishedWord::count(word) > 0 && stop != kDropped) {
      atomic_store<gpu::Scope::kBlock, kRelaxed>(&block.has_work, 1u);
    }
  }
}

// Ends `wave`. Called by the first warp of a block, between two barriers of the block, when the
// block has no work of `wave` left. `must_read_counts` is set if another launch has run part of the
// wave. With `waits`, waits for all blocks, and leaves in BlockShared the size of the next wave and
// whether there is one.
template <class Set>
MILLRACE_FUNCTION void end_wave(const RunMemory& memory, const WaveMemory& waves,
                                std::uint32_t wave, bool must_read_counts, bool waits) {
  using Word = ArrivalWord<Set::kTypes>;
  BlockShared& block = WorkerMemory<Set>::block();
  const std::uint32_t phase = wave + 1;  // Other launches of the run have other waves.
  if (thread_index() == 0) {
    const std::uint64_t blocks = grid_blocks();
    // A thread that stops a run has also set the flag of its own block.
    must_read_counts = must_read_counts || block.has_chunks != 0 || block.stop != kRunning;
    const std::uint64_t own = Word::arrival(block, blocks, must_read_counts);
    const std::uint64_t before = atomic_add<gpu::Scope::kDevice, gpu::Order::kAcquireRelease>(
        &memory.control->wave_counters[wave % kWaveCounters].arrivals, own);
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) block.spawned[tag] = 0;
    block.has_chunks = 0;
    block.has_no_chunks = 0;
    block.has_work = 0;
    if (Word::arrivals(before) + 1 == blocks) {
      atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&memory.control->waves,
                                                              std::uint64_t{wave} + 1);
      if (!waits || Word::must_read_counts(before + own)) {
        publish_wave<Set>(memory, waves, wave, phase, /*notifies_host=*/!waits);
      }
    }
  }
  if (!waits) return;
  sync_warp();
  await_wave<Set>(memory, waves, block, wave, phase);
  sync_warp();
  if (thread_index() == 0) block.ended_waves = wave + 1;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WAVES_WAVE_BARRIER_H_
