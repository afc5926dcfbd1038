// SPDX-License-Identifier: Apache-2.0

// `bench sort`: radix sort of u32 keys and of u32 pairs on the CPU, against the sorts of others,
// and of keys of many distributions against uniform ones.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_SORT_SORT_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_SORT_SORT_BENCHMARK_H_

#include <cstddef>
#include <string>

namespace millrace::tools {

struct SortBenchmarkOptions {
  std::string device = "tbb";
  double seconds = 2;              // For each count.
  std::size_t most = 100'000'000;  // The largest count.
  std::string csv{};               // A file for the tables' figures; none where empty.
  std::string svg{};               // A file for a picture of rates over counts; none where empty.
};

// Prints tables. Throws kUnsupported for a device with memory of its own, kIo where a file cannot
// be written, and kInternal where a result is wrong (which is checked before any timing).
void benchmark_sort(const SortBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_SORT_SORT_BENCHMARK_H_
