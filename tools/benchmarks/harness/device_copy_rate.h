// SPDX-License-Identifier: Apache-2.0

// The rate of copies within a device's memory, which bounds memory-bound work there.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_DEVICE_COPY_RATE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_DEVICE_COPY_RATE_H_

#include <millrace/runtime/core/queue.h>

#include <cstddef>

namespace millrace::tools {

// Returns the bytes read plus written per second by Queue::copy between two buffers in device
// memory, the best of several copies. 64 MiB are past the device's caches and take about 0.1 s.
double measure_device_copy_rate(Queue& queue, std::size_t bytes = std::size_t{64} << 20);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_DEVICE_COPY_RATE_H_
