// Queue on a TBB arena.
#ifndef MILLRACE_BACKENDS_TBB_TBB_QUEUE_H_
#define MILLRACE_BACKENDS_TBB_TBB_QUEUE_H_

#include <functional>
#include <memory>

#include <millrace/runtime/queue.h>
#include <millrace/runtime/serial_executor.h>

namespace millrace::tbb_backend {

class TbbQueue final : public Queue {
 public:
  using Start = SerialExecutor::Start;

  TbbQueue(std::shared_ptr<Device> device, const QueueOptions& options);
  ~TbbQueue() override;

  Device& device() const override { return *device_; }
  void copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
            MemoryOwner source_owner) override;
  void fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) override;
  void call(std::function<void()> function) override;
  Event record() override { return executor_->record(); }
  void wait_for(const Event& event) override;
  void wait() override;
  bool has_failed() const override { return executor_->has_error(); }

  // Enqueues an operation that runs inside the arena; what it throws is the queue's error. `name`,
  // a literal, is for the timeline.
  void enqueue(std::function<void()> operation, Start start, const char* name = "work");

 private:
  void push(std::function<void()> operation, Start start);

  const std::shared_ptr<Device> device_;
  const std::shared_ptr<SerialExecutor> executor_;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_TBB_QUEUE_H_
