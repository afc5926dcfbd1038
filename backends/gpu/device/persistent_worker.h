// SPDX-License-Identifier: Apache-2.0

// kPersistentThreads on a GPU: workers take, run and spawn until nothing is pending.
//
// A worker's spawned tasks are on its stacks in shared memory, one a type, so that all lanes run
// one type; it runs the newest and lets the oldest go, first to chunks that only it knows, and from
// there, whenever its shard has nothing that others could take, to the shard. A worker without work
// takes chunks from its own shard, then from others. No worker waits for a particular other one, so
// a block that is not resident holds up nobody.
//
// The end: Control::tokens counts active workers and published chunks, and one for the roots until
// the last is taken, less one, so that memory of zeros is right at the start. A token is added
// before what it stands for can be taken; who takes a chunk inherits its token. Whoever gives the
// last token back says that the run is done.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_PERSISTENT_WORKER_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_PERSISTENT_WORKER_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/chunk_search.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/task_stack.h>
#include <millrace/backends/gpu/device/unit_runner.h>
#include <millrace/backends/gpu/device/unit_source.h>

namespace millrace::MILLRACE_GPU {

// The kernel, as a body (api.h).
template <class Roots>
struct PersistentKernel {
  using Set = typename Roots::Set;
  // Of a multiprocessor.
  static constexpr int kUsualThreads = BlockThreads::kPersistent * (kHasLargeTasks<Set> ? 2
                                                                    : Set::kSpawns      ? 4
                                                                                        : 6);
  static constexpr int kMostThreads =
      block_threads_for<Set>(BlockThreads::kPersistent, kUsualThreads);
  static constexpr int kWantedBlocks =
      wanted_threads<Set>(kMostThreads, kUsualThreads) / kMostThreads;

  RunMemory memory;
  Roots roots;
  std::uint32_t root_count;

  MILLRACE_FUNCTION void operator()() const;
};

class PersistentQueues {
 public:
  static constexpr bool kHaveRings = true;  // Stacks lose their oldest tasks.

  MILLRACE_FUNCTION explicit PersistentQueues(const RunMemory& memory) : memory_(memory) {}

  MILLRACE_FUNCTION const RunMemory& memory() const { return memory_; }

  // By an active worker's lane.
  MILLRACE_FUNCTION void publish(const Chunk& chunk) const {
    add_tokens(1);
    memory_.pool.publish(chunk, seen_);
  }

  // What the own shard's list was when last asked for, for publish() to begin with; by any lane.
  MILLRACE_FUNCTION void see(std::uint64_t list) { seen_ = list; }
  MILLRACE_FUNCTION std::uint64_t seen() const { return seen_; }

  // Returns the tokens there were. They order nothing but themselves: what a chunk holds is ordered
  // by its list, and what tasks have written by the end of the kernel.
  MILLRACE_FUNCTION std::uint64_t add_tokens(std::int64_t count) const {
    return 1 + atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
                   &memory_.control->tokens, static_cast<std::uint64_t>(count));
  }

 private:
  const RunMemory& memory_;
  std::uint64_t seen_ = 0;
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

  // By all threads of the block.
  MILLRACE_FUNCTION void work() {
    start_block(runner_.memory(), run_.memory);
    if (thread_index() == 0) {
      // A block that comes when all is done is not to say that it is active.
      const std::uint64_t before = runner_.queues().add_tokens(Own::workers());
      if (before == 0) block().goes_on = 0;
      start_units<Set>(block(), units_of_roots(), /*starts_full=*/!kHasStacks<Set>);
    }
    sync_block();
    if (block().goes_on != 0) {
      while (step()) {
      }
    }
    runner_.finish();
    end_block<Set>(run_.memory, /*tells=*/true);
  }

 private:
  MILLRACE_FUNCTION static BlockShared& block() { return WorkerMemory<Set>::block(); }
  MILLRACE_FUNCTION Stacks stacks() { return Stacks(runner_, surplus_); }
  MILLRACE_FUNCTION std::uint64_t broadcast(std::uint64_t word) const {
    return Own::broadcast(&runner_.memory().worker().slot, word);
  }

  // Roots of a unit.
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

  // One thing after another; false at the end of the run.
  MILLRACE_FUNCTION bool step() {
    hear();
    if (stop_ == kDropped) return false;
    if (stop_ == kKept) stacks().spill_all();
    if constexpr (kHasStacks<Set>) {
      if (run_units(/*partial=*/false)) {
        if (surplus_ != Surplus::kNone && do_others_lack()) share();
        return true;
      }
      surplus_ = Surplus::kNone;
    }
    if (!roots_.empty()) {
      if (kHasStacks<Set> || stop_ != kRunning)
        run_root_unit();
      else
        run_root_range();
      return true;
    }
    if constexpr (kHasStacks<Set>) {
      if (stacks().load_own_chunk()) return true;
      if (run_units(/*partial=*/true)) return true;
    }
    if (take_roots()) return true;
    if constexpr (kHasStacks<Set>) return take_chunk();
    return false;  // Roots are all there is.
  }

  // Until a question or its answer is due; false when there was none.
  MILLRACE_FUNCTION bool run_units(bool partial) {
    const std::uint32_t most = has_asked_ ? 1 : (kAsksEach - steps_) << stretch_;
    const std::uint32_t units = stacks().run_units(partial, most);
    if (units > 1) steps_ += (units - 1) >> stretch_;
    return units > 0;
  }

  // Sets stop_ and lacks_chunks_. A step asks and the next hears the answer, so that nobody waits
  // for it: a step may be shorter than a load takes. Who has much to give away asks always, others
  // seldom.
  MILLRACE_FUNCTION void hear() {
    lacks_chunks_ = false;
    if (has_asked_) {
      const std::uint32_t known = block_stop();
      const std::uint32_t published = ChunkPool::count_in(runner_.queues().seen());
      const std::uint32_t has_none = published < kWantedChunks ? 1 : 0;
      const auto news = static_cast<std::uint32_t>(
          broadcast((asked_ > known ? asked_ : known) | has_none << 2 | find_stretch() << 3));
      if (stop_ != kDropped) stop_ = static_cast<Stop>(news & 3);
      lacks_chunks_ = (news >> 2 & 1) != 0;
      stretch_ = news >> 3;
    } else if constexpr (!kBlockWorkers<Set> && kHasStacks<Set>) {
      // A failure in the own block is heeded at once.
      if (ballot(block_stop() == kDropped) != 0) stop_ = kDropped;
    }
    has_asked_ = surplus_ == Surplus::kMuch || ++steps_ >= kAsksEach;
    if (!has_asked_) return;
    steps_ = 0;
    ask();
  }

  // What stretch_ is to be: as many held units go between questions as take some microseconds, so
  // that what a question costs is little beside them and a stop is heard of soon.
  MILLRACE_FUNCTION std::uint32_t find_stretch() {
    if constexpr (!decltype(runner_)::kHolds) return 0;
    constexpr std::uint32_t kShort = 16'000;  // Cycles.
    constexpr std::uint32_t kLong = 64'000;
    const auto now = static_cast<std::uint32_t>(clock_cycles());
    const std::uint32_t passed = now - heard_at_;
    heard_at_ = now;
    if (passed > kLong) return 0;
    return stretch_ + (passed < kShort && stretch_ < kMostStretch ? 1 : 0);
  }

  // Only the leader hears the answers. Of a warp all lanes ask: a branch would wait for them.
  MILLRACE_FUNCTION void ask() {
    if (kBlockWorkers<Set> && !Own::is_leader()) return;
    const Shard& own = *own_shard_;
    asked_ = atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&own.stop);
    if constexpr (Set::kSpawns) {
      runner_.queues().see(atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&own.published));
    }
    if (run_.memory.is_watched && Own::index() == 0 && Own::is_leader()) {
      heed_host(run_.memory, wish_);
      if (is_time_to_look(block())) wish_ = wish_of_host(run_.memory);
    }
  }

  // Whether others have nothing to take: what the shard has said, and idle workers of the block.
  MILLRACE_FUNCTION bool do_others_lack() const {
    if constexpr (kBlockWorkers<Set>) return lacks_chunks_;
    const bool is_hungry =
        atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().is_hungry) != 0;
    return ballot(is_hungry) != 0 || lacks_chunks_;
  }

  // One worker of a block at a time, while the others go on: all of them hear at once that others
  // lack, and of many that change one list each would try again and again.
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
      atomic_store<kBlock, gpu::Order::kRelaxed>(&block().is_hungry, 0u);
      atomic_store<kBlock, gpu::Order::kRelaxed>(&block().is_sharing, 0u);
    }
  }

  MILLRACE_FUNCTION bool take_roots() {
    if (no_more_roots_) return false;
    if constexpr (!kHasStacks<Set>) {
      // A block that comes late runs what belongs to it late.
      const UnitShares& shares = block().shares;
      const std::uint32_t worker = Own::index() * grid_blocks() + block_index();
      const std::uint32_t begin =
          (owned_rounds_ * Own::workers() * grid_blocks() + worker) * shares.piece;
      if (begin < shares.owned) {
        ++owned_rounds_;
        const std::uint32_t end = begin + shares.piece;
        roots_ = {begin, end < shares.owned ? end : shares.owned};
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

  MILLRACE_FUNCTION void run_root_unit() {
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

  MILLRACE_FUNCTION void push_roots(std::uint32_t begin, std::uint32_t count) {
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

  // Waits for a chunk of any shard; false at the end of the run.
  MILLRACE_FUNCTION bool take_chunk() {
    std::uint64_t found = 0;
    if (Own::is_leader()) {
      const ChunkPool& pool = run_.memory.pool;
      found = pool.steal(pool.own_shard(), pool.published(pool.own_shard())).word();
    }
    found = broadcast(found);
    if (found != kNoChunk) {
      // This worker has a token already.
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

  // Of a shard, as long as workers have more than they run next. With one, who looks would often
  // find none although all have some to give.
  static constexpr std::uint32_t kWantedChunks = 2;
  // Steps from question to question, where units that lanes hold, one after another, are a step for
  // each 2^stretch_ of them.
  static constexpr std::uint32_t kAsksEach = 8;
  static constexpr std::uint32_t kMostStretch = 3;

  const PersistentKernel<Roots>& run_;
  UnitRunner<Set, PersistentQueues> runner_;
  UnitSource source_;
  UnitRange roots_;  // Taken and not yet run.
  const Shard* own_shard_;
  std::uint32_t owned_rounds_ = 0;  // Pieces of this worker's own that it has taken.
  bool no_more_roots_ = false;
  bool lacks_chunks_ = false;  // The shard, as heard in this step.
  bool has_asked_ = false;     // And the answer has not been heard.
  Surplus surplus_ = Surplus::kNone;
  Stop stop_;                // What this worker knows, the same for all its lanes.
  std::uint32_t steps_ = 0;  // Since it asked, below kAsksEach.
  // The answer, which only the leader has: words of its shard.
  std::uint32_t asked_ = 0;
  std::uint32_t wish_ = kRunning;  // The host's, when last looked at.
  std::uint32_t heard_at_ = 0;     // On clock_cycles(), of which these are the lower digits.
  std::uint32_t stretch_ = 0;
};

template <class Roots>
MILLRACE_FUNCTION void PersistentKernel<Roots>::operator()() const {
  PersistentWorker<Roots>(*this).work();
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_PERSISTENT_WORKER_H_
