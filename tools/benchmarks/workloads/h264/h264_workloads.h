// SPDX-License-Identifier: Apache-2.0

// H.264 streams on one core of the CPU, beside FFmpeg's decoder on one thread; and their slices on
// any device.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_H264_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_H264_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <vector>

namespace millrace::tools {

// "h264": parsing and decoding, an item is a bit of the stream. "features": features of frames, an
// item is a picture. A size is a number of pictures. Inputs are made_streams(), clips that are
// encoded as they are (CLIP:KIND), and files of Annex B byte streams. Each run has the values
// "pictures per s" and, of made streams and of files whose VUI has a rate, "live streams": those of
// this rate that one core sustains. Times are those that the processor spent on the calling thread.
//
// "h264-slices": a size is a number of slices that are parsed in one run, the I and P slices of the
// first 50 pictures of a stream, or of a whole file, again and again; an item is a bit of
// their payloads. Times are RunReport::seconds, without copies to and from the device. Each run has
// the value "bits per macroblock".
//
// "h264-streams": a size is a number of copies of a stream's first 25 pictures, or of a whole file,
// whose features a device measures. Live, the next picture of each stream waits until those of all
// have been measured; stored, all pictures are there at once. Times are of the whole process, from
// coded bytes to features in memory of the host; the host's cores, all of them, are beside it. Each
// run has the values "Gbit per s" and "live streams", and those of devices have fractions of the
// time of the three threads that take turns: "headers share", "writing share" (what the device
// reads), "device share", of that "tasks share" (the others are copies), and "reporting share".
//
// "h264-latency": a size is a number of streams, whose next pictures end at the same time. The
// seconds of a run are the median of its pictures', from their last bits to their features in
// memory of the host, of all streams; each run has the values "median ms" and "worst ms".
//
// And scaling_workload() and start_workload().
std::vector<Workload> h264_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_H264_WORKLOADS_H_
