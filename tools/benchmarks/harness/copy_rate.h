// SPDX-License-Identifier: Apache-2.0

// The rate at which a device copies its own memory: the limit that memory-bound work is measured
// against.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_COPY_RATE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_COPY_RATE_H_

#include <millrace/runtime/core/queue.h>

namespace millrace::tools {

// Bytes read plus bytes written per second by Queue::copy between two buffers of 64 MiB in device
// memory, past its caches: the best of several copies. Takes about 0.1 s.
double measure_copy_rate(Queue& queue);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_COPY_RATE_H_
