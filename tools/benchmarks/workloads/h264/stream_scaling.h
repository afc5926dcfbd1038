// SPDX-License-Identifier: Apache-2.0

// Parsing and decoding of many H.264 streams on all cores of the CPU, beside one core.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_STREAM_SCALING_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_STREAM_SCALING_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

// "h264-scaling": a size is a number of streams for each thread, copies of a stream's first 10
// pictures or of a whole file; an item is a picture. "parse" and "decode" are of all threads of the
// host's team, and those that end in "+one-thread" of one thread, which has as many streams as each
// of them has there. Seconds are those that passed. Runs of all threads have the value "threads"
// and "fraction of perfect scaling": their rate over that of one thread times the number of
// threads, of the medians of rounds that run both in turns.
Workload scaling_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_STREAM_SCALING_H_
