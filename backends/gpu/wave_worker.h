// kUberkernel and kKernelPerType on a GPU: wave after wave, what a wave spawns is the next.
//
// A wave's tasks are in arrays, one a type. A worker collects what its tasks spawn on stacks in
// shared memory, and reserves room in the next wave's arrays once for many. What does not fit goes
// to chunks (overflow_chunk.h), which are also part of the next wave.
#ifndef MILLRACE_BACKENDS_GPU_WAVE_WORKER_H_
#define MILLRACE_BACKENDS_GPU_WAVE_WORKER_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/run_context.h>
#include <millrace/backends/gpu/unit_runner.h>
#include <millrace/backends/gpu/unit_source.h>
#include <millrace/backends/gpu/wave_turn.h>

namespace millrace::MILLRACE_GPU {

inline constexpr TaskTag kAllTypes = 255;

// The kernel, as a body (api.h).
template <class Roots>
struct WaveKernel {
  static constexpr bool kSpawns = Roots::Set::kSpawns;
  static constexpr int kMostThreads =
      !kSpawns ? BlockThreads::kFlat
               : BlockThreads::kWaves / (kHasLargeTasks<typename Roots::Set> ? 2 : 1);
  // Flat queues want all the loads in flight that registers allow.
  static constexpr int kWantedBlocks = kSpawns ? 1 : 6;

  RunMemory memory;
  WaveMemory waves;
  Roots roots;
  std::uint32_t root_count;
  // Places of the roots gathered by type, as Control::root_ends says; null when the roots are run
  // in their order.
  const std::uint32_t* order;
  std::uint32_t first_wave;  // 0 is that of the roots.
  TaskTag only;              // Runs tasks of this type alone, or kAllTypes.
  bool loops;                // Runs all waves, in a cooperative launch; else one.
  bool tells;                // This launch is the last of its wave.
  bool turns;                // So it is, and there may be another wave.

  MILLRACE_FUNCTION void operator()() const;
};

// Where tasks go that a stack has no room for.
class WaveQueues {
 public:
  static constexpr bool kHaveRings = false;  // Stacks begin at the first place of their memory.

  MILLRACE_FUNCTION WaveQueues(const RunMemory& memory, const WaveMemory& waves)
      : memory_(memory), waves_(waves) {}

  MILLRACE_FUNCTION const RunMemory& memory() const { return memory_; }
  MILLRACE_FUNCTION void begin_wave(std::uint32_t wave) { next_ = wave + 1; }

  // The next wave's.
  MILLRACE_FUNCTION WaveCounters& counters() const {
    return memory_.control->wave_counters[next_ % kWaveCounters];
  }
  MILLRACE_FUNCTION std::uint32_t* array(TaskTag tag) const {
    return waves_.arrays[next_ % 2][tag];
  }

  MILLRACE_FUNCTION void publish(std::uint32_t chunk) const {
    const std::uint64_t place =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&counters().chunks, std::uint64_t{1});
    waves_.chunk_list[next_ % 2][place] = chunk;
    auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
    atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.has_chunks, 1u);
  }

 private:
  const RunMemory& memory_;
  const WaveMemory& waves_;
  std::uint32_t next_ = 1;
};

template <class Roots>
class WaveWorker {
  using Set = typename Roots::Set;
  using Own = Worker<Set>;

 public:
  MILLRACE_FUNCTION explicit WaveWorker(const WaveKernel<Roots>& run)
      : run_(run), runner_(WaveQueues(run.memory, run.waves)) {}

  // By all threads of the block.
  MILLRACE_FUNCTION void work() {
    start_block(runner_.memory(), run_.memory);
    keeps_ = run_.memory.first_stop == kKept;
    std::uint32_t wave = run_.first_wave;
    if (thread_index() == 0) {
      count_first_wave();
      start_units();
    }
    sync_block();
    while (block().goes_on != 0) {
      runner_.queues().begin_wave(wave);
      if (Set::kSpawns && block_index() == 0) clear_counters(wave + 2);
      run_wave(wave);
      if constexpr (Set::kSpawns) flush_all();
      if (!run_.turns) break;
      sync_block();
      if (thread_index() < warp_width()) {
        end_wave<Set>(run_.memory, run_.waves, wave, run_.loops ? wave - run_.first_wave + 1 : 1,
                      /*must_look=*/run_.only != kAllTypes, run_.loops);
        if (run_.loops && thread_index() == 0) start_units();
      }
      sync_block();
      if (!run_.loops || block().wave_stop == kDropped) break;
      keeps_ = block().wave_stop == kKept;
      ++wave;
    }
    runner_.finish();
    end_block<Set>(run_.memory, run_.tells);
  }

 private:
  MILLRACE_FUNCTION static BlockShared& block() { return WorkerMemory<Set>::block(); }

  // Leaves the wave's tasks by type in shared memory, as end_wave does later.
  MILLRACE_FUNCTION void count_first_wave() {
    if (!Set::kSpawns || run_.first_wave == 0) {
      count_roots<0>();
    } else {
      read_counts();
    }
  }

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

  template <std::size_t kTag>
  MILLRACE_FUNCTION void count_roots() {
    if constexpr (kTag == Set::kTypes) {
      block().wave[kTag] = 0;  // Chunks.
    } else {
      block().wave[kTag] = run_.order != nullptr
                               ? run_.memory.control->root_ends[kTag] - order_begin<kTag>()
                           : kTag == 0 ? run_.root_count
                                       : 0;
      count_roots<kTag + 1>();
    }
  }
  template <std::size_t kTag>
  MILLRACE_FUNCTION std::uint32_t order_begin() const {
    if constexpr (kTag == 0)
      return 0;
    else
      return run_.memory.control->root_ends[kTag - 1];
  }

  // Left by the launch that ran the wave before.
  MILLRACE_FUNCTION void read_counts() {
    const Control& control = *run_.memory.control;
    for (std::size_t i = 0; i <= Set::kTypes; ++i) {
      block().wave[i] = PublishedWord::count(
          atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&control.published[i]));
    }
  }

  // Tasks of type T that this launch runs in the wave, and their units.
  template <class T>
  MILLRACE_FUNCTION std::uint32_t tasks() const {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    return run_.only == kAllTypes || run_.only == kTag ? block().wave[kTag] : 0;
  }
  template <class T>
  MILLRACE_FUNCTION std::uint32_t units_of() const {
    const auto unit = static_cast<std::uint32_t>(Own::template unit<T>());
    const std::uint32_t count = tasks<T>();
    return count / unit + (count % unit == 0 ? 0 : 1);
  }
  template <std::size_t kTag = 0>
  MILLRACE_FUNCTION std::uint32_t units_up_to_chunks() const {
    const std::uint32_t own = units_of<typename Set::template Type<kTag>>();
    if constexpr (kTag + 1 == Set::kTypes) {
      return own;
    } else {
      return own + units_up_to_chunks<kTag + 1>();
    }
  }
  MILLRACE_FUNCTION void start_units() const {
    millrace::MILLRACE_GPU::start_units<Set>(
        block(), units_up_to_chunks() + block().wave[Set::kTypes], /*starts_full=*/true);
  }

  MILLRACE_FUNCTION void run_wave(std::uint32_t wave) {
    Control& control = *run_.memory.control;
    const UnitSource source(
        run_.loops ? &control.wave_counters[wave % kWaveCounters].ticket : &control.root_ticket,
        block());
    if (Own::is_leader()) look();
    // Side by side are the workers of different blocks: a few units are spread over all of them.
    const std::uint32_t worker = Own::index() * grid_blocks() + block_index();
    std::uint32_t rounds = 0;
    source.for_each_owned(worker, Own::workers() * grid_blocks(), [&](const UnitRange& range) {
      if (++rounds % 4 == 0) {
        if (Own::is_leader()) look();
        if (hear() == kDropped) return false;
      }
      run_range(wave, range);
      return true;
    });
    if (!source.has_more()) return;
    for (;;) {
      std::uint64_t word = 0;
      if (Own::is_leader()) {
        look();
        if (block_stop() != kDropped) word = source.take().word();
      }
      const UnitRange range = UnitRange::from(broadcast(word));
      if (range.empty()) return;
      if (run_.memory.is_watched) hear();
      run_range(wave, range);
    }
  }

  MILLRACE_FUNCTION std::uint64_t broadcast(std::uint64_t word) const {
    return Own::broadcast(&runner_.memory().worker().slot, word);
  }

  // What the block knows of the run's end, the same for all lanes of the worker.
  MILLRACE_FUNCTION Stop hear() {
    const auto stop = static_cast<Stop>(broadcast(block_stop()));
    keeps_ = stop == kKept;
    return stop;
  }

  MILLRACE_FUNCTION void run_range(std::uint32_t wave, const UnitRange& range) {
    if (!Set::kSpawns && !keeps_ && runs_roots_in_order()) return run_roots_in_order(range);
    for (std::uint32_t unit = range.begin; unit < range.end; ++unit) {
      run_unit<0>(wave, unit);
      if constexpr (Set::kSpawns) settle();
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

  // Whether the run is to stop: what the host says, and other blocks. Now and then: both are far.
  MILLRACE_FUNCTION void look() {
    if (Own::index() != 0 || ++takes_ % 8 != 0) return;
    if (run_.memory.is_watched) look_at_host(run_.memory, block());
    const std::uint32_t stop =
        atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&run_.memory.control->stop);
    if (stop != kRunning) {
      atomic_max<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().stop, stop);
    }
  }

  // Unit `unit` counted from the first of type kTag.
  template <std::size_t kTag>
  MILLRACE_FUNCTION void run_unit(std::uint32_t wave, std::uint32_t unit) {
    if constexpr (kTag == Set::kTypes) {
      if constexpr (Set::kSpawns) run_chunk(wave, unit);
    } else {
      using T = typename Set::template Type<kTag>;
      const std::uint32_t own = units_of<T>();
      if (unit >= own) return run_unit<kTag + 1>(wave, unit - own);
      const auto size = static_cast<std::uint32_t>(Own::template unit<T>());
      const std::uint32_t begin = unit * size;
      const std::uint32_t left = tasks<T>() - begin;
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
  MILLRACE_FUNCTION void run_roots(std::uint32_t begin, std::uint32_t count) {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    if (run_.order != nullptr || Set::kTypes == 1) {
      if constexpr (Roots::template kIsRoot<T>) {
        const std::uint32_t* order =
            run_.order == nullptr ? nullptr : run_.order + order_begin<kTag>();
        run_or_spill<T>(count, [&, order](std::uint32_t i) {
          const std::uint32_t place = order == nullptr ? begin + i : order[begin + i];
          return run_.roots.template get<T>(place);
        });
      }
    } else {
      if (keeps_) {
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

  MILLRACE_FUNCTION void run_chunk(std::uint32_t wave, std::uint32_t index) {
    const ChunkPool& pool = run_.memory.pool;
    std::uint32_t& entry = run_.waves.chunk_list[wave % 2][index];
    const std::uint32_t chunk = entry;
    if (chunk == kNoChunk) return;
    const TaskTag tag = pool.tag(chunk);
    if (run_.only != kAllTypes && run_.only != tag) return;
    const std::uint32_t count = pool.count(chunk);
    visit_type<Set>(tag, [&]<class T>() {
      const auto size = static_cast<std::uint32_t>(Own::template unit<T>());
      const std::uint32_t capacity = runner_.memory().layout().template chunk_capacity<T>();
      for (std::uint32_t begin = 0; begin < count; begin += size) {
        const std::uint32_t left = count - begin;
        run_or_spill<T>(left < size ? left : size, [&](std::uint32_t i) {
          return TaskWords<T>::load(pool.words(chunk), capacity, begin + i);
        });
      }
    });
    Own::sync();
    if (!Own::is_leader()) return;
    // Another launch of this wave is not to take what the chunk serves for next.
    entry = kNoChunk;
    pool.free(chunk);
  }

  template <class T, class Load>
  MILLRACE_FUNCTION void run_or_spill(std::uint32_t count, const Load& load) {
    if (keeps_) {
      runner_.template spill<T>(count, load);
    } else {
      runner_.template run<T>(count, load);
    }
  }

  // After a unit: makes room on the stacks for what the next one spawns.
  MILLRACE_FUNCTION void settle() {
    const std::uint32_t full = full_stacks<0>();
    Own::sync();  // All lanes have looked before one of them spawns again.
    if (full != 0) flush_full<0>(full);
  }
  template <std::size_t kTag>
  MILLRACE_FUNCTION std::uint32_t full_stacks() const {
    if constexpr (kTag == Set::kTypes) {
      return 0;
    } else {
      using T = typename Set::template Type<kTag>;
      const std::uint32_t full_from = runner_.memory().layout().template full_from<T>();
      const bool is_full = runner_.memory().worker().count[kTag] > full_from;
      return (is_full ? 1u << kTag : 0u) | full_stacks<kTag + 1>();
    }
  }
  template <std::size_t kTag>
  MILLRACE_FUNCTION void flush_full(std::uint32_t full) {
    if constexpr (kTag < Set::kTypes) {
      if ((full >> kTag & 1) != 0) flush<typename Set::template Type<kTag>>();
      flush_full<kTag + 1>(full);
    }
  }

  template <std::size_t kTag = 0>
  MILLRACE_FUNCTION void flush_all() {
    if (runner_.memory().worker().count[kTag] > 0) flush<typename Set::template Type<kTag>>();
    if constexpr (kTag + 1 < Set::kTypes) {
      flush_all<kTag + 1>();
    } else {
      release_overflow(runner_.queues(), runner_.memory().overflow());
    }
  }

  // Moves a stack to the next wave's array.
  template <class T>
  MILLRACE_FUNCTION void flush() {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    const WorkerMemory<Set>& memory = runner_.memory();
    WorkerShared<Set>& worker = memory.worker();
    const std::uint32_t capacity = memory.layout().template capacity<T>();
    const std::uint32_t found = worker.count[kTag];
    const std::uint32_t count = found < capacity ? found : capacity;
    std::uint64_t place = 0;
    if (Own::is_leader()) {
      place = atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
          &runner_.queues().counters().reserved[kTag], static_cast<std::uint64_t>(count));
      atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().spawned[kTag], count);
    }
    place = Own::broadcast(&worker.slot, place);
    const TaskArray<T> array(runner_.queues().array(kTag));
    for (std::uint32_t i = Own::lane(); i < count; i += Own::lanes()) {
      const T task = TaskWords<T>::load(memory.template stack<T>(), capacity, i);
      if (place + i < run_.waves.capacity[kTag]) {
        array.store(place + i, task);
      } else {
        overflow<Set>(runner_.queues(), memory.overflow(), task);
      }
    }
    Own::sync();
    if (Own::is_leader()) worker.count[kTag] = 0;
    Own::sync();
  }

  const WaveKernel<Roots>& run_;
  UnitRunner<Set, WaveQueues> runner_;
  std::uint32_t takes_ = 0;
  bool keeps_ = false;  // Tasks taken go to the host; the same for all lanes of the worker.
};

template <class Roots>
MILLRACE_FUNCTION void WaveKernel<Roots>::operator()() const {
  WaveWorker<Roots>(*this).work();
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WAVE_WORKER_H_
