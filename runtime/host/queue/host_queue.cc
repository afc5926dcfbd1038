// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/queue/host_queue.h>
#include <millrace/runtime/timeline/internal/queue_span.h>

#include <cstring>
#include <exception>
#include <utility>

namespace millrace {

HostQueue::HostQueue(std::shared_ptr<Device> device, SerialExecutor::Enter enter)
    : device_(std::move(device)), executor_(std::make_shared<SerialExecutor>(std::move(enter))) {}

HostQueue::~HostQueue() {
  executor_->finish();
  executor_->close();
}

void HostQueue::copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
                     MemoryOwner source_owner) {
  if (bytes == 0) return;
  const QueueSpan span(*this, "copy", "copy", bytes);
  push([this, target, source, bytes,
        keep = std::pair(std::move(target_owner),
                         std::move(source_owner))] { copy_bytes(target, source, bytes); },
       Start::kNow);
}

void HostQueue::fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) {
  if (bytes == 0) return;
  const QueueSpan span(*this, "copy", "fill", bytes);
  push([this, target, value, bytes, keep = std::move(owner)] { fill_bytes(target, value, bytes); },
       Start::kNow);
}

void HostQueue::call(std::function<void()> function) {
  enqueue(std::move(function), Start::kNow, "call");
}

void HostQueue::wait_for(const Event& event) {
  executor_->push({.work = {}, .after_failure = true, .gate = event}, Start::kNow);
}

void HostQueue::wait() {
  executor_->finish();
  if (const std::exception_ptr error = executor_->take_error()) std::rethrow_exception(error);
}

void HostQueue::enqueue(std::function<void()> operation, Start start, const char* name) {
  const QueueSpan span(*this, "compute", name);
  push(std::move(operation), start);
}

void HostQueue::copy_bytes(void* target, const void* source, std::size_t bytes) {
  std::memcpy(target, source, bytes);
}

void HostQueue::fill_bytes(void* target, std::byte value, std::size_t bytes) {
  std::memset(target, std::to_integer<int>(value), bytes);
}

void HostQueue::push(std::function<void()> operation, Start start) {
  executor_->push({.work = [this, work = std::move(operation)] { run(work); },
                   .after_failure = false,
                   .gate = {}},
                  start);
}

}  // namespace millrace
