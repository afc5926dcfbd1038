// SPDX-License-Identifier: Apache-2.0

// PieceLoopOp on the threads of CPU queues.
#include <millrace/algorithms/radix_sort/digit_sort.h>
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

namespace millrace::radix_sort {
namespace {

PieceLoop loop_on_cpu(Queue& queue) {
  auto& own = static_cast<cpu::CpuQueue&>(queue);
  return [&own](std::size_t count, const std::function<void(std::size_t)>& work) {
    own.enqueue(
        [&] {
          own.threads().for_ranges(count, 1, [&](std::size_t begin, std::size_t end, int) {
            for (std::size_t i = begin; i < end; ++i) work(i);
          });
        },
        cpu::CpuQueue::Start::kNow, "digit sort");
    own.wait();
  };
}

const RegisterOp<PieceLoopOp> registered(cpu::kTarget, &loop_on_cpu);

}  // namespace
}  // namespace millrace::radix_sort
