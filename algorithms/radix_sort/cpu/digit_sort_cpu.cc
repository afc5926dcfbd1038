// SPDX-License-Identifier: Apache-2.0

// DigitSortOp on the threads of CPU queues.
#include <millrace/algorithms/radix_sort/digit_sort.h>
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/runtime/core/op_table.h>

namespace millrace::radix_sort {
namespace {

int sort_on_cpu(Queue& queue, const SortArguments& arguments) {
  int passes = 0;
  auto& own = static_cast<cpu::CpuQueue&>(queue);
  own.enqueue(
      [&] {
        const PieceLoop loop = [&](std::size_t count,
                                   const std::function<void(std::size_t)>& work) {
          own.threads().for_ranges(count, 1, [&](std::size_t begin, std::size_t end, int) {
            for (std::size_t i = begin; i < end; ++i) work(i);
          });
        };
        passes = digit_sort(queue.device(), arguments, loop);
      },
      cpu::CpuQueue::Start::kNow, "digit sort");
  queue.wait();
  return passes;
}

const RegisterOp<DigitSortOp> registered(cpu::kTarget, &sort_on_cpu);

}  // namespace
}  // namespace millrace::radix_sort
