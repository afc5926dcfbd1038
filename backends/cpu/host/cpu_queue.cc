// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/backends/cpu/host/parallel_copy.h>

#include <utility>

namespace millrace::cpu {

CpuQueue::CpuQueue(std::shared_ptr<Device> device, std::shared_ptr<CpuThreads> threads)
    : HostQueue(std::move(device),
                [threads](const std::function<void()>& work) { threads->enter(work); }),
      threads_(std::move(threads)) {}

void CpuQueue::run(const std::function<void()>& operation) { threads_->isolate(operation); }

void CpuQueue::copy_bytes(void* target, const void* source, std::size_t bytes) {
  parallel_copy(*threads_, target, source, bytes);
}

void CpuQueue::fill_bytes(void* target, std::byte value, std::size_t bytes) {
  parallel_fill(*threads_, target, value, bytes);
}

}  // namespace millrace::cpu
