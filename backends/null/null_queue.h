// SPDX-License-Identifier: Apache-2.0

// A Queue that runs one operation after another on the host.
#ifndef MILLRACE_BACKENDS_NULL_NULL_QUEUE_H_
#define MILLRACE_BACKENDS_NULL_NULL_QUEUE_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/host/serial_executor.h>
#include <millrace/runtime/timeline/queue_span.h>

#include <cstring>
#include <utility>

namespace millrace::null_backend {

inline constexpr char kTarget[] = "null";  // DeviceInfo::target.

// SerialExecutor makes the events, and keeps the first error.
class NullQueue final : public Queue {
 public:
  explicit NullQueue(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  ~NullQueue() override {
    executor_->finish();
    executor_->close();
  }

  Device& device() const override { return *device_; }

  void copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
            MemoryOwner source_owner) override {
    if (bytes == 0) return;
    const auto work = [=] { std::memcpy(target, source, bytes); };
    enqueue(
        "copy", "copy", [work, target_owner, source_owner] { work(); }, bytes);
  }
  void fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) override {
    if (bytes == 0) return;
    const auto work = [=] { std::memset(target, std::to_integer<int>(value), bytes); };
    enqueue(
        "copy", "fill", [work, owner] { work(); }, bytes);
  }
  void call(std::function<void()> function) override {
    enqueue("compute", "call", std::move(function));
  }

  Event record() override { return executor_->record(); }
  void wait_for(const Event& event) override {
    executor_->push({.work = {}, .after_failure = true, .gate = event}, kNow);
  }
  void wait() override {
    executor_->finish();
    if (const std::exception_ptr error = executor_->take_error()) std::rethrow_exception(error);
  }
  bool has_failed() const override { return executor_->has_error(); }

  // `stage` and `name` are literals, for the timeline.
  void enqueue(const char* stage, const char* name, std::function<void()> work,
               std::size_t bytes = 0) {
    const QueueSpan span(*this, stage, name, bytes);
    executor_->push({.work = std::move(work), .after_failure = false, .gate = {}}, kNow);
  }

 private:
  static constexpr auto kNow = SerialExecutor::Start::kNow;

  const std::shared_ptr<Device> device_;
  const std::shared_ptr<SerialExecutor> executor_ =
      std::make_shared<SerialExecutor>([](const std::function<void()>& work) { work(); });
};

}  // namespace millrace::null_backend

#endif  // MILLRACE_BACKENDS_NULL_NULL_QUEUE_H_
