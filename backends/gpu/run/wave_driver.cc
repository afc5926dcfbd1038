// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/device/control/host_control.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/control/stop.h>
#include <millrace/backends/gpu/run/wave_driver.h>
#include <millrace/backends/gpu/waves/wave_progress.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <atomic>
#include <numeric>

namespace millrace::MILLRACE_GPU {

bool WaveDriver::drive(WaveLaunch run, bool is_by_type) {
  const auto lanes = static_cast<std::uint32_t>(grid_.shape.blocks * grid_.shape.threads);
  WaveSurplus surplus(run.waves, types_.spawns ? types_.count : 0, types_.words, lanes);
  HostControl& host = buffers_.host();
  Counts next = {};
  if (is_by_type && !read_root_counts(next)) return false;
  for (;;) {
    // Launches may be too short to poll the host for a stop.
    watch_.poll();
    if (is_dropped()) {
      outcome_.drop();
      return false;
    }
    prepare(run, surplus, next);
    if (is_by_type) {
      launch_types(run, next);
    } else {
      launch_wave(run, next);
    }
    buffers_.timer.stop(queue_.stream());
    watch_.await();
    // Threads of a block exited early, so there is no next wave.
    if (host.finished == 0) {
      outcome_.drop();
      return false;
    }
    if (host.failure != 0) watch_.end_by_failure(host.was_stopped == kKept);
    run.first_wave = run.loops ? static_cast<std::uint32_t>(host.waves) : run.first_wave + 1;
    std::copy_n(host.next_wave, types_.count + 1, next.begin());
    const bool is_any = std::ranges::any_of(next, [](std::uint32_t n) { return n > 0; });
    if (!is_any && !surplus.take_back(run.first_wave, next)) {
      return run.memory.is_whole_run && !is_dropped();
    }
    surplus.set_aside(run.first_wave, next);
    watch_.set_tasks_aside(surplus.tasks());
    const std::uint32_t tasks =
        std::accumulate(next.begin(), next.begin() + types_.count, std::uint32_t{0});
    watch_.poll_between_waves(tasks);
    // Kernels that loop over waves report their progress themselves.
    if (!run.loops) host.progress = WaveProgress::word(run.first_wave, tasks);
  }
}

// Sets what depends on the wave that is launched next.
void WaveDriver::prepare(WaveLaunch& run, const WaveSurplus& surplus, const Counts& next) const {
  HostControl& host = buffers_.host();
  host.finished = 0;
  std::ranges::fill(host.next_wave, 0);
  run.memory.first_stop = watch_.stop();
  // A launch that loops leaves nothing for another one, unless tasks have been set aside.
  if (run.loops) run.memory.is_whole_run = surplus.empty();
  run.waves = surplus.memory_for(run.first_wave);
  std::ranges::copy(next, run.first_counts);
}

bool WaveDriver::is_dropped() const {
  HostControl& host = buffers_.host();
  return host.was_stopped == kDropped ||
         std::atomic_ref(host.stop).load(std::memory_order_relaxed) == kDropped;
}

// Reads the number of roots by type; returns false if a root is invalid.
bool WaveDriver::read_root_counts(Counts& counts) {
  RunControl& control = *buffers_.control();
  std::uint64_t found[kMaxTypes] = {};
  std::uint64_t failure = 0;
  copy(found, control.root_counts, sizeof(found), queue_.stream());
  copy(&failure, &control.failure, sizeof(failure), queue_.stream());
  synchronize(queue_.stream());
  std::copy_n(found, types_.count, counts.begin());
  return failure == 0;
}

void WaveDriver::launch(const gpu::LaunchShape& shape, WaveLaunch& run) {
  try {
    launch_(shape, run);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kOutOfMemory || !has_launched_) throw;
    if (watch_.reason().empty()) watch_.end_for_lack_of_memory(error.what());
    run.memory.first_stop = watch_.stop();
    run.memory.is_watched = true;
    launch_(shape, run);
  }
  has_launched_ = true;
}

// Launches a wave of all types.
void WaveDriver::launch_wave(WaveLaunch& run, const Counts& counts) {
  const int root_lanes =
      types_.are_run_by_blocks ? grid_.shape.threads : queue_.gpu_device().properties().warp_width;
  const gpu::LaunchShape shape =
      run.loops ? grid_.shape
                : shape_for(run.first_wave == 0 ? std::uint64_t{run.root_count} * root_lanes
                                                : lanes_for(counts, kAllTypes));
  // The workers of a flat queue's one launch, and of one that loops, need no cleared records.
  const bool all_write = run.loops || !types_.spawns;
  const int workers = all_write ? grid_.workers / grid_.shape.blocks * shape.blocks : grid_.workers;
  run.memory.recorded = watch_.records_for(workers, all_write);
  launch(shape, run);
}

// Launches a wave: one launch for each type that has tasks, by falling priority.
void WaveDriver::launch_types(WaveLaunch& run, const Counts& counts) {
  run.memory.recorded = watch_.records_for(grid_.workers, /*all_write=*/false);
  const std::uint32_t chunks = counts[types_.count];
  std::size_t last = 0;
  for (std::size_t i = 0; i < types_.count; ++i) {
    if (counts[types_.by_priority[i]] + chunks > 0) last = i;
  }
  for (std::size_t i = 0; i <= last; ++i) {
    if (counts[types_.by_priority[i]] + chunks == 0) continue;
    run.only = types_.by_priority[i];
    run.notifies_host = i == last;
    run.ends_wave = types_.spawns && run.notifies_host;
    launch(shape_for(lanes_for(counts, run.only)), run);
  }
}

// Returns the lanes that a wave's tasks of one type, or of all, occupy at a time. A chunk counts as
// a block.
std::uint64_t WaveDriver::lanes_for(const Counts& counts, TaskTag only) const {
  std::uint64_t lanes = std::uint64_t{counts[types_.count]} * BlockThreads::kWaves;
  for (std::size_t tag = 0; tag < types_.count; ++tag) {
    if (only != kAllTypes && only != tag) continue;
    lanes += std::uint64_t{counts[tag]} * types_.lanes[tag];
  }
  return lanes;
}

// Returns the grid's shape with as many blocks as these lanes fill.
gpu::LaunchShape WaveDriver::shape_for(std::uint64_t lanes) const {
  gpu::LaunchShape shape = grid_.shape;
  const std::uint64_t blocks = (lanes + shape.threads - 1) / shape.threads;
  shape.blocks = static_cast<int>(std::clamp<std::uint64_t>(blocks, 1, grid_.shape.blocks));
  return shape;
}

}  // namespace millrace::MILLRACE_GPU
