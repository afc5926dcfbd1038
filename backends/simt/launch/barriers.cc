// SPDX-License-Identifier: Apache-2.0

// Barriers and collectives of a KernelRun.
#include <millrace/backends/simt/launch/kernel_run.h>
#include <millrace/backends/simt/launch/sanitizers.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace millrace::simt {
namespace {

constexpr std::array<const char*, 6> kNames = {"sync_block",   "sync_warp",   "shuffle",
                                               "shuffle_down", "shuffle_xor", "ballot"};

bool is_same(const std::source_location& a, const std::source_location& b) {
  if (a.line() != b.line() || a.column() != b.column()) return false;
  // One literal, unless two libraries of a program have the call.
  return a.file_name() == b.file_name() || std::string_view(a.file_name()) == b.file_name();
}

std::string describe(Collective collective, const std::source_location& location) {
  return std::string(kNames[static_cast<std::size_t>(collective)]) + " at " + location.file_name() +
         ":" + std::to_string(location.line()) + ":" + std::to_string(location.column());
}

std::string describe_call(Collective collective, const std::source_location& location) {
  return "calls " + describe(collective, location);
}

std::string describe_wait(const std::string& what, const BarrierPoint& point) {
  return what + " while thread " + std::to_string(point.first_thread) + " waits in " +
         describe(point.collective, point.location);
}

std::string describe_early_return(Collective collective, const std::source_location& location,
                                  int thread) {
  return "calls " + describe(collective, location) + " after thread " + std::to_string(thread) +
         " has returned from the kernel";
}

std::string describe_missing_lane(const WarpRun& warp, int lane) {
  return "is in " + describe(warp.point.collective, warp.point.location) + ", where lane " +
         std::to_string(lane) + " reads lane " + std::to_string(warp.sources[lane]) +
         ", which has exited";
}

bool reads_a_lane(Collective collective) {
  return collective == Collective::kShuffle || collective == Collective::kShuffleDown ||
         collective == Collective::kShuffleXor;
}

}  // namespace

std::string describe_bad_source(Collective collective, int source,
                                const std::source_location& location) {
  return "reads lane " + std::to_string(source) + " in " + describe(collective, location);
}

void KernelRun::sync_block(const std::source_location& location) {
  BarrierPoint& point = this_thread->block->point;
  char* const order = &point.order[point.phase & 1];
  release(order);
  if (arrive_at_block(location)) {
    interleave();
  } else {
    suspend();
  }
  acquire(order);
}

void KernelRun::sync_warp(const std::source_location& location) {
  BarrierPoint& point = this_thread->warp->point;
  char* const order = &point.order[point.phase & 1];
  release(order);
  exchange(Collective::kSyncWarp, 0, this_thread->lane, location);
  acquire(order);
}

std::uint64_t KernelRun::exchange(Collective collective, std::uint64_t value, int source,
                                  const std::source_location& location) {
  WarpRun& warp = *this_thread->warp;
  const unsigned parity = warp.point.phase & 1;
  if (arrive_at_warp(collective, value, source, location)) {
    interleave();
  } else {
    suspend();
  }
  return collective == Collective::kBallot ? warp.ballots[parity] : warp.values[parity][source];
}

gpu::LaneMask KernelRun::ballot(bool predicate, const std::source_location& location) {
  return exchange(Collective::kBallot, predicate ? 1 : 0, this_thread->lane, location);
}

// Both functions return true if the caller is the last to arrive. Otherwise the caller must be
// suspended.
bool KernelRun::arrive_at_block(const std::source_location& location) {
  const IgnoreAccesses ignore;
  GpuThread& self = *this_thread;
  BlockRun& block = *self.block;
  if (block.returned_thread >= 0)
    fail_returned(block.returned_thread, Collective::kSyncBlock, location);
  if (self.warp->point.waiting > 0) {
    fail_divergent(self.warp->point, describe_call(Collective::kSyncBlock, location));
  }
  join(block.point, Collective::kSyncBlock, location);
  ++self.warp->at_block_barrier;
  if (block.point.waiting == block.alive) {
    wake_block(block);
    return true;
  }
  self.is_waiting = true;
  scheduler_.remove(self);
  return false;
}

bool KernelRun::arrive_at_warp(Collective collective, std::uint64_t value, int source,
                               const std::source_location& location) {
  const IgnoreAccesses ignore;
  GpuThread& self = *this_thread;
  WarpRun& warp = *self.warp;
  if (warp.returned_thread >= 0) fail_returned(warp.returned_thread, collective, location);
  if (warp.at_block_barrier > 0) {
    fail_divergent(self.block->point, describe_call(collective, location));
  }
  const unsigned parity = warp.point.phase & 1;
  if (warp.point.waiting == 0) warp.ballots[parity] = 0;
  join(warp.point, collective, location);
  warp.values[parity][self.lane] = value;
  warp.sources[self.lane] = source;
  warp.ballots[parity] |= (value & 1) << self.lane;
  if (warp.point.waiting == warp.alive) {
    wake_warp(warp);
    return true;
  }
  self.is_waiting = true;
  scheduler_.remove(self);
  return false;
}

void KernelRun::join(BarrierPoint& point, Collective collective,
                     const std::source_location& location) {
  if (point.waiting == 0) {
    point.collective = collective;
    point.location = location;
    point.first_thread = this_thread->index;
  } else if (point.collective != collective || !is_same(point.location, location)) {
    fail_divergent(point, describe_call(collective, location));
  }
  ++point.waiting;
}

void KernelRun::wake_block(BlockRun& block) {
  block.point.waiting = 0;
  ++block.point.phase;
  scheduler_.note_collective();
  for (WarpRun& warp : block.warps) warp.at_block_barrier = 0;
  for (GpuThread& thread : block.threads) {
    if (thread.is_waiting) wake(thread);
  }
}

void KernelRun::wake_warp(WarpRun& warp) {
  if (warp.exited != 0 && reads_a_lane(warp.point.collective)) check_sources(warp);
  warp.point.waiting = 0;
  ++warp.point.phase;
  scheduler_.note_collective();
  for (int lane = 0; lane < warp_width_; ++lane) {
    if (warp.lanes[lane].is_waiting) wake(warp.lanes[lane]);
  }
}

void KernelRun::check_sources(const WarpRun& warp) {
  for (int lane = 0; lane < warp_width_; ++lane) {
    if (warp.lanes[lane].has_ended || (warp.exited >> warp.sources[lane] & 1) == 0) continue;
    fail(describe_missing_lane(warp, lane));
  }
}

// Barriers order the accesses of a thread that exits as if it had arrived.
void KernelRun::release_to_barriers(GpuThread& thread) {
  for (BarrierPoint* const point : {&thread.warp->point, &thread.block->point}) {
    release(&point->order[point->phase & 1]);
  }
}

void KernelRun::leave_warp_and_block(GpuThread& thread, bool has_returned) {
  WarpRun& warp = *thread.warp;
  BlockRun& block = *thread.block;
  --warp.alive;
  --block.alive;
  if (has_returned) {
    warp.returned_thread = block.returned_thread = thread.index;
    if (warp.point.waiting > 0) fail_divergent(warp.point, "returns from the kernel");
    if (block.point.waiting > 0) fail_divergent(block.point, "returns from the kernel");
    return;
  }
  warp.exited |= gpu::LaneMask{1} << thread.lane;
  if (warp.point.waiting > 0 && warp.point.waiting == warp.alive) wake_warp(warp);
  if (block.point.waiting > 0 && block.point.waiting == block.alive) wake_block(block);
}

void KernelRun::fail_returned(int returned_thread, Collective collective,
                              const std::source_location& location) {
  fail(describe_early_return(collective, location, returned_thread));
}

void KernelRun::fail_divergent(const BarrierPoint& point, std::string what) {
  what = describe_wait(what, point);
  fail(std::move(what));
}

}  // namespace millrace::simt
