// SPDX-License-Identifier: Apache-2.0

// A device, its queues and the memory there of one sort of host arrays.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_SORT_LINK_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_SORT_LINK_H_

#include <cstddef>
#include <exception>
#include <memory>

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_memory.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/op_table.h>
#include <millrace/runtime/core/queue.h>

namespace millrace::radix_sort {

class SortLink {
 public:
  // `compute` and `report`, where bytes are added up, outlive it.
  SortLink(Queue& compute, SortReport& report)
      : compute_(compute),
        report_(report),
        steps_(OpTable<SortStepsOp>::at(compute)()),
        memory_(compute),
        guard_(compute),
        up_(compute.device().make_queue()),
        down_(compute.device().make_queue()),
        coding_(compute.device().make_queue()) {}

  Queue& compute() { return compute_; }

  // For what is coded while compute() goes on.
  Queue& coding() { return *coding_; }

  // Has coding() wait for what is enqueued by now on compute().
  void code_after_compute() { coding_->wait_for(compute_.record()); }

  const SortSteps& steps() const { return steps_; }
  SortMemory& memory() { return memory_; }
  SortReport& report() { return report_; }

  // Enqueue copies over the link; the way up is one queue, the way down another.
  void copy_up(void* target, const void* source, std::size_t bytes) {
    report_.bytes_up += bytes;
    up_->copy(target, source, bytes);
  }
  void copy_down(void* target, const void* source, std::size_t bytes) {
    report_.bytes_down += bytes;
    down_->copy(target, source, bytes);
  }

  // Have one way wait for what is enqueued by now on the other.
  void compute_after_up() { compute_.wait_for(up_->record()); }
  void down_after_compute() { down_after(compute_); }
  void down_after(Queue& queue) { down_after(queue.record()); }
  void down_after(const Event& event) { down_->wait_for(event); }

  // What is enqueued by now has come down.
  Event record_down() { return down_->record(); }
  Event record_up() { return up_->record(); }

  // Until `event`, of one of the queues, is reached; throws what has failed in any of them.
  void wait_for(const Event& event) {
    event.wait();
    if (up_->has_failed() || compute_.has_failed() || coding_->has_failed() ||
        down_->has_failed()) {
      wait();
    }
  }

  // Until all queues are empty; throws what has failed.
  void wait() {
    up_->wait();
    compute_.wait();
    coding_->wait();
    down_->wait();
  }

  // The same, but drops what has failed.
  void drain() noexcept {
    for (Queue* const queue : {up_.get(), &compute_, coding_.get(), down_.get()}) {
      try {
        queue->wait();
      } catch (const std::exception&) {
        continue;  // Whoever drains knows of an error already.
      }
    }
  }

 private:
  Queue& compute_;
  SortReport& report_;
  const SortSteps& steps_;
  SortMemory memory_;
  const QueueGuard guard_;  // This and the queues go before the memory.
  const std::unique_ptr<Queue> up_;
  const std::unique_ptr<Queue> down_;
  const std::unique_ptr<Queue> coding_;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_SORT_LINK_H_
