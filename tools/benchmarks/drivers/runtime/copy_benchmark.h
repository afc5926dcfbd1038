// SPDX-License-Identifier: Apache-2.0

// Measures the speed of Queue::copy inside a device, and between it and the host.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_COPY_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_COPY_BENCHMARK_H_

#include <string>

namespace millrace::tools {

// Prints the rate inside device memory, on one thread and on all; and, for a device with memory of
// its own, a table of copies to and from pinned and pageable memory, the latter staged by
// Millrace and by the vendor, with their ratios to the vendor's upload of pageable memory, measured
// in turn for `seconds` in all; and the latter by size. Throws as open_device.
void benchmark_copies(const std::string& device, double seconds);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_COPY_BENCHMARK_H_
