// SPDX-License-Identifier: Apache-2.0

// Where tasks go that find no room on the device: a ring in pinned memory that the host empties
// while the kernel runs.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_SPILL_RING_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_SPILL_RING_H_

#include <atomic>
#include <cstdint>
#include <cstring>

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/task_list.h>

namespace millrace::MILLRACE_GPU {

struct SpillSlot {
  std::uint64_t sequence;  // Of the task in it, from 1; 0 at first.
  std::uint32_t tag;
  std::uint32_t words[kMaxTaskBytes / 4];
};

// The device's side of the ring.
struct SpillEnds {
  alignas(128) std::uint64_t tail;
  alignas(128) std::uint64_t head;  // As somebody has last read it.
};

class SpillRing {
 public:
  static constexpr std::uint64_t kSlots = 4096;

  SpillRing() = default;
  // `ends` is in device memory, `head` and the kSlots `slots` in pinned memory, all zero at first
  // and kept from run to run.
  SpillRing(SpillSlot* slots, SpillEnds* ends, std::uint64_t* head)
      : slots_(slots), ends_(ends), head_(head) {}

  // On the device, by any lane; waits for the host while the ring is full.
  template <class T>
  MILLRACE_FUNCTION void push(TaskTag tag, const T& task) const {
    const std::uint64_t place =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&ends_->tail, std::uint64_t{1});
    // Written inside the loop: a lane that has room does not wait for one of its warp that has
    // none.
    bool is_written = false;
    for (unsigned round = 0; !is_written; ++round) {
      if (has_room(place, round)) {
        SpillSlot& slot = slots_[place % kSlots];
        slot.tag = tag;
        memcpy(slot.words, &task, sizeof(T));
        atomic_store<gpu::Scope::kSystem, gpu::Order::kRelease>(&slot.sequence, place + 1);
        is_written = true;
      } else {
        pause(500);
      }
    }
  }

  // On the host, by one thread: moves what has arrived to `list`; returns how many. What is thrown
  // for lack of memory leaves the ring as it is.
  template <class Set>
  std::uint64_t drain(TaskList<Set>& list) const {
    return take([&list](const SpillSlot& slot) {
      visit_type<Set>(static_cast<TaskTag>(slot.tag), [&]<class T>() {
        TaskSlot<Set> task;
        memcpy(static_cast<void*>(&task), slot.words, sizeof(T));
        list.push(task.template get<T>());
      });
    });
  }

  // The same, and forgets it.
  void discard() const {
    take([](const SpillSlot&) {});
  }

 private:
  // Reads of pinned memory take a microsecond each, one after another: few of those who wait do
  // it for all, and whoever has waited long.
  MILLRACE_FUNCTION bool has_room(std::uint64_t place, unsigned round) const {
    std::uint64_t head = atomic_load<gpu::Scope::kDevice, gpu::Order::kAcquire>(&ends_->head);
    if (place - head < kSlots) return true;
    if (place % 64 != 0 && round % 64 != 63) return false;
    head = atomic_load<gpu::Scope::kSystem, gpu::Order::kAcquire>(head_);
    atomic_max<gpu::Scope::kDevice, gpu::Order::kRelease>(&ends_->head, head);
    return place - head < kSlots;
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
