// SPDX-License-Identifier: Apache-2.0

// Measurements in the JSON that google-benchmark writes and its tools/compare.py reads.
#ifndef MILLRACE_TOOLS_REPORT_EXPORT_GOOGLE_BENCHMARK_H_
#define MILLRACE_TOOLS_REPORT_EXPORT_GOOGLE_BENCHMARK_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <ostream>

namespace millrace::tools {

// Writes an entry for each run of each measurement that was timed: a repetition of the benchmark
// MACHINE/DEVICE/WORKLOAD/INPUT/SIZE/CONTENDER, without the machine where there is one, so that
// files of two commits have the same names. Times are in nanoseconds; `cpu_time`, which is not
// measured, is the real time. `out` shows what could not be written, in its own way.
void write_google_benchmark(std::ostream& out, const MergedResults& merged);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EXPORT_GOOGLE_BENCHMARK_H_
