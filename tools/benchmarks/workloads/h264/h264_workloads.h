// SPDX-License-Identifier: Apache-2.0

// H.264 streams on one core of the CPU, beside FFmpeg's decoder on one thread; and their slices on
// any device.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_H264_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_H264_WORKLOADS_H_

#include <vector>

#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

// "h264": parsing and decoding, an item is a bit of the stream. "features": features of frames, an
// item is a picture. A size is a number of pictures. Inputs are made_streams(), and files of Annex
// B byte streams. Each run has the values "pictures per s" and, of made streams and of files whose
// VUI has a rate, "live streams": those of this rate that one core sustains. Times are those that
// the processor spent on the calling thread.
//
// "h264-slices": a size is a number of slices that are parsed in one run, the I and P slices of the
// first 50 pictures of a stream, or 2,000 of those of a file, again and again; an item is a bit of
// their payloads. Times are RunReport::seconds, without copies to and from the device. Each run has
// the value "bits per macroblock".
std::vector<Workload> h264_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_H264_WORKLOADS_H_
