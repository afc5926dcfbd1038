// SPDX-License-Identifier: Apache-2.0

// kPersistentThreads on a GPU: workers take, run and spawn tasks until none is pending.
//
// A worker's spawned tasks are on its stacks in shared memory, one per type, so that all lanes run
// tasks of one type. It runs the newest tasks and gives the oldest away. Those of a full stack go
// to chunks that only it knows. While its shard has fewer than kTargetChunks chunks for others to
// steal, or a worker of its block is idle, a worker with a surplus publishes to the shard the
// oldest of those chunks or, if it has none, the oldest tasks of a stack. A worker without work
// takes chunks from its own shard, then from others. No worker waits for a particular other worker,
// so a block that is not resident delays no one.
//
// Termination: RunControl::tokens counts active workers, published chunks, and one for the roots
// until the last is taken. One is subtracted, so that zeroed memory is the correct initial state. A
// token is added before the item that it stands for can be taken. The worker that takes a chunk
// inherits its token. The worker that returns the last token sets RunControl::done.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_PERSISTENT_WORKER_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_PERSISTENT_WORKER_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/chunk_search.h>
#include <millrace/backends/gpu/device/control/shard.h>
#include <millrace/backends/gpu/device/control/stop.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/task_stacks.h>
#include <millrace/backends/gpu/device/unit_runner.h>
#include <millrace/backends/gpu/device/unit_source.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The kernel, as a Body (api.h).
template <class Roots>
struct PersistentKernel {
  using Set = typename Roots::Set;
  // Threads per multiprocessor.
  static constexpr int kUsualThreads = BlockThreads::kPersistent * (kHasLargeTasks<Set>      ? 2
                                                                    : kAllowsLaneStacks<Set> ? 1
                                                                    : Set::kSpawns           ? 4
                                                                                             : 6);
  static constexpr int kMaxThreads =
      block_threads_for<Set>(BlockThreads::kPersistent, kUsualThreads);
  static constexpr int kTargetBlocks =
      target_threads<Set>(kMaxThreads, kUsualThreads) / kMaxThreads;

  RunMemory memory;
  Roots roots;
  std::uint32_t root_count;

  MILLRACE_KERNEL_FUNCTION void operator()() const;
};

class PersistentQueues {
 public:
  // Stacks are rings, because their oldest tasks are removed.
  static constexpr bool kHaveRings = true;
  static constexpr bool kRunInWaves = false;

  MILLRACE_FUNCTION explicit PersistentQueues(const RunMemory& memory) : memory_(memory) {}

  MILLRACE_FUNCTION const RunMemory& memory() const { return memory_; }

  // Called by a lane of an active worker.
  MILLRACE_FUNCTION void publish(const Chunk& chunk) const {
    add_tokens(1);
    memory_.pool.publish(chunk, last_list_);
  }

  // Keeps the last known head of the own shard's list, from which publish() starts. May be called
  // by any lane.
  MILLRACE_FUNCTION void note_list(std::uint64_t list) { last_list_ = list; }
  MILLRACE_FUNCTION std::uint64_t seen() const { return last_list_; }

  // Adds tokens and returns the count before. The atomic is relaxed, because tokens order only
  // themselves: the list of a chunk orders its contents, and the end of the kernel orders the
  // writes of tasks.
  MILLRACE_FUNCTION std::uint64_t add_tokens(std::int64_t count) const {
    return 1 + atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
                   &memory_.control->tokens, static_cast<std::uint64_t>(count));
  }

 private:
  const RunMemory& memory_;
  std::uint64_t last_list_ = 0;
};

template <class Roots>
class PersistentWorker {
  using Set = typename Roots::Set;
  using Own = Worker<Set>;
  using Stacks = TaskStacks<Set, PersistentQueues>;
  using Search = ChunkSearch<Set>;

 public:
  MILLRACE_FUNCTION explicit PersistentWorker(const PersistentKernel<Roots>& run)
      : run_(run),
        runner_(PersistentQueues(run.memory)),
        source_(&run.memory.control->root_ticket, block()),
        own_shard_(&run.memory.pool.shard(run.memory.pool.own_shard())),
        stop_(run.memory.first_stop) {}

  // Called by all threads of the block.
  MILLRACE_KERNEL_FUNCTION void work() {
    start_block(runner_.memory(), run_.memory);
    if constexpr (kHasLaneStacks<Set, PersistentQueues>) runner_.stack().clear(runner_.memory());
    if (thread_index() == 0) {
      // A block that starts after the run is done must not count as active.
      const std::uint64_t before = runner_.queues().add_tokens(Own::workers());
      if (before == 0) block().has_work = 0;
      start_units<Set>(block(), units_of_roots(), /*starts_full=*/!kHasStacks<Set>);
    }
    sync_block();
    if (block().has_work != 0) {
      while (step()) {
      }
    }
    runner_.finish();
    end_block<Set>(run_.memory, /*notifies_host=*/true, run_.memory.is_whole_run);
  }

 private:
  MILLRACE_FUNCTION static BlockShared& block() { return WorkerMemory<Set>::block(); }
  MILLRACE_FUNCTION Stacks stacks() { return Stacks(runner_, surplus_); }
  MILLRACE_FUNCTION std::uint64_t broadcast(std::uint64_t word) const {
    return Own::broadcast(&runner_.memory().worker().slot, word);
  }

  // Returns the number of roots in a unit.
  MILLRACE_FUNCTION static std::uint32_t root_unit() {
    if constexpr (kRootsInPlace<Set>)
      return Own::template unit<typename Set::template Type<0>>();
    else
      return Own::lanes();
  }
  MILLRACE_FUNCTION std::uint32_t units_of_roots() const {
    const std::uint32_t unit = root_unit();
    return run_.root_count / unit + (run_.root_count % unit == 0 ? 0 : 1);
  }

  // Does one step of work; returns false at the end of the run.
  MILLRACE_KERNEL_FUNCTION bool step() {
    poll();
    if (stop_ == kDropped) return false;
    if (stop_ == kKept) stacks().spill_all();
    if constexpr (Set::kTravels && kHasStacks<Set>) {
      if (must_give_ && stop_ == kRunning) give_chunks();
    }
    if constexpr (kHasStacks<Set>) {
      if (run_own_tasks()) return true;
    } else if (!roots_.empty()) {
      if (stop_ == kRunning)
        run_root_range();
      else
        run_root_unit();
      return true;
    }
    if (take_roots()) return true;
    if constexpr (kHasStacks<Set>) return take_chunk();
    return false;  // The set has no stacks, so there is no work besides roots.
  }

  // Runs whole units, then roots, then what is left. Returns false if this worker has no task.
  MILLRACE_KERNEL_FUNCTION bool run_own_tasks() {
    // The loop has one call of run_units(), which contains all tasks.
    for (bool partial = false;; partial = true) {
      if (run_units(partial)) {
        // Some lanes may have all that a worker has, on their stacks.
        const bool may_share = kHasLaneStacks<Set, PersistentQueues> || !partial;
        if (may_share && surplus_ != Surplus::kNone && are_others_starved()) share();
        return true;
      }
      if (partial) return false;
      surplus_ = Surplus::kNone;
      if (!roots_.empty()) {
        run_root_unit();
        return true;
      }
      if (stacks().load_own_chunk()) return true;
    }
  }

  // Runs units until a poll is issued or its result is due; returns false if there was none.
  MILLRACE_KERNEL_FUNCTION bool run_units(bool partial) {
    const std::uint32_t most = is_polling_ ? 1 : (kStepsPerPoll - steps_) << log2_interval_;
    const std::uint32_t units = stacks().run_units(partial, most);
    if (units > 1) steps_ += (units - 1) >> log2_interval_;
    return units > 0;
  }

  // Sets stop_ and is_shard_starved_ from a prefetched poll: one step issues the loads and the next
  // uses the results. No lane waits for them, since a step may be shorter than a load. A worker
  // with a large surplus polls in every step, others at intervals.
  MILLRACE_FUNCTION void poll() {
    is_shard_starved_ = false;
    if (is_polling_) {
      const std::uint32_t known = block_stop();
      const std::uint32_t published = ChunkPool::count_in(runner_.queues().seen());
      const std::uint32_t is_below_target = published < kTargetChunks ? 1 : 0;
      const auto result = static_cast<std::uint32_t>(
          broadcast((polled_stop_ > known ? polled_stop_ : known) | is_below_target << 2 |
                    next_log2_interval() << 3 | (are_chunks_wanted() ? kMustGive : 0)));
      if (stop_ != kDropped) stop_ = static_cast<Stop>(result & 3);
      is_shard_starved_ = (result >> 2 & 1) != 0;
      log2_interval_ = (result & (kMustGive - 1)) >> 3;
      must_give_ = (result & kMustGive) != 0;
    } else if constexpr (!kBlockWorkers<Set> && kHasStacks<Set>) {
      // A failure in the own block takes effect in the next step.
      if (ballot(block_stop() == kDropped) != 0) stop_ = kDropped;
    }
    is_polling_ = surplus_ == Surplus::kMuch || ++steps_ >= kStepsPerPoll;
    if (!is_polling_) return;
    steps_ = 0;
    issue_poll();
  }

  // Returns the next value of log2_interval_. The number of held units between polls is adapted to
  // take some microseconds: then a poll costs little beside them, and a stop request is received
  // soon.
  MILLRACE_FUNCTION std::uint32_t next_log2_interval() {
    if constexpr (!decltype(runner_)::kHolds) return 0;
    constexpr std::uint32_t kShort = 16'000;  // Counted in cycles.
    constexpr std::uint32_t kLong = 64'000;
    const auto now = static_cast<std::uint32_t>(clock_cycles());
    const std::uint32_t passed = now - received_at_;
    received_at_ = now;
    if (passed > kLong) return 0;
    return log2_interval_ + (passed < kShort && log2_interval_ < kMaxLog2Interval ? 1 : 0);
  }

  // Issues the loads of a poll, whose results only the leader uses. If workers are warps, all lanes
  // load, because a branch would wait for the loads.
  MILLRACE_FUNCTION void issue_poll() {
    if (kBlockWorkers<Set> && !Own::is_leader()) return;
    const Shard& own = *own_shard_;
    polled_stop_ = atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&own.stop);
    if constexpr (Set::kSpawns) {
      runner_.queues().note_list(
          atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&own.published));
    }
    if (run_.memory.is_watched && Own::index() == 0 && Own::is_leader()) {
      honour_host_stop(run_.memory, host_stop_);
      if (is_poll_due(run_.memory, block())) {
        host_stop_ = read_host_stop(run_.memory);
        if constexpr (Set::kTravels) poll_wanted(run_.memory, block());
      }
    }
  }

  // Returns true if the host waits for chunks, which a worker of the first block gives.
  MILLRACE_FUNCTION bool are_chunks_wanted() const {
    if constexpr (!Set::kTravels) return false;
    return atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().chunks_to_give) > 0;
  }

  // Sends the host as many chunks as it has requested, or all that workers have published. It is
  // the thief for another device: workers with a surplus publish more.
  MILLRACE_FUNCTION void give_chunks() {
    must_give_ = false;
    std::uint64_t wanted = 0;
    if (Own::is_leader()) {
      wanted = atomic_exchange<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().chunks_to_give,
                                                                         std::uint32_t{0});
    }
    wanted = broadcast(wanted);
    const Search search(run_.memory, runner_.memory(), *own_shard_);
    for (; wanted > 0; --wanted) {
      const std::uint64_t found = search.find();
      if (found == kNoChunk) break;
      stacks().spill(Chunk::from(found));
      // This worker has a token of its own, so the chunk's is not the last.
      if (Own::is_leader()) runner_.queues().add_tokens(-1);
    }
    if (Own::is_leader() && wanted > 0) {
      atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().chunks_to_give,
                                                           static_cast<std::uint32_t>(wanted));
    }
    Own::sync();
  }

  // Returns true if other workers have nothing to steal: the shard was below its target at the last
  // poll, or a worker of the block is idle.
  MILLRACE_FUNCTION bool are_others_starved() const {
    if constexpr (kBlockWorkers<Set>) return is_shard_starved_;
    const bool is_starved =
        atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().is_starved) != 0;
    return ballot(is_starved) != 0 || is_shard_starved_;
  }

  // Shares tasks from one worker of a block at a time, while the others continue. All of them learn
  // at once that others are starved, and many that update one list at once would retry again and
  // again.
  MILLRACE_FUNCTION void share() {
    constexpr auto kBlock = gpu::Scope::kBlock;
    if constexpr (!kBlockWorkers<Set>) {
      std::uint32_t is_another = 0;
      if (Own::is_leader()) {
        is_another = atomic_exchange<kBlock, gpu::Order::kRelaxed>(&block().is_sharing, 1u);
      }
      if (shuffle(is_another, 0) != 0) return;
    }
    stacks().share();
    if (Own::is_leader()) {
      atomic_store<kBlock, gpu::Order::kRelaxed>(&block().is_starved, 0u);
      atomic_store<kBlock, gpu::Order::kRelaxed>(&block().is_sharing, 0u);
    }
  }

  MILLRACE_FUNCTION bool take_roots() {
    if (no_more_roots_) return false;
    if constexpr (!kHasStacks<Set>) {
      // A block that starts late runs the units that belong to it late.
      const OwnedUnits own = source_.owned(Own::index() * grid_blocks() + block_index(),
                                           Own::workers() * grid_blocks());
      roots_ = own.at(owned_rounds_);
      if (!roots_.empty()) {
        ++owned_rounds_;
        return true;
      }
    }
    std::uint64_t word = 0;
    if (Own::is_leader()) {
      const UnitRange range = source_.take();
      if (!range.empty() && range.end == source_.count()) runner_.queues().add_tokens(-1);
      word = range.word();
    }
    roots_ = UnitRange::from(broadcast(word));
    no_more_roots_ = roots_.empty();
    return !no_more_roots_;
  }

  MILLRACE_FUNCTION void run_root_range() {
    if constexpr (!kHasStacks<Set>) {
      const std::uint64_t unit = root_unit();
      const std::uint64_t begin = roots_.begin * unit;
      const std::uint64_t end =
          roots_.end * unit < run_.root_count ? roots_.end * unit : run_.root_count;
      runner_.run_roots(run_.roots, static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(end - begin));
      roots_ = {};
    }
  }

  MILLRACE_KERNEL_FUNCTION void run_root_unit() {
    const std::uint32_t unit = root_unit();
    const std::uint32_t begin = roots_.begin++ * unit;
    const std::uint32_t left = run_.root_count - begin;
    const std::uint32_t count = left < unit ? left : unit;
    if constexpr (!kRootsInPlace<Set>) {
      push_roots(begin, count);
    } else if constexpr (Set::kTypes == 1) {
      using T = typename Set::template Type<0>;
      const auto load = [&](std::uint32_t i) { return run_.roots.template get<T>(begin + i); };
      if (stop_ == kKept)
        runner_.template spill<T>(count, load);
      else
        runner_.template run<T>(count, load);
      stacks().settle();
    } else {
      visit_type<Set>(run_.roots.tag(begin), [&]<class T>() {
        if constexpr (Roots::template kIsRoot<T>) {
          const auto load = [&](std::uint32_t i) { return run_.roots.template get<T>(begin + i); };
          if (stop_ == kKept)
            runner_.template spill<T>(1, load);
          else
            runner_.template run<T>(1, load);
        }
      });
      stacks().settle();
    }
  }

  MILLRACE_KERNEL_FUNCTION void push_roots(std::uint32_t begin, std::uint32_t count) {
    const std::uint32_t own = Own::lane();
    if (own < count) {
      visit_type<Set>(run_.roots.tag(begin + own), [&]<class T>() {
        if constexpr (Roots::template kIsRoot<T>) {
          push_task(runner_.queues(), runner_.memory(), run_.roots.template get<T>(begin + own));
        }
      });
    }
    Own::sync();
    stacks().settle();
  }

  // Waits for a chunk of any shard; returns false at the end of the run.
  MILLRACE_FUNCTION bool take_chunk() {
    std::uint64_t found = 0;
    if (Own::is_leader()) {
      const ChunkPool& pool = run_.memory.pool;
      found = pool.steal(pool.own_shard(), pool.published(pool.own_shard())).word();
    }
    found = broadcast(found);
    if (found != kNoChunk) {
      // This worker has a token already, so it returns the chunk's.
      if (Own::is_leader()) runner_.queues().add_tokens(-1);
    } else {
      if (Own::is_leader() && runner_.queues().add_tokens(-1) == 1) {
        atomic_store<gpu::Scope::kDevice, gpu::Order::kRelease>(&run_.memory.control->done, 1u);
      }
      found = Search(run_.memory, runner_.memory(), *own_shard_).wait();
      if (found == Search::kEnd) return false;
    }
    stacks().load(Chunk::from(found));
    return true;
  }

  // Target number of published chunks per shard while workers have a surplus. With 1, thieves often
  // find the shard empty although all its workers have a surplus.
  static constexpr std::uint32_t kTargetChunks = 2;
  // Steps between polls. Of held units that run in a row, 2^log2_interval_ count as one step.
  static constexpr std::uint32_t kStepsPerPoll = 8;
  static constexpr std::uint32_t kMaxLog2Interval = 3;
  // The bit of a poll's result that sets must_give_.
  static constexpr std::uint32_t kMustGive = 1 << 16;

  const PersistentKernel<Roots>& run_;
  UnitRunner<Set, PersistentQueues> runner_;
  UnitSource source_;
  UnitRange roots_;  // Taken and not yet run.
  const Shard* own_shard_;
  std::uint32_t owned_rounds_ = 0;  // Number of this worker's own pieces that it has taken.
  bool no_more_roots_ = false;
  // True if the shard had fewer than kTargetChunks at the poll of this step.
  bool is_shard_starved_ = false;
  bool is_polling_ = false;  // True if a poll has been issued and its result has not been used.
  bool must_give_ = false;   // True if the host waits for chunks, by the last poll.
  Surplus surplus_ = Surplus::kNone;
  Stop stop_;                // The stop request that this worker knows, the same in all its lanes.
  std::uint32_t steps_ = 0;  // Steps since the last poll, below kStepsPerPoll.
  // The results of the poll, valid in the leader only: words of its shard.
  std::uint32_t polled_stop_ = 0;
  std::uint32_t host_stop_ = kRunning;  // The host's stop request at the last poll of the host.
  std::uint32_t received_at_ = 0;  // Time of the last result: the low digits of clock_cycles().
  std::uint32_t log2_interval_ = 0;
};

template <class Roots>
MILLRACE_KERNEL_FUNCTION void PersistentKernel<Roots>::operator()() const {
  PersistentWorker<Roots>(*this).work();
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_PERSISTENT_WORKER_H_
