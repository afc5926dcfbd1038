// SPDX-License-Identifier: Apache-2.0

// The destination of tasks that do not fit on the device: a ring in pinned memory that the host
// drains while the kernel runs.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_SPILL_RING_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_SPILL_RING_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/internal/level_queue.h>
#include <millrace/runtime/tasks/internal/participant.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_list.h>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace millrace::MILLRACE_GPU {

struct SpillSlot {
  // Above the tag: the task waits for `level`; or it is no task, but an arrival at the join of
  // another device whose index is `level`, or the number of arrivals that such a join is to expect.
  static constexpr std::uint32_t kIsLater = 1 << 8;
  static constexpr std::uint32_t kIsArrival = 1 << 9;
  static constexpr std::uint32_t kIsExpected = 1 << 10;
  // The bit offsets of an arrival's numbers in the tag.
  static constexpr int kOffset = 14;
  static constexpr int kBytes = 23;
  static constexpr std::uint32_t kNumber = 0x1ff;
  static_assert(kMaxTaskBytes <= kNumber);

  std::uint64_t sequence;  // Number of the item in the slot, from 1; 0 at first.
  std::uint32_t tag;
  std::uint32_t level;
  std::uint32_t words[kMaxTaskBytes / 4];
};

// The device's side of the ring.
struct SpillEnds {
  alignas(128) std::uint64_t tail;
  alignas(128) std::uint64_t head;  // The latest value of the host's head that a lane has read.
};

class SpillRing {
 public:
  static constexpr std::uint64_t kSlots = 4096;

  SpillRing() = default;
  // `ends` is in device memory, `head` and the kSlots `slots` are in pinned memory. All are zero at
  // first, and keep their values from run to run.
  SpillRing(SpillSlot* slots, SpillEnds* ends, std::uint64_t* head)
      : slots_(slots), ends_(ends), head_(head) {}

  // Called on the device by any lane. Waits for the host while the ring is full.
  template <class T>
  MILLRACE_FUNCTION void push(TaskTag tag, const T& task) const {
    write([tag, &task](SpillSlot& slot) {
      slot.tag = tag;
      memcpy(slot.words, &task, sizeof(T));
    });
  }

  // The same for a task of a later level.
  template <class T>
  MILLRACE_FUNCTION void push_later(TaskTag tag, std::uint32_t level, const T& task) const {
    write([=, &task](SpillSlot& slot) {
      slot.tag = SpillSlot::kIsLater | tag;
      slot.level = level;
      memcpy(slot.words, &task, sizeof(T));
    });
  }

  // The same for an arrival at a join of another device, with a value or without.
  MILLRACE_FUNCTION void push_arrival(const Join<>& join) const {
    write([=](SpillSlot& slot) {
      slot.tag = SpillSlot::kIsArrival;
      slot.level = join.index();
    });
  }
  template <class V>
  MILLRACE_FUNCTION void push_arrival(const Join<V>& join, const V& value) const {
    static_assert(sizeof(V) <= kMaxTaskBytes, "a value is a member of a continuation");
    write([=, &value](SpillSlot& slot) {
      slot.tag = SpillSlot::kIsArrival | join.offset() << SpillSlot::kOffset |
                 static_cast<std::uint32_t>(sizeof(V)) << SpillSlot::kBytes;
      slot.level = join.index();
      memcpy(slot.words, &value, sizeof(V));
    });
  }
  // The same for a value of `count` words, which belongs to the handle's offset.
  MILLRACE_FUNCTION void push_arrival(const Join<>& join, const std::uint32_t* words,
                                      std::uint32_t count) const {
    write([=](SpillSlot& slot) {
      slot.tag = SpillSlot::kIsArrival | join.offset() << SpillSlot::kOffset |
                 4 * count << SpillSlot::kBytes;
      slot.level = join.index();
      for (std::uint32_t i = 0; i < count; ++i) slot.words[i] = words[i];
    });
  }
  // The same for arrivals that a join of another device is to expect.
  MILLRACE_FUNCTION void push_expected(const Join<>& join, std::uint32_t arrivals) const {
    write([=](SpillSlot& slot) {
      slot.tag = SpillSlot::kIsExpected;
      slot.level = join.index();
      slot.words[0] = arrivals;
    });
  }

  // Returns true if a lane that waits for the slot of this item reads the host's head in its round
  // `round`; `head` is the latest value that is known. Reads of pinned memory are served one after
  // another and take a microsecond each. So of the lanes whose slots are free next, one of 64 reads
  // it, and publishes the value for all; the others do so after a long wait. The lanes behind them
  // read nothing: where a hundred thousand wait, a read would otherwise take milliseconds.
  MILLRACE_FUNCTION static constexpr bool reads_head(std::uint64_t position, std::uint64_t head,
                                                     unsigned round) {
    if (position - head >= 2 * kSlots) return false;
    return position % 64 == 0 || round % 64 == 63;
  }

  // Called on the host by one thread. Moves the tasks that have arrived to `list`, and returns
  // their number. If memory runs out, the exception leaves the remaining tasks in the ring.
  template <class Set>
  std::uint64_t drain(TaskList<Set>& list) const {
    return take([&list](const SpillSlot& slot) {
      visit_task<Set>(slot, [&list](const auto& task) { list.push(task); });
    });
  }

  // Moves those of later levels to `later`.
  template <class Set>
  std::uint64_t drain(TaskList<Set>& list, LevelQueue<Set>& later) const {
    return take([&](const SpillSlot& slot) {
      visit_task<Set>(slot, [&](const auto& task) {
        if ((slot.tag & SpillSlot::kIsLater) != 0) {
          later.push(slot.level, task);
        } else {
          list.push(task);
        }
      });
    });
  }

  // Sends arrivals at joins of other devices there.
  template <class Set>
  std::uint64_t drain(TaskList<Set>& list, Participant<Set>& participant) const {
    return take([&](const SpillSlot& slot) {
      if ((slot.tag & (SpillSlot::kIsArrival | SpillSlot::kIsExpected)) != 0) {
        participant.send(arrival_of<Set>(slot));
      } else {
        visit_task<Set>(slot, [&list](const auto& task) { list.push(task); });
      }
    });
  }

  // Drains the ring, and discards the tasks.
  void discard() const {
    take([](const SpillSlot&) {});
  }

 private:
  template <class Set>
  static JoinArrival<Set> arrival_of(const SpillSlot& slot) {
    JoinArrival<Set> arrival{.index = slot.level, .value = {}};
    if ((slot.tag & SpillSlot::kIsExpected) != 0) {
      arrival.expected = slot.words[0];
      return arrival;
    }
    const auto number = [&slot](int offset) {
      return static_cast<std::uint16_t>(slot.tag >> offset & SpillSlot::kNumber);
    };
    arrival.offset = number(SpillSlot::kOffset);
    arrival.bytes = number(SpillSlot::kBytes);
    std::memcpy(arrival.value.data(), slot.words, arrival.bytes);
    return arrival;
  }

  // Calls visit(task) with the task in the slot.
  template <class Set, class Visit>
  static void visit_task(const SpillSlot& slot, const Visit& visit) {
    visit_type<Set>(static_cast<TaskTag>(slot.tag), [&]<class T>() {
      TaskSlot<Set> task;
      memcpy(static_cast<void*>(&task), slot.words, sizeof(T));
      visit(task.template get<T>());
    });
  }

  // Waits for a free slot, and calls fill(slot).
  template <class Fill>
  MILLRACE_FUNCTION void write(const Fill& fill) const {
    const std::uint64_t position =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&ends_->tail, std::uint64_t{1});
    // The write is inside the loop, so that a lane with a free slot does not wait for a lane of its
    // warp without one.
    bool is_written = false;
    for (unsigned round = 0; !is_written; ++round) {
      if (has_space(position, round)) {
        SpillSlot& slot = slots_[position % kSlots];
        fill(slot);
        atomic_store<gpu::Scope::kSystem, gpu::Order::kRelease>(&slot.sequence, position + 1);
        is_written = true;
      } else {
        pause(500);
      }
    }
  }

  MILLRACE_FUNCTION bool has_space(std::uint64_t position, unsigned round) const {
    std::uint64_t head = atomic_load<gpu::Scope::kDevice, gpu::Order::kAcquire>(&ends_->head);
    if (position - head < kSlots) return true;
    if (!reads_head(position, head, round)) return false;
    head = atomic_load<gpu::Scope::kSystem, gpu::Order::kAcquire>(head_);
    atomic_max<gpu::Scope::kDevice, gpu::Order::kRelease>(&ends_->head, head);
    return position - head < kSlots;
  }

  template <class Take>
  std::uint64_t take(const Take& take_one) const {
    std::uint64_t head = *head_;
    const std::uint64_t begin = head;
    for (;;) {
      SpillSlot& slot = slots_[head % kSlots];
      if (std::atomic_ref(slot.sequence).load(std::memory_order_acquire) != head + 1) break;
      take_one(slot);
      ++head;
      std::atomic_ref(*head_).store(head, std::memory_order_release);
    }
    return head - begin;
  }

  SpillSlot* slots_ = nullptr;
  SpillEnds* ends_ = nullptr;
  std::uint64_t* head_ = nullptr;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_SPILL_RING_H_
