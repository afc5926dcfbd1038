// SPDX-License-Identifier: Apache-2.0

// The places for joins that workers open.
//
// Each worker keeps free places, so that opening and ending a join take no atomic operation on
// shared words of the device. Before each unit, all lanes that may open joins take their places
// from a window in shared memory at once. A lane that ends a join keeps the place for the next one
// that it opens, or puts it into the window. What exceeds the window goes to a stack of the worker
// in device memory, and from a full stack to a list of chains for all workers. A worker without
// places takes the newest of its stack, then records that no worker has looked at in this launch,
// then a chain. If all of these are empty, it does not run the task (UnitRunner) but sends it to
// the host, which makes the memory larger for the next launch.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_JOIN_PLACES_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_JOIN_PLACES_H_

#include <cstddef>
#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/join_chains.h>
#include <millrace/backends/gpu/device/join_memory.h>
#include <millrace/backends/gpu/device/run_control.h>
#include <millrace/backends/gpu/device/worker.h>
#include <millrace/backends/gpu/device/worker_memory.h>
#include <millrace/backends/gpu/warp_scan.h>

namespace millrace::MILLRACE_GPU {

// A lane's part. It stays in registers.
template <class Set>
class JoinPlaces {
  using Own = Worker<Set>;

 public:
  static constexpr std::uint32_t kMost = Set::kMostJoins;  // Places that a lane takes.

  // Gives this lane the places for `count` joins, at most kMost, or fewer if there are no more.
  // Called by all lanes of the worker, when none runs a task.
  MILLRACE_FUNCTION void prepare(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                 Control& control, std::uint32_t count) {
    Own::sync();
    if (own.worker().free_joins > own.layout().join_window() - Own::lanes()) {
      move_surplus(own, memory, &control);
    }
    for (std::uint32_t i = 0; i < kMost; ++i) take_one(own, memory, control, held_ < count);
  }

  MILLRACE_FUNCTION std::uint32_t held() const { return held_; }

  // Takes a place that the lane holds, for a join.
  MILLRACE_FUNCTION std::uint32_t open() {
    ++opened_;
    --held_;
    return place_at(held_);
  }

  // Keeps a place, whose join has ended. May be called by any lane.
  MILLRACE_FUNCTION void end(const WorkerMemory<Set>& own, const JoinMemory& memory,
                             Control& control, std::uint32_t place) {
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(memory.template record<Set>(place),
                                                            JoinState::kHeld | memory.launch);
    --opened_;
    if (held_ < kMost) return hold(place);
    const std::uint32_t index = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
        &own.worker().free_joins, std::uint32_t{1});
    if (index < own.layout().join_window()) {
      own.join_window()[index] = place;
    } else {
      give_one(memory, &control, place);
    }
  }

  // Returns the number of joins that this lane has opened, less those that it has ended.
  MILLRACE_FUNCTION std::int32_t opened() const { return opened_; }

 private:
  // An index that is known only at run time would put the array into memory.
  MILLRACE_FUNCTION std::uint32_t place_at(std::uint32_t index) const {
    std::uint32_t place = places_[0];
    for (std::uint32_t i = 1; i < kMost; ++i) place = i == index ? places_[i] : place;
    return place;
  }
  MILLRACE_FUNCTION void hold(std::uint32_t place) {
    for (std::uint32_t i = 0; i < kMost; ++i) places_[i] = i == held_ ? place : places_[i];
    ++held_;
  }

  // Gives away a place for which the window has no space, as a chain of one.
  MILLRACE_COLD_FUNCTION static void give_one(JoinMemory memory, Control* control,
                                              std::uint32_t place) {
    JoinChains<Set>::link(memory, place, Join<>::kNone);
    JoinChains<Set>::give(memory, *control, place);
  }

  // The functions below are called by all lanes of the worker, between two Own::sync. The rare ones
  // have copies as parameters, because references would keep the lane's state in memory.

  // Leaves space in the window for a place of each lane, and one that it puts there. Called if
  // there is less.
  MILLRACE_COLD_FUNCTION static void move_surplus(WorkerMemory<Set> own, JoinMemory memory,
                                                  Control* control) {
    const auto lanes = static_cast<std::uint32_t>(Own::lanes());
    WorkerShared<Set>& worker = own.worker();
    const std::uint32_t window = own.layout().join_window();
    std::uint32_t found = worker.free_joins < window ? worker.free_joins : window;
    while (found > window - lanes) {
      found -= lanes;
      const std::uint32_t place = own.join_window()[found + Own::lane()];
      const std::uint32_t stacked = worker.stacked_joins;
      const bool has_room = stacked < JoinMemory::kStackLines * lanes;
      if (has_room) {
        stack_of(memory)[stacked + Own::lane()] = place;
      } else {
        const bool is_last = Own::lane() + 1 == static_cast<int>(lanes);
        JoinChains<Set>::link(memory, place,
                              is_last ? Join<>::kNone : own.join_window()[found + Own::lane() + 1]);
      }
      Own::sync();
      if (Own::is_leader()) {
        if (has_room)
          worker.stacked_joins = stacked + lanes;
        else
          JoinChains<Set>::give(memory, *control, place);
      }
      Own::sync();
    }
    if (Own::is_leader()) worker.free_joins = found;
    Own::sync();
  }

  // Gives a place to each lane that wants one.
  MILLRACE_FUNCTION void take_one(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                  Control& control, bool wants) {
    WorkerShared<Set>& worker = own.worker();
    std::uint32_t rank = 0;
    std::uint32_t needed = 0;
    if constexpr (kBlockWorkers<Set>) {
      if (wants) {
        rank = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&worker.wanted_joins,
                                                                    std::uint32_t{1});
      }
      Own::sync();
      needed = worker.wanted_joins;
    } else {
      const gpu::LaneMask wanting = ballot(wants);
      rank = lanes_in(wanting & lanes_below());
      needed = lanes_in(wanting);
    }
    if (needed == 0) return Own::sync();  // No lane ends a join before all have read the counts.
    if (worker.free_joins < needed) find_more(own, memory, &control, needed);
    const std::uint32_t found = worker.free_joins;
    if (wants && rank < found) hold(own.join_window()[found - 1 - rank]);
    Own::sync();
    if (Own::is_leader()) {
      worker.free_joins = found < needed ? 0 : found - needed;
      worker.wanted_joins = 0;
    }
    Own::sync();
  }

  // Moves places into the window until it has `needed`, or there are no more.
  MILLRACE_COLD_FUNCTION static void find_more(WorkerMemory<Set> own, JoinMemory memory,
                                               Control* control, std::uint32_t needed) {
    const WorkerShared<Set>& worker = own.worker();
    while (worker.free_joins < needed) {
      if (worker.stacked_joins > 0) {
        take_stacked(own, memory);
      } else if (worker.new_joins < worker.new_joins_end) {
        take_new(own, memory);
      } else if (!take_range(own, memory, *control) && !take_chain(own, memory, *control)) {
        return;
      }
    }
  }

  MILLRACE_FUNCTION static void take_stacked(const WorkerMemory<Set>& own,
                                             const JoinMemory& memory) {
    WorkerShared<Set>& worker = own.worker();
    const std::uint32_t found = worker.free_joins;
    const std::uint32_t stacked = worker.stacked_joins - Own::lanes();
    own.join_window()[found + Own::lane()] = stack_of(memory)[stacked + Own::lane()];
    Own::sync();
    if (Own::is_leader()) {
      worker.free_joins = found + Own::lanes();
      worker.stacked_joins = stacked;
    }
    Own::sync();
  }

  // Looks at the next records of the worker's range.
  MILLRACE_FUNCTION static void take_new(const WorkerMemory<Set>& own, const JoinMemory& memory) {
    WorkerShared<Set>& worker = own.worker();
    const std::uint32_t begin = worker.new_joins;
    const std::uint32_t left = worker.new_joins_end - begin;
    const std::uint32_t place = begin + Own::lane();
    Own::sync();
    if (static_cast<std::uint32_t>(Own::lane()) < left && is_free(memory, place)) {
      const std::uint32_t index = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
          &worker.free_joins, std::uint32_t{1});
      own.join_window()[index] = place;
    }
    if (Own::is_leader()) {
      worker.new_joins =
          begin + (left < static_cast<std::uint32_t>(Own::lanes()) ? left : Own::lanes());
    }
    Own::sync();
  }

  MILLRACE_FUNCTION static bool is_free(const JoinMemory& memory, std::uint32_t place) {
    return memory.are_all_free ||
           JoinState::is_free(atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
                                  memory.template record<Set>(place)),
                              memory.launch);
  }

  // Takes a range of records that no worker has looked at; returns false if there is none.
  MILLRACE_FUNCTION static bool take_range(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                           Control& control) {
    WorkerShared<Set>& worker = own.worker();
    Own::sync();  // The leader changes nothing before all lanes have read it.
    if (Own::is_leader()) {
      // The first load spares most workers the atomic operation once all ranges are taken.
      constexpr auto kDevice = gpu::Scope::kDevice;
      std::uint64_t begin = atomic_load<kDevice, gpu::Order::kRelaxed>(&control.scanned_joins);
      if (begin < memory.capacity) {
        begin = atomic_add<kDevice, gpu::Order::kRelaxed>(&control.scanned_joins,
                                                          std::uint64_t{memory.range});
      }
      if (begin < memory.capacity) {
        const std::uint64_t end = begin + memory.range;
        worker.new_joins = static_cast<std::uint32_t>(begin);
        worker.new_joins_end =
            end < memory.capacity ? static_cast<std::uint32_t>(end) : memory.capacity;
      }
    }
    Own::sync();
    return worker.new_joins < worker.new_joins_end;
  }

  // Takes a chain, which has at most as many places as the worker has lanes.
  MILLRACE_FUNCTION static bool take_chain(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                           Control& control) {
    WorkerShared<Set>& worker = own.worker();
    const std::uint32_t before = worker.free_joins;
    Own::sync();
    if (Own::is_leader()) {
      std::uint32_t place = JoinChains<Set>::take(memory, control);
      std::uint32_t found = before;
      while (place != Join<>::kNone) {
        own.join_window()[found++] = place;
        place = JoinChains<Set>::next(memory, place);
      }
      worker.free_joins = found;
    }
    Own::sync();
    return worker.free_joins > before;
  }

  MILLRACE_FUNCTION static std::uint32_t* stack_of(const JoinMemory& memory) {
    const std::size_t worker = block_index() * std::size_t(Own::workers()) + Own::index();
    return memory.stacks + worker * JoinMemory::kStackLines * Own::lanes();
  }

  std::uint32_t places_[kMost] = {};
  std::uint32_t held_ = 0;
  std::int32_t opened_ = 0;
};

// Stands for a JoinPlaces in sets that open no joins.
struct NoJoinPlaces {};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_JOIN_PLACES_H_
