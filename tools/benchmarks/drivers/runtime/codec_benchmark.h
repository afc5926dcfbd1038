// SPDX-License-Identifier: Apache-2.0

// Measures the traffic that codecs save on the link, and their speed on the CPU and on a device.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_CODEC_BENCHMARK_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_CODEC_BENCHMARK_H_

#include <cstddef>
#include <string>

namespace millrace::tools {

struct CodecBenchmarkOptions {
  std::string device = "tbb";
  double seconds = 2;  // For each row of the table.
  std::size_t items =
      0;  // Integers in a chunk, or coefficients; 0: one size or two, by the device.
};

// Prints a row for each codec, size and processor: the bits an item takes, the rates of encoder and
// decoder in bytes of items, and those rates to a copy on the same processor. Demands that each
// decoder gives back what went in, and that CPU and device encode to the same bytes. For a device
// with memory of its own says whether each chunk would be sent coded, by its measured link. Throws
// as open_device.
void benchmark_codecs(const CodecBenchmarkOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_CODEC_BENCHMARK_H_
