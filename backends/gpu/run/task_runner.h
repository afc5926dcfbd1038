// SPDX-License-Identifier: Apache-2.0

// Runs a queue of tasks on a GPU: the host's side of the three policies.
#ifndef MILLRACE_BACKENDS_GPU_RUN_TASK_RUNNER_H_
#define MILLRACE_BACKENDS_GPU_RUN_TASK_RUNNER_H_

#include <millrace/backends/gpu/device/control/host_control.h>
#include <millrace/backends/gpu/device/control/max_types.h>
#include <millrace/backends/gpu/device/frontier_split.h>
#include <millrace/backends/gpu/device/persistent_worker.h>
#include <millrace/backends/gpu/device/root_types.h>
#include <millrace/backends/gpu/run/device_levels.h>
#include <millrace/backends/gpu/run/memory_cutter.h>
#include <millrace/backends/gpu/run/run_layout.h>
#include <millrace/backends/gpu/run/run_outcome.h>
#include <millrace/backends/gpu/run/run_watch.h>
#include <millrace/backends/gpu/run/wave_driver.h>
#include <millrace/backends/gpu/waves/wave_worker.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_failed.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {

// The tasks of a run that were left when its first waves had spread them.
template <class Set>
struct SpreadTasks {
  ReadyTasks<Set> kept;  // Stay on the device until the buffers' next spread.
  TaskList<Set> given;   // Tasks for other devices.
};

// A run may have these; a pointer is null where it has not.
template <class Set>
struct RunExtras {
  AutomaticRun* automatic = nullptr;        // Set if kAuto has chosen the policy.
  Participant<Set>* participant = nullptr;  // Set if other devices take part in the run.
  const void* arguments = nullptr;          // In memory of the device, if tasks read some.
};

// One run, inside an operation of its queue.
template <class Set>
class TaskRunner {
 public:
  // `before` is the report of the segments that have run.
  TaskRunner(GpuQueue& queue, Policy policy, const RunOptions& options, DeviceLevelsOf<Set>& levels,
             RunReport before, const RunExtras<Set>& extras)
      : queue_(queue),
        device_(queue.gpu_device().properties()),
        buffers_(RunBuffers::of(queue)),
        policy_(policy),
        levels_(levels),
        watch_(queue, buffers_,
               {options, Set::kSpawns || (policy == Policy::kPersistentThreads && kHasStacks<Set>),
                Set::kSpawns ? extras.automatic : nullptr, levels.held()},
               extras.participant),
        automatic_(Set::kSpawns ? extras.automatic : nullptr),
        is_shared_(extras.participant != nullptr),
        arguments_(extras.arguments),
        outcome_(Set::kTypes, std::move(before)) {}

  // Throws the reason if the run ended early: also where there is no memory for a launch, or for
  // more joins. Without memory for the first launch of IndexedTasks, which the caller has, throws
  // the error of the allocation or of the launch.
  template <class Roots>
  RunReport run(const Roots& roots) {
    until_the_device_fails([&] {
      buffers_.timer.start(queue_.stream());
      if (roots.size() > 0) run_roots(roots);
      while (!watch_.spilled().empty() && watch_.reason().empty() && has_join_records() &&
             !must_change_policy_) {
        const TaskList<Set> list = std::exchange(watch_.spilled(), {});
        run_roots(list);
      }
      synchronize(queue_.stream());
      buffers_.joins.add(outcome_.opened_joins(), outcome_.used_joins());
      if constexpr (Set::kHasLevels) levels_.add(watch_.later());
    });
    throw_if_stopped();
    return outcome_.report(policy_, roots.size() > 0 ? buffers_.timer.seconds() : 0);
  }

  // Runs the roots and what they spawn by waves until the goal is reached. Gives a fraction of the
  // next wave away if that is profitable. Throws the reason if the run ended early, with all
  // that was spread. The policy is kUberkernel, and the device has cooperative launches.
  SpreadTasks<Set> spread(const TaskList<Set>& roots, const WaveGoal& goal, float fraction) {
    goal_ = goal;
    given_fraction_ = fraction;
    until_the_device_fails([&] {
      buffers_.timer.start(queue_.stream());
      run_roots(roots);
      if (watch_.reason().empty() && !has_join_records()) take_back_spread();
      synchronize(queue_.stream());
      buffers_.joins.add(outcome_.opened_joins(), outcome_.used_joins());
    });
    throw_if_stopped();
    return std::move(spread_);
  }

  // Called after spread(). Returns the report so far, which names the policy that the run goes on
  // with.
  RunReport report(Policy policy) const {
    return outcome_.report(policy, buffers_.timer.seconds());
  }

  // Returns the tasks left for the next segment of the run; after spread(), those that did not fit
  // on the device.
  TaskList<Set> remaining() {
    const bool are_left = watch_.is_sample() || goal_.is_set() || must_change_policy_;
    return are_left ? std::move(watch_.spilled()) : TaskList<Set>();
  }

 private:
  // Calls work(). If the device fails there, throws its error with the tasks that the host has, if
  // the run's tasks are to be kept: those that have spilled, and roots of later launches.
  template <class Work>
  void until_the_device_fails(const Work& work) {
    try {
      work();
    } catch (const Error& failure) {
      if (!watch_.keeps_unfinished() || watch_.has_lost_tasks() || !buffers_.has_launched ||
          Set::kHasLevels) {
        throw;
      }
      if (failure.code() == ErrorCode::kDeviceLost) {
        queue_.gpu_device().mark_lost(failure.what());
      }
      RunProgress progress{.tasks_by_type = outcome_.report(policy_, 0).tasks_by_type,
                           .tasks_left = {},
                           .workers = {}};
      watch_.spilled().append(std::exchange(spread_.given, {}));
      throw FailedRun<Set>(failure, std::move(progress), std::move(watch_.spilled()));
    }
  }

  template <class Indexed>
  void run_roots(const Indexed& roots) {
    launch_all(roots, static_cast<std::uint32_t>(roots.size()), /*must_check=*/Set::kTypes > 1);
  }

  void run_roots(const ReadyTasks<Set>& roots) {
    const bool are_run =
        has_memory_for([&] { launch_all(roots.list, roots.count, /*must_check=*/false); });
    if (!are_run) keep(roots);
  }

  // Runs the list in ranges if it is too long for the device's memory, or what it spawns may be.
  void run_roots(const TaskList<Set>& roots) {
    constexpr std::size_t kTaskBytes = sizeof(TaskSlot<Set>) + sizeof(TaskTag);
    // Those that so many roots spawn fit in the arrays of a wave, as a rule (wave_surplus.h).
    constexpr std::size_t kMostInWave = 1 << 22;
    std::size_t most = std::max<std::size_t>(device_.memory_bytes / 16 / kTaskBytes, 1);
    if (Set::kSpawns && policy_ != Policy::kPersistentThreads) most = std::min(most, kMostInWave);
    for (std::size_t begin = 0; begin < roots.size(); begin += most) {
      const std::size_t count = std::min(most, roots.size() - begin);
      watch_.set_later_roots(roots.size() - begin - count);
      bool are_run = false;
      try {
        are_run = watch_.reason().empty() && has_memory_for([&] {
                    launch_all(upload(roots, begin, count), static_cast<std::uint32_t>(count),
                               /*must_check=*/false);
                  });
      } catch (const Error&) {
        const std::size_t reached = is_launched_ ? begin + count : begin;
        if (watch_.keeps_unfinished()) watch_.keep(roots, reached, roots.size() - reached);
        throw;
      }
      if (!are_run) watch_.keep(roots, begin, count);
    }
  }

  // Calls prepare(), which allocates memory and may launch the tasks that it is for. If there is
  // too little memory to do so, ends the run and returns false: the tasks have not run.
  template <class Prepare>
  bool has_memory_for(const Prepare& prepare) {
    const bool was_launched = std::exchange(is_launched_, false);
    bool has_memory = true;
    try {
      prepare();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kOutOfMemory || is_launched_) {
        is_launched_ = is_launched_ || was_launched;
        throw;
      }
      watch_.end_for_lack_of_memory(error.what());
      has_memory = false;
    }
    is_launched_ = was_launched;
    return has_memory;
  }

  // Calls launch(), which launches tasks; if it throws, they have not run.
  template <class Launch>
  void start(const Launch& launch) {
    try {
      launch();
    } catch (...) {
      if (!is_launched_) buffers_.records.take_back();
      throw;
    }
    is_launched_ = true;
    buffers_.has_launched = true;
  }

  // Makes more records for joins if a task was not run for lack of them; under kAuto, the run may
  // go on under another policy then. Returns false if the run has ended because there is no memory
  // for them.
  bool has_join_records() {
    if (!outcome_.take_joins_ran_out()) return true;
    if (!has_memory_for([this] { buffers_.joins.grow(); })) return false;
    must_change_policy_ = automatic_ != nullptr && automatic_->leaves_waves();
    return true;
  }

  // Adds tasks on the device that will not be run to those that are left.
  void keep(const ReadyTasks<Set>& tasks) {
    std::vector<TaskSlot<Set>> slots(tasks.count);
    std::vector<TaskTag> tags(Set::kTypes > 1 ? tasks.count : 0);
    const auto read = [this](auto& target, const auto* source) {
      if (target.empty()) return;
      copy(target.data(), source, target.size() * sizeof(*source), queue_.stream());
    };
    read(slots, tasks.list.slots);
    read(tags, tasks.list.tags);
    synchronize(queue_.stream());
    watch_.spilled().append(slots.data(), tags.data(), slots.size());
  }

  void take_back_spread() {
    watch_.spilled().append(std::exchange(spread_.given, {}));
    keep(std::exchange(spread_.kept, {}));
  }

  // Kernels read a short list from pinned memory, where the host writes it. What other devices have
  // given goes through pinned memory, too, which is faster than a copy of pageable memory.
  DeviceList<Set> upload(const TaskList<Set>& roots, std::size_t begin, std::size_t count) {
    constexpr std::size_t kShort = 32768;
    constexpr std::size_t kMostStaged = 1 << 20;
    const std::size_t slot_bytes = count * sizeof(TaskSlot<Set>);
    const std::size_t tag_bytes = Set::kTypes > 1 ? count * sizeof(TaskTag) : 0;
    const bool is_short = slot_bytes + tag_bytes <= kShort;
    const bool is_staged = is_shared_ && !is_short && slot_bytes + tag_bytes <= kMostStaged;
    if (is_staged) return upload_staged(roots, begin, count);
    char* const slots =
        (is_short ? buffers_.pinned_roots : buffers_.roots).at_least(slot_bytes + tag_bytes);
    char* const tags = slots + slot_bytes;
    const auto put = [&](char* target, const void* source, std::size_t bytes) {
      if (bytes == 0) return;
      if (is_short)
        std::memcpy(target, source, bytes);
      else
        copy(target, source, bytes, queue_.stream());
    };
    put(slots, roots.slot_data() + begin, slot_bytes);
    if (tag_bytes > 0) put(tags, roots.tag_data() + begin, tag_bytes);
    return {reinterpret_cast<const TaskSlot<Set>*>(slots), reinterpret_cast<const TaskTag*>(tags)};
  }

  DeviceList<Set> upload_staged(const TaskList<Set>& roots, std::size_t begin, std::size_t count) {
    const WritableList<Set> host = list_in(buffers_.pinned_roots, count, 0);
    const WritableList<Set> device = list_in(buffers_.roots, count, 0);
    const std::size_t slot_bytes = count * sizeof(TaskSlot<Set>);
    const std::size_t tag_bytes = Set::kTypes > 1 ? count * sizeof(TaskTag) : 0;
    std::memcpy(static_cast<void*>(host.slots), roots.slot_data() + begin, slot_bytes);
    if (tag_bytes > 0) std::memcpy(host.tags, roots.tag_data() + begin, tag_bytes);
    copy(device.slots, host.slots, slot_bytes, queue_.stream());
    if (tag_bytes > 0) copy(device.tags, host.tags, tag_bytes, queue_.stream());
    return {device.slots, device.tags};
  }

  template <class DeviceRoots>
  void launch_all(const DeviceRoots& roots, std::uint32_t count, bool must_check) {
    buffers_.clear();
    watch_.poll();
    const bool is_by_type = policy_ == Policy::kKernelPerType && Set::kTypes > 1;
    const bool must_gather = policy_ != Policy::kPersistentThreads &&
                             (is_by_type || !have_same_width<Set>() || Set::kHasPriorities);
    const std::uint32_t* order = nullptr;
    if (must_check || must_gather) order = examine_types(roots, count, must_gather);
    switch (policy_) {
      case Policy::kPersistentThreads: launch_persistent(roots, count); break;
      case Policy::kKernelPerType: launch_waves(roots, count, order, is_by_type); break;
      default: launch_waves(roots, count, order, /*is_by_type=*/false);
    }
    outcome_.add(queue_, buffers_);
    if (outcome_.has_failed()) watch_.end_by_failure(watch_.keeps_unfinished());
  }

  // Returns the indices by type, if they are gathered.
  template <class DeviceRoots>
  const std::uint32_t* examine_types(const DeviceRoots& roots, std::uint32_t count,
                                     bool must_gather) {
    const gpu::LaunchShape shape{.blocks = static_cast<int>((count - 1) / kTypeTile + 1),
                                 .threads = kTypeThreads,
                                 .shared_bytes = kMaxTypes * sizeof(std::uint32_t)};
    if (!must_gather) {
      launch(check_roots_kernel<DeviceRoots>, shape, queue_.stream(), buffers_.control(), roots,
             count);
      return nullptr;
    }
    launch(count_roots_kernel<DeviceRoots>, shape, queue_.stream(), buffers_.control(), roots,
           count);
    auto* const order = reinterpret_cast<std::uint32_t*>(
        buffers_.order.at_least(std::size_t{count} * sizeof(std::uint32_t)));
    launch(gather_roots_kernel<DeviceRoots>, shape, queue_.stream(), buffers_.control(), roots,
           count, order);
    return order;
  }

  // Cached, because the vendor's query takes longer than a small run.
  template <class Kernel>
  const LaunchGrid& grid_of(Kernel kernel, int threads, int max_blocks,
                            std::size_t thread_bytes = 0) {
    const auto key = std::tuple(reinterpret_cast<const void*>(kernel), threads, max_blocks);
    const auto found = buffers_.grids.find(key);
    if (found != buffers_.grids.end()) return found->second;
    const LaunchGrid grid = make_grid<Set>(device_, kernel, threads, max_blocks, thread_bytes);
    return buffers_.grids.emplace(key, grid).first->second;
  }

  // Sets all but the records of workers.
  RunMemory memory_for(const LaunchGrid& grid, const ChunkPool& pool, bool is_whole_run) {
    PostponedTasks postponed;
    if constexpr (Set::kHasLevels) postponed = levels_.for_launch();
    return {.control = buffers_.control(),
            .host = &buffers_.host(),
            .pool = pool,
            .ring = buffers_.ring(),
            .joins = Set::kOpensJoins ? joins_for(grid) : JoinMemory(),
            .postponed = postponed,
            .recorded = {},
            .scratch = grid.scratch > 0 ? buffers_.scratch.at_least(grid.scratch) : nullptr,
            .arguments = arguments_,
            .poll_interval = is_shared_ ? kSharedPollInterval : kPollInterval,
            .is_shared = is_shared_,
            .is_watched = watch_.is_on(),
            .keeps_on_failure = watch_.keeps_unfinished(),
            .first_stop = watch_.stop(),
            .is_whole_run = is_whole_run};
  }

  JoinMemory joins_for(const LaunchGrid& grid) {
    return buffers_.joins.for_launch(grid.workers, lanes_of(grid));
  }

  int lanes_of(const LaunchGrid& grid) const {
    return worker_lanes<Set>(grid.shape.threads, device_.warp_width);
  }

  template <class DeviceRoots>
  void launch_persistent(const DeviceRoots& roots, std::uint32_t count) {
    const auto kernel = body_kernel<PersistentKernel<DeviceRoots>>;
    constexpr int kMaxBlocks = 64;
    const LaunchGrid& grid = grid_of(kernel, PersistentKernel<DeviceRoots>::kMaxThreads, kMaxBlocks,
                                     lane_stack_bytes<Set>());
    ChunkPool pool(ChunkMemory{}, buffers_.used_chunks(), buffers_.shards(),
                   buffers_.shard_count());
    if (kHasStacks<Set>) {
      MemoryCutter memory(buffers_.task_memory(), buffers_.task_bytes());
      std::uint32_t* lists[2] = {};
      pool = make_pool<Set>(buffers_, memory, buffers_.task_bytes(), lanes_of(grid),
                            device_.warp_width, lists);
    }
    RunMemory memory = memory_for(grid, pool, /*is_whole_run=*/true);
    memory.recorded = watch_.records_for(grid.workers, /*all_write=*/true);
    start([&] {
      launch(kernel, grid.shape, queue_.stream(),
             PersistentKernel<DeviceRoots>{memory, roots, count});
    });
    buffers_.timer.stop(queue_.stream());
    watch_.await();
    buffers_.note_cleared();
  }

  template <class DeviceRoots>
  void launch_waves(const DeviceRoots& roots, std::uint32_t count, const std::uint32_t* order,
                    bool is_by_type) {
    const auto kernel = body_kernel<WaveKernel<DeviceRoots>>;
    const bool loops = Set::kSpawns && policy_ == Policy::kUberkernel &&
                       device_.has_cooperative_launch && (!is_shared_ || goal_.is_set());
    constexpr int kMaxBlocks = 32;
    LaunchGrid grid = loops ? grid_of(kernel, WaveKernel<DeviceRoots>::kMaxThreads, 1)
                            : grid_of(kernel, BlockThreads::kFlat, kMaxBlocks);
    grid.shape.cooperative = loops;
    WaveLaunch run{.memory = {},
                   .waves = {},
                   .root_count = count,
                   .first_counts = {},
                   .order = order,
                   .first_wave = 0,
                   .only = kAllTypes,
                   .loops = loops,
                   .notifies_host = true,
                   .ends_wave = Set::kSpawns,
                   .goal = goal_};
    ChunkPool pool(ChunkMemory{}, buffers_.used_chunks(), buffers_.shards(),
                   buffers_.shard_count());
    if (Set::kSpawns) {
      pool = make_wave_memory<Set>(buffers_, lanes_of(grid), device_.warp_width, run.waves);
    }
    run.memory = memory_for(grid, pool, /*is_whole_run=*/loops || (!Set::kSpawns && !is_by_type));
    if (!Set::kSpawns) outcome_.add_wave();
    if (goal_.is_set()) {
      run.memory.recorded = watch_.records_for(grid.workers, /*all_write=*/true);
      start([&] {
        launch(kernel, grid.shape, queue_.stream(), WaveKernel<DeviceRoots>{run, roots});
      });
      buffers_.timer.stop(queue_.stream());
      watch_.await();
      split_next_wave(run.waves);
      return buffers_.note_cleared();
    }
    bool is_first = true;
    const WaveDriver::Launch launch_wave = [&](const gpu::LaunchShape& shape,
                                               const WaveLaunch& wave) {
      WaveKernel<DeviceRoots> body{wave, roots};
      if (Set::kOpensJoins && !std::exchange(is_first, false)) body.memory.joins = joins_for(grid);
      start([&] { launch(kernel, shape, queue_.stream(), body); });
    };
    WaveDriver driver({.queue = queue_, .buffers = buffers_, .watch = watch_, .outcome = outcome_},
                      wave_types(), grid, launch_wave);
    if (driver.drive(run, is_by_type)) buffers_.note_cleared();
  }

  // Divides the wave at which the goal was reached between this device and others. If the run is
  // stopped, or there is no memory for the two lists, all of that wave goes to the host.
  void split_next_wave(const WaveMemory& waves) {
    if constexpr (Set::kTravels) {
      const HostControl& host = buffers_.host();
      FrontierSplit<Set> split{};
      std::uint32_t count = 0;
      for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
        split.arrays[tag] = waves.arrays[host.waves % 2][tag];
        split.counts[tag] = host.next_wave[tag];
        count += host.next_wave[tag];
      }
      if (count == 0 || host.finished == 0) return;
      const bool is_stopped = !watch_.reason().empty();
      split.fraction = is_stopped ? FrontierSplit<Set>::kAll : fraction_of(count);
      const auto given = static_cast<std::uint32_t>(split.given_before(count));
      const bool has_memory = has_memory_for([&] {
        split.kept = list_in(buffers_.spread, count, 0);
        split.given = list_in(buffers_.spread, count, count - given);
        list_in(buffers_.pinned_spread, given, 0);
        const gpu::LaunchShape shape{
            .blocks = static_cast<int>((count - 1) / FrontierSplit<Set>::kThreads + 1),
            .threads = FrontierSplit<Set>::kThreads};
        launch(split_frontier_kernel<Set>, shape, queue_.stream(), split, count);
      });
      if (!has_memory) return keep_wave(split);
      download(split.given, given, is_stopped ? watch_.spilled() : spread_.given);
      spread_.kept = {{split.kept.slots, split.kept.tags}, count - given};
    }
  }

  // Adds the tasks of a wave to those that are left.
  void keep_wave(const FrontierSplit<Set>& wave) {
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
      visit_type<Set>(static_cast<TaskTag>(tag), [&]<class T>() {
        constexpr std::size_t kGroup = TaskArray<T>::kGroup;
        const std::size_t groups = (wave.counts[tag] + kGroup - 1) / kGroup;
        std::vector<std::uint32_t> words(groups * kGroup * TaskWords<T>::kWords);
        if (words.empty()) return;
        copy(words.data(), wave.arrays[tag], words.size() * sizeof(std::uint32_t), queue_.stream());
        synchronize(queue_.stream());
        const TaskArray<T> tasks(words.data());
        for (std::uint32_t i = 0; i < wave.counts[tag]; ++i) watch_.spilled().push(tasks.load(i));
      });
    }
  }

  // Returns FrontierSplit::fraction for a wave. Tasks below a sixteenth of the goal are run sooner
  // than moved, and the host would move more than kMost slowly.
  std::uint64_t fraction_of(std::uint32_t count) const {
    constexpr float kMost = 1 << 20;
    if (count < goal_.tasks / 16) return 0;
    const float fraction = std::min(given_fraction_, kMost / static_cast<float>(count));
    return static_cast<std::uint64_t>(fraction * static_cast<float>(FrontierSplit<Set>::kAll));
  }

  // Returns a list of `count` tasks in the memory, from the task at `begin` on.
  static WritableList<Set> list_in(GrowingMemory& memory, std::size_t count, std::size_t begin) {
    // Allocating pinned memory takes a millisecond, so that the first list is to be the longest.
    constexpr std::size_t kUsual = 1 << 15;
    count = std::max(count, kUsual);
    char* const slots = memory.at_least(count * (sizeof(TaskSlot<Set>) + sizeof(TaskTag)));
    char* const tags = slots + count * sizeof(TaskSlot<Set>);
    return {reinterpret_cast<TaskSlot<Set>*>(slots) + begin,
            reinterpret_cast<TaskTag*>(tags) + begin};
  }

  // Appends tasks on the device to a list. The stream is idle afterwards.
  void download(const WritableList<Set>& from, std::size_t count, TaskList<Set>& list) {
    const WritableList<Set> host = list_in(buffers_.pinned_spread, count, 0);
    copy(host.slots, from.slots, count * sizeof(TaskSlot<Set>), queue_.stream());
    if (Set::kTypes > 1) copy(host.tags, from.tags, count * sizeof(TaskTag), queue_.stream());
    synchronize(queue_.stream());
    list.append(host.slots, host.tags, count);
  }

  // Describes the set's types to the wave driver.
  WaveTypes wave_types() const {
    WaveTypes types{.count = Set::kTypes,
                    .lanes = {},
                    .words = {},
                    .by_priority = {},
                    .spawns = Set::kSpawns,
                    .are_run_by_blocks = kBlockWorkers<Set>};
    std::copy_n(Set::kByPriority.begin(), Set::kTypes, types.by_priority.begin());
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
      visit_type<Set>(static_cast<TaskTag>(tag), [&]<class T>() {
        types.lanes[tag] = width_of<T>() == TaskWidth::kLane   ? 1
                           : width_of<T>() == TaskWidth::kWarp ? device_.warp_width
                                                               : BlockThreads::kBlockWide;
        types.words[tag] = TaskWords<T>::kWords;
      });
    }
    return types;
  }

  // Returns all tasks and open joins that are left.
  TaskList<Set> take_left() {
    TaskList<Set> left = levels_.take_all(std::move(watch_.spilled()));
    if constexpr (Set::kOpensJoins) {
      for (const auto& join : buffers_.joins.template open_joins<Set>()) left.push(join);
    }
    return left;
  }

  [[noreturn]] void throw_failure() {
    const Error failure = outcome_.template failure<Set>();
    const bool are_kept = failure.code() == ErrorCode::kTaskFailed && watch_.keeps_unfinished() &&
                          !outcome_.was_dropped() && !watch_.has_lost_tasks();
    if (!are_kept) throw failure;
    RunProgress progress = outcome_.template progress<Set>(queue_);
    TaskList<Set> left = take_left();
    progress.tasks_left = left.size();
    throw FailedRun<Set>(failure, std::move(progress), std::move(left));
  }

  void throw_if_stopped() {
    if (outcome_.has_failed()) throw_failure();
    if (watch_.reason().empty() || watch_.is_sample()) return;
    const bool is_out_of_memory = watch_.code() == ErrorCode::kOutOfMemory;
    if (!is_out_of_memory && watch_.spilled().empty() && !outcome_.was_dropped() &&
        !levels_.has_later()) {
      return;
    }
    RunProgress progress = outcome_.template progress<Set>(queue_);
    if (!watch_.has_lost_tasks() && (is_out_of_memory || watch_.keeps_unfinished())) {
      throw UnfinishedRun<Set>(watch_.code(), watch_.reason(), std::move(progress), take_left());
    }
    throw RunStopped(watch_.code(), watch_.reason(), std::move(progress));
  }

  GpuQueue& queue_;
  const gpu::Properties& device_;
  RunBuffers& buffers_;
  const Policy policy_;
  DeviceLevelsOf<Set>& levels_;
  RunWatch<Set> watch_;
  AutomaticRun* const automatic_;  // Null if the run keeps its policy.
  const bool is_shared_;
  const void* const arguments_;  // Points to device memory.
  RunOutcome outcome_;
  bool is_launched_ = false;  // True once tasks of the call of has_memory_for() may have run.
  bool must_change_policy_ = false;  // True if the next segment runs the rest.
  // spread() sets and uses the members below.
  WaveGoal goal_;
  float given_fraction_ = 0;
  SpreadTasks<Set> spread_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_TASK_RUNNER_H_
