// The end of a wave: all blocks of the grid meet, and learn how large the next one is.
#ifndef MILLRACE_BACKENDS_GPU_WAVE_TURN_H_
#define MILLRACE_BACKENDS_GPU_WAVE_TURN_H_

#include <cstddef>
#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/run_context.h>
#include <millrace/backends/gpu/worker_memory.h>

namespace millrace::MILLRACE_GPU {

// The arrays of a run in waves, of this wave and of the next in turn.
struct WaveMemory {
  std::uint32_t* arrays[2][kMaxTypes];  // As TaskArray.
  std::uint32_t capacity[kMaxTypes];    // Tasks an array holds.
  std::uint32_t* chunk_list[2];
};

// What a block adds to Control::arrivals, in one word: itself (12 bits), whether the counts must be
// looked up (12 bits), and what it has spawned of each type, where there are so few types and tasks
// that the sum over all blocks has room. So the last block to come knows the next wave at once, and
// waves that are small, in which the barrier is all the time there is, are spared a round trip.
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
      const std::uint64_t most = ((std::uint64_t{1} << kCountBits) - 1) / blocks;
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
                                    std::uint32_t wave, std::uint32_t turn, std::uint64_t word,
                                    Stop stop, bool tells_host) {
  using Word = ArrivalWord<Set::kTypes>;
  constexpr auto kDevice = gpu::Scope::kDevice;
  constexpr auto kRelaxed = gpu::Order::kRelaxed;
  Control& control = *memory.control;
  const std::uint32_t next = (wave + 1) % 2;
  const bool must_look = Word::must_look(word);

  std::uint64_t counts[Set::kTypes + 1];
  counts[Set::kTypes] = must_look ? atomic_load<kDevice, kRelaxed>(&control.chunks[next]) : 0;
  for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
    const std::uint64_t all = must_look
                                  ? atomic_load<kDevice, kRelaxed>(&control.reserved[next][tag])
                                  : Word::count(word, tag);
    counts[tag] = all < waves.capacity[tag] ? all : waves.capacity[tag];
  }
  // What belonged to this wave serves the one after the next.
  for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
    atomic_store<kDevice, kRelaxed>(&control.reserved[wave % 2][tag], std::uint64_t{0});
  }
  atomic_store<kDevice, kRelaxed>(&control.chunks[wave % 2], std::uint64_t{0});
  atomic_store<kDevice, kRelaxed>(&control.root_ticket, std::uint64_t{0});
  atomic_store<kDevice, kRelaxed>(&control.arrivals, std::uint64_t{0});
  atomic_store<kDevice, kRelaxed>(&control.waves, std::uint64_t{wave} + 1);

  // One order for all words: it is what costs time here.
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

// By the threads of a block, one a word: waits for the words of `turn`, and leaves them in the
// block's shared memory.
template <class Set>
MILLRACE_FUNCTION void await_wave(const RunMemory& memory, BlockShared& block, std::uint32_t turn) {
  constexpr auto kDevice = gpu::Scope::kDevice;
  constexpr auto kRelaxed = gpu::Order::kRelaxed;
  for (std::size_t tag = thread_index(); tag <= Set::kTypes; tag += block_threads()) {
    std::uint64_t word = 0;
    for (unsigned round = 1;; ++round) {
      word = atomic_load<kDevice, kRelaxed>(&memory.control->published[tag]);
      if (PublishedWord::is_of(word, turn)) break;
      // A block with a failed task may never come.
      if (round % 16 == 0 && atomic_load<kDevice, kRelaxed>(&memory.control->stop) == kDropped) {
        word = PublishedWord::make(turn, kDropped, 0);
        break;
      }
      pause(20);
    }
    fence<kDevice>();
    block.wave[tag] = PublishedWord::count(word);
    const Stop stop = PublishedWord::stop(word);
    if (stop != kRunning) {
      atomic_max<gpu::Scope::kBlock, kRelaxed>(&block.stop, static_cast<std::uint32_t>(stop));
    }
    if (PublishedWord::count(word) > 0 && stop != kDropped) {
      atomic_store<gpu::Scope::kBlock, kRelaxed>(&block.goes_on, 1u);
    }
  }
}

// By all threads of a block, between barriers of it, when it has nothing left of `wave`. `turn`
// counts from 1 in this launch. `must_look` where another launch has run part of the wave. In a
// loop, waits for all blocks and says in BlockShared how the next wave is and whether there is one.
template <class Set>
MILLRACE_FUNCTION void end_wave(const RunMemory& memory, const WaveMemory& waves,
                                std::uint32_t wave, std::uint32_t turn, bool must_look,
                                bool waits) {
  using Word = ArrivalWord<Set::kTypes>;
  BlockShared& block = WorkerMemory<Set>::block();
  if (thread_index() == 0) {
    const std::uint64_t blocks = grid_blocks();
    const std::uint64_t own = Word::arrival(block, blocks, must_look || block.has_chunks != 0);
    const auto stop = static_cast<Stop>(
        atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&memory.control->stop));
    const std::uint64_t before = atomic_add<gpu::Scope::kDevice, gpu::Order::kAcquireRelease>(
        &memory.control->arrivals, own);
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) block.spawned[tag] = 0;
    block.has_chunks = 0;
    block.goes_on = 0;
    if (Word::arrivals(before) + 1 == blocks) {
      publish_wave<Set>(memory, waves, wave, turn, before + own, stop, /*tells_host=*/!waits);
    }
  }
  if (!waits) return;
  sync_block();
  await_wave<Set>(memory, block, turn);
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WAVE_TURN_H_
