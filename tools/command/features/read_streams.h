// SPDX-License-Identifier: Apache-2.0

// Reads many streams side by side: each by one thread, or many at a time on a device.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_READ_STREAMS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_READ_STREAMS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/features/choice/device_choice.h>
#include <millrace/tools/command/features/output/feature_output.h>
#include <millrace/tools/command/features/output/stream_totals.h>
#include <millrace/tools/command/features/stream/run_stream.h>
#include <millrace/tools/command/features/stream_jobs.h>
#include <millrace/tools/command/features/stream_name.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace millrace::tools {

struct StreamPoolOptions {
  int threads = 1;  // Number of threads, each of which parses a stream; 0: none.
  std::vector<std::shared_ptr<Device>> devices = {};  // Each parses many streams at a time.
  // Streams that each of a device's threads has open at a time, if they end.
  std::size_t most_open = kMostOpenStreams;
  // Returns the streams that there are now; called about once a second while streams are followed
  // on devices, whose new ones are then read, too. Empty: none is added.
  std::function<std::vector<StreamName>()> find_more = {};
  StreamJobsOptions jobs = {};
  StreamRunOptions run = {};
};

// The portion of the streams that a device has read.
struct DeviceReading {
  std::int64_t bytes = 0;  // Bytes of their frames.
  double seconds = 0;      // Time from the beginning of the run to the end of the last one.
};

struct StreamPoolReport {
  StreamTotals totals;
  std::vector<DeviceReading> devices;  // Indexed as StreamPoolOptions::devices.
};

// Reads all streams, or until a signal comes. A stream that fails does not end the run. Threads and
// devices take the next stream when they have capacity for one: devices the first ones, and threads
// beside devices the last ones. Throws what the output throws, once the threads have ended.
StreamPoolReport read_streams(const StreamPoolOptions& options,
                              const std::vector<StreamName>& names, FeatureOutput& output);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_READ_STREAMS_H_
