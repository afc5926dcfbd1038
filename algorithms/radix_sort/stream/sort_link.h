// SPDX-License-Identifier: Apache-2.0

// The device of one sort of host arrays: its steps, queues and memory.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_SORT_LINK_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_SORT_LINK_H_

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_memory.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <exception>
#include <memory>

namespace millrace::radix_sort {

class SortLink {
 public:
  // `compute`, its steps (sort_steps_of) and `report`, to which bytes are added, outlive it.
  SortLink(Queue& compute, const DeviceSortSteps& steps, SortReport& report)
      : compute_(compute),
        report_(report),
        steps_(steps),
        memory_(compute),
        guard_(compute),
        up_(compute.device().make_queue()),
        down_(compute.device().make_queue()),
        coding_(compute.device().make_queue()) {}

  Queue& compute() { return compute_; }

  // The queue that codes keys while compute() goes on.
  Queue& coding() { return *coding_; }

  // Makes coding() wait for all that is enqueued on compute() by now.
  void code_after_compute() { coding_->wait_for(compute_.record()); }

  const DeviceSortSteps& steps() const { return steps_; }
  SortMemory& memory() { return memory_; }
  SortReport& report() { return report_; }

  // Enqueue copies over the link; uploads are in one queue, downloads in another.
  void copy_up(void* target, const void* source, std::size_t bytes) {
    report_.bytes_up += bytes;
    up_->copy(target, source, bytes);
  }
  void copy_down(void* target, const void* source, std::size_t bytes) {
    report_.bytes_down += bytes;
    down_->copy(target, source, bytes);
  }

  // Make one queue wait for all that is enqueued on another by now.
  void compute_after_up() { compute_.wait_for(up_->record()); }
  void down_after_compute() { down_after(compute_); }
  void down_after(Queue& queue) { down_after(queue.record()); }
  void down_after(const Event& event) { down_->wait_for(event); }

  // Events after the downloads, and the uploads, that are enqueued by now.
  Event record_down() { return down_->record(); }
  Event record_up() { return up_->record(); }

  // Waits for `event`, of one of the queues. Throws the error of any queue that has failed.
  void wait_for(const Event& event) {
    event.wait();
    if (up_->has_failed() || compute_.has_failed() || coding_->has_failed() ||
        down_->has_failed()) {
      wait();
    }
  }

  // Waits until all queues are empty. Throws the first error.
  void wait() {
    up_->wait();
    compute_.wait();
    coding_->wait();
    down_->wait();
  }

  // Waits likewise, and drops errors.
  void drain() noexcept {
    for (Queue* const queue : {up_.get(), &compute_, coding_.get(), down_.get()}) {
      try {
        queue->wait();
      } catch (const std::exception&) {
        continue;  // The caller handles an error already.
      }
    }
  }

 private:
  Queue& compute_;
  SortReport& report_;
  const DeviceSortSteps& steps_;
  SortMemory memory_;
  const QueueGuard guard_;  // Destroyed before the memory, as are the queues.
  const std::unique_ptr<Queue> up_;
  const std::unique_ptr<Queue> down_;
  const std::unique_ptr<Queue> coding_;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_SORT_LINK_H_
