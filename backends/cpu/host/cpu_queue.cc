// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/backends/cpu/host/parallel_copy.h>
#include <millrace/runtime/timeline/queue_span.h>

#include <exception>
#include <utility>

namespace millrace::cpu {
CpuQueue::CpuQueue(std::shared_ptr<Device> device, std::shared_ptr<CpuThreads> threads)
    : device_(std::move(device)),
      threads_(std::move(threads)),
      executor_(std::make_shared<SerialExecutor>(
          [threads = threads_](const std::function<void()>& work) { threads->enter(work); })) {}

CpuQueue::~CpuQueue() {
  executor_->finish();
  executor_->close();
}

void CpuQueue::copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
                    MemoryOwner source_owner) {
  if (bytes == 0) return;
  const QueueSpan span(*this, "copy", "copy", bytes);
  push(
      [this, target, source, bytes,
       keep = std::pair(std::move(target_owner), std::move(source_owner))] {
        parallel_copy(*threads_, target, source, bytes);
      },
      Start::kNow);
}

void CpuQueue::fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) {
  if (bytes == 0) return;
  const QueueSpan span(*this, "copy", "fill", bytes);
  push([this, target, value, bytes,
        keep = std::move(owner)] { parallel_fill(*threads_, target, value, bytes); },
       Start::kNow);
}

void CpuQueue::call(std::function<void()> function) {
  enqueue(std::move(function), Start::kNow, "call");
}

void CpuQueue::wait_for(const Event& event) {
  executor_->push({.work = {}, .after_failure = true, .gate = event}, Start::kNow);
}

void CpuQueue::wait() {
  executor_->finish();
  if (const std::exception_ptr error = executor_->take_error()) std::rethrow_exception(error);
}

void CpuQueue::enqueue(std::function<void()> operation, Start start, const char* name) {
  const QueueSpan span(*this, "compute", name);
  push(std::move(operation), start);
}

void CpuQueue::push(std::function<void()> operation, Start start) {
  executor_->push({.work = [this, work = std::move(operation)] { threads_->isolate(work); },
                   .after_failure = false,
                   .gate = {}},
                  start);
}

}  // namespace millrace::cpu
