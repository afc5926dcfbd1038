// SPDX-License-Identifier: Apache-2.0

// `bench host-sort`: sorts of host arrays on a device against copy, sort, copy, in one run.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_SORT_HOST_SORT_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_SORT_HOST_SORT_BENCHMARK_H_

#include <cstddef>
#include <string>

namespace millrace::tools {

struct HostSortBenchmarkOptions {
  std::string device;
  double seconds = 2;        // For each line's contest.
  std::size_t most = 0;      // The largest count; 0: 1e9, or 1e4 on a simulated device.
  std::string csv = {};      // A file for the figures; may be empty.
  std::size_t rounds = 0;    // Least rounds of each contest; 0: 15, or 5 of large sorts.
  bool has_pageable = true;  // True if pageable memory is measured, too,
  bool has_shapes = true;    // and keys other than uniform ones.
};

// Prints tables and what of the bars is met; every output is checked. Throws Error where one is
// wrong, or the device has no memory of its own.
void benchmark_host_sort(const HostSortBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_SORT_HOST_SORT_BENCHMARK_H_
