#include <millrace/backends/tbb/tbb_queue.h>

#include <tbb/task_arena.h>

#include <cstring>
#include <exception>
#include <utility>

#include <millrace/backends/tbb/parallel_copy.h>
#include <millrace/runtime/queue_span.h>

namespace millrace::tbb_backend {
namespace {

SerialExecutor::Enter enter_arena(int concurrency) {
  const auto arena = concurrency == 0 ? std::make_shared<tbb::task_arena>(tbb::task_arena::attach())
                                      : std::make_shared<tbb::task_arena>(concurrency);
  arena->initialize();
  return [arena](const std::function<void()>& work) { arena->execute(work); };
}

}  // namespace

TbbQueue::TbbQueue(std::shared_ptr<Device> device, const QueueOptions& options)
    : device_(std::move(device)),
      executor_(std::make_shared<SerialExecutor>(enter_arena(options.concurrency))) {}

TbbQueue::~TbbQueue() {
  executor_->finish();
  executor_->close();
}

void TbbQueue::copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
                    MemoryOwner source_owner) {
  if (bytes == 0) return;
  const QueueSpan span(*this, "copy", "copy", bytes);
  push(
      [target, source, bytes, keep = std::pair(std::move(target_owner), std::move(source_owner))] {
        parallel_copy(target, source, bytes);
      },
      Start::kNow);
}

void TbbQueue::fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) {
  if (bytes == 0) return;
  const QueueSpan span(*this, "copy", "fill", bytes);
  push([target, value, bytes,
        keep = std::move(owner)] { std::memset(target, std::to_integer<int>(value), bytes); },
       Start::kNow);
}

void TbbQueue::call(std::function<void()> function) {
  enqueue(std::move(function), Start::kNow, "call");
}

void TbbQueue::wait_for(const Event& event) {
  executor_->push({.work = {}, .after_failure = true, .gate = event}, Start::kNow);
}

void TbbQueue::wait() {
  executor_->finish();
  if (const std::exception_ptr error = executor_->take_error()) std::rethrow_exception(error);
}

void TbbQueue::enqueue(std::function<void()> operation, Start start, const char* name) {
  const QueueSpan span(*this, "compute", name);
  push(std::move(operation), start);
}

void TbbQueue::push(std::function<void()> operation, Start start) {
  // Isolated: where the operation waits for its helpers, its thread takes no other task of the
  // arena, which may be one that waits for this queue.
  executor_->push({.work = [work = std::move(operation)] { tbb::this_task_arena::isolate(work); },
                   .after_failure = false,
                   .gate = {}},
                  start);
}

}  // namespace millrace::tbb_backend
