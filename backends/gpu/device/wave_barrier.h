// SPDX-License-Identifier: Apache-2.0

// The end of a wave: all blocks of the grid meet, and learn how large the next one is.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_WAVE_BARRIER_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_WAVE_BARRIER_H_

#include <cstddef>
#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/worker_memory.h>

namespace millrace::MILLRACE_GPU {

// The arrays of a run in waves, of this wave and of the next in turn.
struct WaveMemory {
  std::uint32_t* arrays[2][kMaxTypes];  // As TaskArray.
  std::uint32_t capacity[kMaxTypes];    // Tasks an array holds.
  std::uint32_t* chunk_list[2];
};

// What a block adds to WaveCounters::arrivals, in one word: itself (12 bits), whether the counts
// must be looked up (12 bits), and what it has spawned of each type, where there are so few types
// and tasks that the sum over all blocks has room. So who has seen all blocks arrive knows the next
// wave at once: waves that are small, in which the barrier is all the time there is, are spared
// round trips.
template <std::size_t kTypes>
struct ArrivalWord {
  static constexpr int kFieldBits = 12;
  static constexpr int kCountBits = kTypes <= 4 ? 40 / static_cast<int>(kTypes) : 0;
  static constexpr std::uint64_t kMostBlocks = (1 << kFieldBits) - 1;

  MILLRACE_FUNCTION static std::uint64_t arrival(const BlockShared& block, std::uint64_t blocks,
                                                 bool must_look) {
    std::uint64_t word = 1;
    must_look = must_look || kCountBits == 0;
    if constexpr (kCountBits > 0) {
      // A division by `blocks` would take long: whoever adds is what all wait for.
      constexpr std::uint64_t kCounts = (std::uint64_t{1} << kCountBits) - 1;
      const std::uint64_t most = blocks <= 256 ? kCounts / 256 : kCounts / kMostBlocks;
      for (std::size_t tag = 0; tag < kTypes; ++tag) {
        must_look = must_look || block.spawned[tag] > most;
        const std::uint64_t count = block.spawned[tag] > most ? 0 : block.spawned[tag];
        word += count << (2 * kFieldBits + kCountBits * tag);
      }
    }
    return word + (static_cast<std::uint64_t>(must_look) << kFieldBits);
  }
  MILLRACE_FUNCTION static std::uint64_t arrivals(std::uint64_t word) { return word & kMostBlocks; }
  MILLRACE_FUNCTION static bool must_look(std::uint64_t word) {
    return (word >> kFieldBits & kMostBlocks) != 0;
  }
  MILLRACE_FUNCTION static std::uint64_t count(std::uint64_t word, std::size_t tag) {
    if constexpr (kCountBits == 0)
      return 0;
    else
      return word >> (2 * kFieldBits + kCountBits * tag) & ((std::uint64_t{1} << kCountBits) - 1);
  }
};

// A word of Control::published: a count, the stop that holds, and the number of the turn, by which
// those who wait know it.
struct PublishedWord {
  MILLRACE_FUNCTION static std::uint64_t make(std::uint32_t turn, Stop stop, std::uint64_t count) {
    return static_cast<std::uint64_t>(turn & 0x3fffffff) << 34 |
           static_cast<std::uint64_t>(stop) << 32 | count;
  }
  MILLRACE_FUNCTION static bool is_of(std::uint64_t word, std::uint32_t turn) {
    return word >> 34 == (turn & 0x3fffffff);
  }
  MILLRACE_FUNCTION static Stop stop(std::uint64_t word) {
    return static_cast<Stop>(word >> 32 & 3);
  }
  MILLRACE_FUNCTION static std::uint32_t count(std::uint64_t word) {
    return static_cast<std::uint32_t>(word);
  }
};

// By one thread, the last to come: says how large the next wave is.
template <class Set>
MILLRACE_FUNCTION void publish_wave(const RunMemory& memory, const WaveMemory& waves,
                                    std::uint32_t wave, std::uint32_t turn, bool tells_host) {
  constexpr auto kDevice = gpu::Scope::kDevice;
  constexpr auto kRelaxed = gpu::Order::kRelaxed;
  Control& control = *memory.control;
  const WaveCounters& next = control.wave_counters[(wave + 1) % kWaveCounters];
  std::uint64_t counts[Set::kTypes + 1];
  counts[Set::kTypes] = atomic_load<kDevice, kRelaxed>(&next.chunks);
  const auto stop = static_cast<Stop>(atomic_load<kDevice, kRelaxed>(&control.stop));
  for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
    const std::uint64_t all = atomic_load<kDevice, kRelaxed>(&next.reserved[tag]);
    counts[tag] = all < waves.capacity[tag] ? all : waves.capacity[tag];
  }

  // One order for all words.
  fence<kDevice>();
  for (std::size_t tag = 0; tag <= Set::kTypes; ++tag) {
    atomic_store<kDevice, kRelaxed>(&control.published[tag],
                                    PublishedWord::make(turn, stop, counts[tag]));
  }
  if (!tells_host) return;
  for (std::size_t tag = 0; tag <= Set::kTypes; ++tag) {
    memory.host->next_wave[tag] = static_cast<std::uint32_t>(counts[tag]);
  }
}

// Returns a device word for which `is_there`, waiting until it is; 0 when the run is dropped, since
// a block with a failed task may never come.
template <class IsThere>
MILLRACE_FUNCTION std::uint64_t await_word(const RunMemory& memory, const std::uint64_t& word,
                                           const IsThere& is_there) {
  constexpr auto kDevice = gpu::Scope::kDevice;
  for (unsigned round = 1;; ++round) {
    const std::uint64_t found = atomic_load<kDevice, gpu::Order::kAcquire>(&word);
    if (is_there(found)) return found;
    if (round % 16 == 0 &&
        atomic_load<kDevice, gpu::Order::kRelaxed>(&memory.control->stop) == kDropped) {
      return 0;
    }
  }
}

// By the block's first warp, a lane a type: waits for all blocks, and leaves in the block's shared
// memory how large the next wave is. As a rule the arrivals themselves say it.
template <class Set>
MILLRACE_FUNCTION void await_wave(const RunMemory& memory, const WaveMemory& waves,
                                  BlockShared& block, std::uint32_t wave, std::uint32_t turn) {
  using Word = ArrivalWord<Set::kTypes>;
  constexpr auto kRelaxed = gpu::Order::kRelaxed;
  const auto blocks = static_cast<std::uint64_t>(grid_blocks());
  for (std::size_t tag = thread_index(); tag <= Set::kTypes; tag += warp_width()) {
    const std::uint64_t arrivals =
        await_word(memory, memory.control->wave_counters[wave % kWaveCounters].arrivals,
                   [=](std::uint64_t found) { return Word::arrivals(found) == blocks; });
    std::uint64_t word = PublishedWord::make(turn, kDropped, 0);
    if (arrivals != 0 && !Word::must_look(arrivals)) {
      const std::uint64_t all = tag < Set::kTypes ? Word::count(arrivals, tag) : 0;
      const std::uint64_t most = tag < Set::kTypes ? waves.capacity[tag] : 0;
      word = PublishedWord::make(turn, kRunning, all < most ? all : most);
    } else if (arrivals != 0) {
      const std::uint64_t found =
          await_word(memory, memory.control->published[tag],
                     [=](std::uint64_t found) { return PublishedWord::is_of(found, turn); });
      if (found != 0) word = found;
    }
    block.wave[tag] = PublishedWord::count(word);
    const Stop stop = PublishedWord::stop(word);
    if (stop != kRunning) {
      atomic_max<gpu::Scope::kBlock, kRelaxed>(&block.stop, static_cast<std::uint32_t>(stop));
      atomic_max<gpu::Scope::kBlock, kRelaxed>(&block.wave_stop, static_cast<std::uint32_t>(stop));
    }
    if (PublishedWord::count(word) > 0 && stop != kDropped) {
      atomic_store<gpu::Scope::kBlock, kRelaxed>(&block.goes_on, 1u);
    }
  }
}

// By the first warp of a block, between barriers of it, when the block has nothing left of `wave`.
// `turn` counts from 1 in this launch. `must_look` where another launch has run part of the wave.
// In a loop, waits for all blocks and says in BlockShared how the next wave is and whether there is
// one.
template <class Set>
MILLRACE_FUNCTION void end_wave(const RunMemory& memory, const WaveMemory& waves,
                                std::uint32_t wave, std::uint32_t turn, bool must_look,
                                bool waits) {
  using Word = ArrivalWord<Set::kTypes>;
  BlockShared& block = WorkerMemory<Set>::block();
  if (thread_index() == 0) {
    const std::uint64_t blocks = grid_blocks();
    // Whoever stops a run has said so in its own block too.
    must_look = must_look || block.has_chunks != 0 || block.stop != kRunning;
    const std::uint64_t own = Word::arrival(block, blocks, must_look);
    const std::uint64_t before = atomic_add<gpu::Scope::kDevice, gpu::Order::kAcquireRelease>(
        &memory.control->wave_counters[wave % kWaveCounters].arrivals, own);
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) block.spawned[tag] = 0;
    block.has_chunks = 0;
    block.has_no_chunks = 0;
    block.goes_on = 0;
    if (Word::arrivals(before) + 1 == blocks) {
      atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&memory.control->waves,
                                                              std::uint64_t{wave} + 1);
      if (!waits || Word::must_look(before + own)) {
        publish_wave<Set>(memory, waves, wave, turn, /*tells_host=*/!waits);
      }
    }
  }
  if (!waits) return;
  sync_warp();
  await_wave<Set>(memory, waves, block, wave, turn);
  sync_warp();
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_WAVE_BARRIER_H_
