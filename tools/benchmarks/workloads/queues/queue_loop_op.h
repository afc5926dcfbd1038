// SPDX-License-Identifier: Apache-2.0

// The loop that a flat queue is compared with (tasks-flat): a kernel by hand, without a queue.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUEUE_LOOP_OP_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUEUE_LOOP_OP_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/workloads/queues/quad.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {

// Adds all words of `count` items to *sum, modulo 2^32, in a grid-stride loop over as many threads
// as the device holds; memory is the device's. Waits for the queue and returns the seconds that the
// kernel took.
struct QueueLoopOp {
  using Function = double(Queue&, const Quad* items, std::size_t count, std::uint32_t* sum);
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUEUE_LOOP_OP_H_
