// SPDX-License-Identifier: Apache-2.0

// Tasks that a persistent worker hands to another one of its block, through shared memory.
//
// Where a task takes a warp, a graph of tasks has a few more or fewer of them than workers at any
// time: a worker that is left with two tasks, and one with none, are often in one block. A chunk
// takes some microseconds from one to the other, as long as a task. So a worker without tasks says
// that it waits, and one with two or more claims it and stores tasks on its stacks.
//
//   worker that waits            worker with a surplus
//   kWaiting
//                                kClaimed
//                                tasks, then kGiven
//   kNone, and runs them
//
// Such workers share one token (persistent_worker.h): the block has it while a worker is active.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_HANDOVER_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_HANDOVER_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/worker_memory.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// True if workers of a set hand tasks over. Lanes that run a task each share them by other means
// (docs/experiments/how_persistent_workers_share_tasks.md).
template <class Set>
inline constexpr bool kHandsOver = kHasStacks<Set>&& kRunsOneTask<Set> && !kBlockWorkers<Set>;

// All members are called by all lanes of the worker, and return the same in all of them.
template <class Set>
class Handover {
  using Own = Worker<Set>;
  static constexpr auto kBlock = gpu::Scope::kBlock;
  static constexpr auto kRelaxed = gpu::Order::kRelaxed;

 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  MILLRACE_FUNCTION explicit Handover(const WorkerMemory<Set>& memory) : memory_(memory) {}

  // Others may store tasks on the stacks from here on; they are empty.
  MILLRACE_FUNCTION void begin_wait() const {
    Own::sync();
    if (Own::is_leader()) {
      atomic_store<kBlock, gpu::Order::kRelease>(&state(), std::uint32_t{kWaiting});
      atomic_add<kBlock, kRelaxed>(&waiting(), 1u);
    }
  }

  // Returns true, and ends the wait, if the stacks have got tasks.
  MILLRACE_FUNCTION bool take() const {
    std::uint32_t found = kNone;
    if (Own::is_leader()) found = atomic_load<kBlock, kRelaxed>(&state());
    if (shuffle(found, 0) != kGiven) return false;
    if (Own::is_leader()) {
      fence<kBlock>();
      atomic_store<kBlock, kRelaxed>(&state(), std::uint32_t{kNone});
    }
    Own::sync();
    return true;
  }

  // Ends the wait. Returns false, and does not, if another worker has claimed this one.
  MILLRACE_FUNCTION bool withdraw() const {
    std::uint32_t is_waiting = 0;
    if (Own::is_leader()) {
      is_waiting = exchange(state(), kWaiting, kNone) ? 1 : 0;
      if (is_waiting != 0) atomic_add<kBlock, kRelaxed>(&waiting(), ~std::uint32_t{0});
    }
    return agree(is_waiting);
  }

  // Returns the index of a worker that waited and gets tasks from this one, or kNobody.
  MILLRACE_FUNCTION std::uint32_t claim() const {
    std::uint32_t claimed = kNobody;
    if (Own::is_leader() && atomic_load<kBlock, kRelaxed>(&waiting()) > 0) {
      const auto workers = static_cast<std::uint32_t>(Own::workers());
      for (std::uint32_t i = 0; i < workers && claimed == kNobody; ++i) {
        std::uint32_t& other = memory_.worker(i).handover;
        if (atomic_load<kBlock, kRelaxed>(&other) != kWaiting) continue;
        if (exchange(other, kWaiting, kClaimed)) claimed = i;
      }
      if (claimed != kNobody) atomic_add<kBlock, kRelaxed>(&waiting(), ~std::uint32_t{0});
    }
    claimed = shuffle(claimed, 0);
    Own::sync();
    return claimed;
  }

  // Called by the leader. Gives a claimed worker the tasks that are on its stacks now.
  MILLRACE_FUNCTION void give(std::uint32_t claimed) const {
    atomic_add<kBlock, kRelaxed>(&memory_.block().active, 1u);
    atomic_store<kBlock, gpu::Order::kRelease>(&memory_.worker(claimed).handover,
                                               std::uint32_t{kGiven});
  }

 private:
  enum State : std::uint32_t { kNone, kWaiting, kClaimed, kGiven };

  MILLRACE_FUNCTION std::uint32_t& state() const { return memory_.worker().handover; }
  MILLRACE_FUNCTION std::uint32_t& waiting() const { return memory_.block().waiting; }

  MILLRACE_FUNCTION static bool exchange(std::uint32_t& word, State from, State to) {
    return atomic_compare_exchange<kBlock, gpu::Order::kAcquireRelease>(&word, std::uint32_t{from},
                                                                        std::uint32_t{to}) == from;
  }
  MILLRACE_FUNCTION static bool agree(std::uint32_t value) {
    value = shuffle(value, 0);
    Own::sync();
    return value != 0;
  }

  const WorkerMemory<Set>& memory_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_HANDOVER_H_
