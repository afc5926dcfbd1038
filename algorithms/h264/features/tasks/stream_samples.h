// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_SAMPLES_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_SAMPLES_H_

namespace millrace::h264 {

// A device that parses pictures can reconstruct their samples, too.
enum class StreamSamples {
  kNone,      // The device reconstructs no picture.
  kOnDevice,  // It reconstructs and deblocks all, and keeps them as long as others refer to them.
  kGiven      // It copies them to the host as well.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_SAMPLES_H_
