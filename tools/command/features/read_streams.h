// SPDX-License-Identifier: Apache-2.0

// Reads many streams side by side: each by one thread, or many at a time on a device.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_READ_STREAMS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_READ_STREAMS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/features/output/feature_output.h>
#include <millrace/tools/command/features/stream/run_stream.h>
#include <millrace/tools/command/features/stream_jobs.h>
#include <millrace/tools/command/features/stream_name.h>

#include <memory>
#include <vector>

namespace millrace::tools {

struct StreamPoolOptions {
  int threads = 1;  // Number of threads, each of which parses a stream; 0: none.
  std::vector<std::shared_ptr<Device>> devices = {};  // Each parses many streams at a time.
  StreamJobsOptions jobs = {};
  StreamRunOptions run = {};
};

// Reads all streams, or until a signal comes. A stream that fails does not end the run. Threads and
// devices take the next stream when they have capacity for one. Throws what the output throws, once
// the threads have ended.
StreamTotals read_streams(const StreamPoolOptions& options, const std::vector<StreamName>& names,
                          FeatureOutput& output);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_READ_STREAMS_H_
