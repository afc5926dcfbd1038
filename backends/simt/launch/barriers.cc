// SPDX-License-Identifier: Apache-2.0

// Barriers and collectives of a KernelRun.
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <millrace/backends/simt/launch/kernel_run.h>
#include <millrace/backends/simt/launch/sanitizers.h>

namespace millrace::simt {
namespace {

constexpr std::array<const char*, 6> kNames = {"sync_block",   "sync_warp",   "shuffle",
                                               "shuffle_down", "shuffle_xor", "ballot"};

bool is_same(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         std::string_view(a.file_name()) == b.file_name();
}

std::string describe(Meeting meeting, const std::source_location& place) {
  return std::string(kNames[static_cast<std::size_t>(meeting)]) + " at " + place.file_name() + ":" +
         std::to_string(place.line()) + ":" + std::to_string(place.column());
}

std::string describe_call(Meeting meeting, const std::source_location& place) {
  return "calls " + describe(meeting, place);
}

std::string describe_wait(const std::string& what, const MeetingPoint& point) {
  return what + " while thread " + std::to_string(point.first_thread) + " waits in " +
         describe(point.meeting, point.place);
}

std::string describe_early_return(Meeting meeting, const std::source_location& place, int thread) {
  return "calls " + describe(meeting, place) + " after thread " + std::to_string(thread) +
         " has returned from the kernel";
}

std::string describe_missing_lane(const WarpRun& warp, int lane) {
  return "meets others in " + describe(warp.point.meeting, warp.point.place) + " where lane " +
         std::to_string(lane) + " reads lane " + std::to_string(warp.sources[lane]) +
         ", which has exited";
}

bool reads_a_lane(Meeting meeting) {
  return meeting == Meeting::kShuffle || meeting == Meeting::kShuffleDown ||
         meeting == Meeting::kShuffleXor;
}

}  // namespace

std::string describe_bad_source(Meeting meeting, int source, const std::source_location& place) {
  return "reads lane " + std::to_string(source) + " in " + describe(meeting, place);
}

void KernelRun::sync_block(const std::source_location& place) {
  MeetingPoint& point = this_thread->block->point;
  char* const order = &point.order[point.phase & 1];
  release(order);
  if (arrive_at_block(place)) {
    interleave();
  } else {
    suspend();
  }
  acquire(order);
}

void KernelRun::sync_warp(const std::source_location& place) {
  MeetingPoint& point = this_thread->warp->point;
  char* const order = &point.order[point.phase & 1];
  release(order);
  exchange(Meeting::kSyncWarp, 0, this_thread->lane, place);
  acquire(order);
}

std::uint64_t KernelRun::exchange(Meeting meeting, std::uint64_t value, int source,
                                  const std::source_location& place) {
  WarpRun& warp = *this_thread->warp;
  const unsigned parity = warp.point.phase & 1;
  if (arrive_at_warp(meeting, value, source, place)) {
    interleave();
  } else {
    suspend();
  }
  return meeting == Meeting::kBallot ? warp.ballots[parity] : warp.values[parity][source];
}

gpu::LaneMask KernelRun::ballot(bool predicate, const std::source_location& place) {
  return exchange(Meeting::kBallot, predicate ? 1 : 0, this_thread->lane, place);
}

// Both return whether the caller is the last; if not, it must be suspended.
bool KernelRun::arrive_at_block(const std::source_location& place) {
  const IgnoreAccesses ignore;
  GpuThread& self = *this_thread;
  BlockRun& block = *self.block;
  if (block.returned_thread >= 0) fail_returned(block.returned_thread, Meeting::kSyncBlock, place);
  if (self.warp->point.waiting > 0) {
    fail_apart(self.warp->point, describe_call(Meeting::kSyncBlock, place));
  }
  join(block.point, Meeting::kSyncBlock, place);
  ++self.warp->at_block_barrier;
  if (block.point.waiting == block.alive) {
    wake_block(block);
    return true;
  }
  self.is_waiting = true;
  scheduler_.remove(self);
  return false;
}

bool KernelRun::arrive_at_warp(Meeting meeting, std::uint64_t value, int source,
                               const std::source_location& place) {
  const IgnoreAccesses ignore;
  GpuThread& self = *this_thread;
  WarpRun& warp = *self.warp;
  if (warp.returned_thread >= 0) fail_returned(warp.returned_thread, meeting, place);
  if (warp.at_block_barrier > 0) {
    fail_apart(self.block->point, describe_call(meeting, place));
  }
  const unsigned parity = warp.point.phase & 1;
  if (warp.point.waiting == 0) warp.ballots[parity] = 0;
  join(warp.point, meeting, place);
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

void KernelRun::join(MeetingPoint& point, Meeting meeting, const std::source_location& place) {
  if (point.waiting == 0) {
    point.meeting = meeting;
    point.place = place;
    point.first_thread = this_thread->index;
  } else if (point.meeting != meeting || !is_same(point.place, place)) {
    fail_apart(point, describe_call(meeting, place));
  }
  ++point.waiting;
}

void KernelRun::wake_block(BlockRun& block) {
  block.point.waiting = 0;
  ++block.point.phase;
  scheduler_.note_meeting();
  for (WarpRun& warp : block.warps) warp.at_block_barrier = 0;
  for (GpuThread& thread : block.threads) {
    if (thread.is_waiting) wake(thread);
  }
}

void KernelRun::wake_warp(WarpRun& warp) {
  if (warp.exited != 0 && reads_a_lane(warp.point.meeting)) check_sources(warp);
  warp.point.waiting = 0;
  ++warp.point.phase;
  scheduler_.note_meeting();
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

void KernelRun::leave_warp_and_block(GpuThread& thread, bool has_returned) {
  WarpRun& warp = *thread.warp;
  BlockRun& block = *thread.block;
  --warp.alive;
  --block.alive;
  if (has_returned) {
    warp.returned_thread = block.returned_thread = thread.index;
    if (warp.point.waiting > 0) fail_apart(warp.point, "returns from the kernel");
    if (block.point.waiting > 0) fail_apart(block.point, "returns from the kernel");
    return;
  }
  warp.exited |= gpu::LaneMask{1} << thread.lane;
  if (warp.point.waiting > 0 && warp.point.waiting == warp.alive) wake_warp(warp);
  if (block.point.waiting > 0 && block.point.waiting == block.alive) wake_block(block);
}

void KernelRun::fail_returned(int returned_thread, Meeting meeting,
                              const std::source_location& place) {
  fail(describe_early_return(meeting, place, returned_thread));
}

void KernelRun::fail_apart(const MeetingPoint& point, std::string what) {
  what = describe_wait(what, point);
  fail(std::move(what));
}

}  // namespace millrace::simt
