// SPDX-License-Identifier: Apache-2.0

// The time from the start of `millrace features` to its first line.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_FEATURES_START_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_FEATURES_START_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

// "features-start": a run is of a stream's file, an item is its first picture. "library" begins
// when the file is opened and ends with the features of that picture. "command" runs `millrace
// features FILE`, from the start of its process to the end of its first line, and needs `millrace
// bench` as the program that measures. A size is a number of pictures of the stream. Seconds are
// those that passed.
Workload start_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_FEATURES_START_H_
