// SPDX-License-Identifier: Apache-2.0

// The records for joins that workers open.
//
// Each worker keeps free records, so that opening and ending a join take no atomic operation on
// shared words of the device. Before each unit, all lanes that may open joins take their records
// from a window in shared memory at once. A lane that ends a join keeps the record for the next one
// that it opens, or puts it into the window. What exceeds the window goes to a magazine of the
// worker in device memory. A worker has two; it exchanges whole magazines with all others in the
// depot (join_depot.h). A worker without records takes the newest of its magazines, then a full
// magazine, then records that no worker has read in this launch, then single records. If all of
// these are empty, it does not run the task (UnitRunner) but sends it to the host, which makes the
// memory larger for the next launch. Lists, windows and magazines hold the indices of records.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_LANE_JOINS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_LANE_JOINS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/join_depot.h>
#include <millrace/backends/gpu/device/join_memory.h>
#include <millrace/backends/gpu/device/worker.h>
#include <millrace/backends/gpu/device/worker_memory.h>
#include <millrace/backends/gpu/warp_scan.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The free records of a lane. They stay in registers.
template <class Set>
class LaneJoins {
  using Own = Worker<Set>;

 public:
  static constexpr std::uint32_t kMost = Set::kMostJoins;  // Records that a lane takes.

  // Gives this lane the records for `count` joins, at most kMost, or fewer if there are no more.
  // Called by all lanes of the worker, when none runs a task.
  MILLRACE_FUNCTION void prepare(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                 RunControl& control, std::uint32_t count) {
    Own::sync();
    if (own.worker().free_joins > own.layout().join_window() - Own::lanes()) {
      move_surplus(own, memory, &control);
    }
    for (std::uint32_t i = 0; i < kMost; ++i) take_one(own, memory, control, held_ < count);
  }

  MILLRACE_FUNCTION std::uint32_t held() const { return held_; }

  // Takes a record that the lane holds, for a join.
  MILLRACE_FUNCTION std::uint32_t open() {
    ++opened_;
    return take();
  }
  // The same for a join that is not counted.
  MILLRACE_FUNCTION std::uint32_t take() {
    --held_;
    return record_at(held_);
  }

  // Keeps a record, whose join has ended. May be called by any lane.
  MILLRACE_FUNCTION void end(const WorkerMemory<Set>& own, const JoinMemory& memory,
                             RunControl& control, std::uint32_t record_index) {
    end(memory, record_index);
    --opened_;
    if (held_ < kMost) return hold(record_index);
    put_into_window(own, memory, control, record_index);
  }

  // Notes that a join has ended. The caller keeps its record.
  MILLRACE_FUNCTION static void end(const JoinMemory& memory, std::uint32_t record_index) {
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
        memory.template record<Set>(record_index), JoinState::kHeld | memory.launch);
  }

  // Returns true if the lanes should prepare, because this one has fewer than kMost records or the
  // window is full.
  MILLRACE_FUNCTION bool must_prepare(const WorkerMemory<Set>& own) const {
    const std::uint32_t found =
        atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&own.worker().free_joins);
    return held_ < kMost || found > own.layout().join_window() - Own::lanes();
  }

  // Keeps a record, whose join has ended, for any lane of the worker. May be called by any lane.
  MILLRACE_FUNCTION static void end_for_worker(const WorkerMemory<Set>& own,
                                               const JoinMemory& memory, RunControl& control,
                                               std::uint32_t record_index) {
    end(memory, record_index);
    put_into_window(own, memory, control, record_index);
  }

  // Holds a record if the lane holds fewer than `count`.
  MILLRACE_FUNCTION void hold_up_to(std::uint32_t count, std::uint32_t record_index) {
    if (held_ < count) hold(record_index);
  }

  // Returns the number of joins that this lane has opened, less those that it has ended.
  MILLRACE_FUNCTION std::int32_t opened() const { return opened_; }

 private:
  // An index that is known only at run time would put the array into memory. With a chain of
  // selections instead of masks, nvcc 13.0 crashes where a task opens three to five joins.
  MILLRACE_FUNCTION std::uint32_t record_at(std::uint32_t position) const {
    std::uint32_t record_index = 0;
    for (std::uint32_t i = 0; i < kMost; ++i) {
      record_index |= records_[i] & (i == position ? ~std::uint32_t{0} : 0);
    }
    return record_index;
  }
  MILLRACE_FUNCTION void hold(std::uint32_t record_index) {
    for (std::uint32_t i = 0; i < kMost; ++i) {
      records_[i] = i == held_ ? record_index : records_[i];
    }
    ++held_;
  }

  // Puts a record into the window, or gives it away if the window is full.
  MILLRACE_FUNCTION static void put_into_window(const WorkerMemory<Set>& own,
                                                const JoinMemory& memory, RunControl& control,
                                                std::uint32_t record_index) {
    const std::uint32_t index = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
        &own.worker().free_joins, std::uint32_t{1});
    if (index < own.layout().join_window()) {
      own.join_window()[index] = record_index;
    } else {
      give_one(memory, &control, record_index);
    }
  }

  // Gives away a record for which the window has no space.
  MILLRACE_COLD_FUNCTION static void give_one(JoinMemory memory, RunControl* control,
                                              std::uint32_t record_index) {
    JoinDepot<Set>(memory, *control).give_record(record_index);
  }

  // The functions below are called by all lanes of the worker, between two Own::sync. The rare ones
  // have copies as parameters, because references would keep the lane's state in memory.

  // Leaves space in the window for a record of each lane, and one that it puts there. Called if
  // there is less.
  MILLRACE_COLD_FUNCTION static void move_surplus(WorkerMemory<Set> own, JoinMemory memory,
                                                  RunControl* control) {
    const auto lanes = static_cast<std::uint32_t>(Own::lanes());
    WorkerShared<Set>& worker = own.worker();
    const std::uint32_t window = own.layout().join_window();
    std::uint32_t found = worker.free_joins < window ? worker.free_joins : window;
    while (found > window - lanes) {
      found -= lanes;
      const std::uint32_t record_index = own.join_window()[found + Own::lane()];
      if (worker.stacked_joins == magazine_size()) fill_other(own, memory, *control);
      const std::uint32_t stacked = worker.stacked_joins;
      const bool has_capacity = stacked < magazine_size();
      if (has_capacity) {
        stacked_records(own, memory)[stacked + Own::lane()] = record_index;
      } else {
        give_one(memory, control, record_index);
      }
      Own::sync();
      if (Own::is_leader() && has_capacity) worker.stacked_joins = stacked + lanes;
      Own::sync();
    }
    if (Own::is_leader()) worker.free_joins = found;
    Own::sync();
  }

  // Gives a record to each lane that wants one.
  MILLRACE_FUNCTION void take_one(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                  RunControl& control, bool wants) {
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

  // Moves records into the window until it has `needed`, or there are no more.
  MILLRACE_COLD_FUNCTION static void find_more(WorkerMemory<Set> own, JoinMemory memory,
                                               RunControl* control, std::uint32_t needed) {
    const WorkerShared<Set>& worker = own.worker();
    while (worker.free_joins < needed) {
      if (worker.stacked_joins > 0) {
        take_stacked(own, memory);
      } else if (worker.new_joins < worker.new_joins_end) {
        take_new(own, memory);
      } else if (!take_full(own, memory, *control) && !take_range(own, memory, *control) &&
                 !take_single(own, memory, *control)) {
        return;
      }
    }
  }

  // Goes on with an empty magazine instead of the full one. If there is none, the full one stays.
  MILLRACE_FUNCTION static void fill_other(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                           RunControl& control) {
    WorkerShared<Set>& worker = own.worker();
    Own::sync();  // The leader changes nothing before all lanes have read it.
    if (Own::is_leader()) {
      const JoinDepot<Set> depot(memory, control);
      const std::uint32_t full = magazine_of(worker);
      const std::uint32_t spare = spare_of(worker);
      const std::uint32_t empty = worker.is_spare_full == 0 ? spare : depot.take_empty();
      if (empty != JoinDepot<Set>::kNone) {
        if (worker.is_spare_full != 0) depot.give_full(spare);
        worker.magazine = empty + 1;
        worker.spare_magazine = full + 1;
        worker.is_spare_full = 1;
        worker.stacked_joins = 0;
      }
    }
    Own::sync();
  }

  // Goes on with a full magazine instead of the empty one; returns false if there is none.
  MILLRACE_FUNCTION static bool take_full(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                          RunControl& control) {
    WorkerShared<Set>& worker = own.worker();
    Own::sync();
    if (Own::is_leader()) {
      const JoinDepot<Set> depot(memory, control);
      const std::uint32_t empty = magazine_of(worker);
      const std::uint32_t spare = spare_of(worker);
      const std::uint32_t full = worker.is_spare_full != 0 ? spare : depot.take_full();
      if (full != JoinDepot<Set>::kNone) {
        if (worker.is_spare_full == 0) depot.give_empty(spare);
        worker.magazine = full + 1;
        worker.spare_magazine = empty + 1;
        worker.is_spare_full = 0;
        worker.stacked_joins = magazine_size();
      }
    }
    Own::sync();
    return worker.stacked_joins > 0;
  }

  MILLRACE_FUNCTION static void take_stacked(const WorkerMemory<Set>& own,
                                             const JoinMemory& memory) {
    WorkerShared<Set>& worker = own.worker();
    const std::uint32_t found = worker.free_joins;
    const std::uint32_t stacked = worker.stacked_joins - Own::lanes();
    own.join_window()[found + Own::lane()] = stacked_records(own, memory)[stacked + Own::lane()];
    Own::sync();
    if (Own::is_leader()) {
      worker.free_joins = found + Own::lanes();
      worker.stacked_joins = stacked;
    }
    Own::sync();
  }

  // Reads the next records of the worker's range.
  MILLRACE_FUNCTION static void take_new(const WorkerMemory<Set>& own, const JoinMemory& memory) {
    WorkerShared<Set>& worker = own.worker();
    const std::uint32_t begin = worker.new_joins;
    const std::uint32_t left = worker.new_joins_end - begin;
    const std::uint32_t record_index = begin + Own::lane();
    Own::sync();
    if (static_cast<std::uint32_t>(Own::lane()) < left && is_free(memory, record_index)) {
      const std::uint32_t index = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
          &worker.free_joins, std::uint32_t{1});
      own.join_window()[index] = record_index;
    }
    if (Own::is_leader()) {
      worker.new_joins =
          begin + (left < static_cast<std::uint32_t>(Own::lanes()) ? left : Own::lanes());
    }
    Own::sync();
  }

  MILLRACE_FUNCTION static bool is_free(const JoinMemory& memory, std::uint32_t record_index) {
    return memory.are_all_free ||
           JoinState::is_free(atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
                                  memory.template record<Set>(record_index)),
                              memory.launch);
  }

  // Takes a range of records that no worker has read; returns false if there is none.
  MILLRACE_FUNCTION static bool take_range(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                           RunControl& control) {
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

  // Takes a record that was given away singly; returns false if there is none.
  MILLRACE_FUNCTION static bool take_single(const WorkerMemory<Set>& own, const JoinMemory& memory,
                                            RunControl& control) {
    WorkerShared<Set>& worker = own.worker();
    const std::uint32_t before = worker.free_joins;
    Own::sync();
    if (Own::is_leader()) {
      const std::uint32_t record_index = JoinDepot<Set>(memory, control).take_record();
      if (record_index != JoinDepot<Set>::kNone) {
        own.join_window()[before] = record_index;
        worker.free_joins = before + 1;
      }
    }
    Own::sync();
    return worker.free_joins > before;
  }

  // Number of records in a full magazine.
  MILLRACE_FUNCTION static std::uint32_t magazine_size() {
    return JoinMemory::kMagazineLines * static_cast<std::uint32_t>(Own::lanes());
  }
  MILLRACE_FUNCTION static std::uint32_t magazine_of(const WorkerShared<Set>& worker) {
    return worker.magazine == 0 ? 2 * own_index() : worker.magazine - 1;
  }
  MILLRACE_FUNCTION static std::uint32_t spare_of(const WorkerShared<Set>& worker) {
    return worker.spare_magazine == 0 ? 2 * own_index() + 1 : worker.spare_magazine - 1;
  }
  MILLRACE_FUNCTION static std::uint32_t own_index() {
    return static_cast<std::uint32_t>(block_index() * Own::workers() + Own::index());
  }
  MILLRACE_FUNCTION static std::uint32_t* stacked_records(const WorkerMemory<Set>& own,
                                                          const JoinMemory& memory) {
    return memory.magazines + std::size_t{magazine_of(own.worker())} * magazine_size();
  }

  std::uint32_t records_[kMost] = {};  // Their indices.
  std::uint32_t held_ = 0;
  std::int32_t opened_ = 0;
};

// Stands for a LaneJoins in sets that open no joins.
struct NoLaneJoins {};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_LANE_JOINS_H_
