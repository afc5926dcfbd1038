// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/device_streams.h>
#include <millrace/tools/command/features/read_streams.h>

#include <cstddef>
#include <exception>
#include <thread>

namespace millrace::tools {
namespace {

// While one has its streams on the device, others read and write theirs.
constexpr std::size_t kWorkersOfDevice = 3;

void read_on_thread(StreamJobs& jobs, const StreamRunOptions& options) {
  while (const std::unique_ptr<OpenStream> stream = jobs.next()) {
    jobs.finish(*stream, run_stream(stream->source(), options, stream->output()));
  }
}

}  // namespace

StreamTotals read_streams(const StreamPoolOptions& options, const std::vector<StreamName>& names,
                          FeatureOutput& output) {
  StreamJobs jobs(options.jobs, output, names);
  const std::size_t workers = kWorkersOfDevice * options.devices.size();
  // Streams that are followed are all open: they do not end.
  const std::size_t most_open = options.run.is_followed && workers > 0
                                    ? (names.size() + workers - 1) / workers
                                    : kMostOpenStreams;
  const auto guard = [&jobs](const auto& read) {
    try {
      read();
    } catch (...) {
      jobs.fail(std::current_exception());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (const std::shared_ptr<Device>& device : options.devices) {
      for (std::size_t i = 0; i < kWorkersOfDevice; ++i) {
        threads.emplace_back(
            [&, device] { guard([&] { read_on_device(*device, jobs, options.run, most_open); }); });
      }
    }
    const auto read = [&] { guard([&] { read_on_thread(jobs, options.run); }); };
    for (int i = 1; i < options.threads; ++i) threads.emplace_back(read);
    if (options.threads > 0) read();
  }
  return jobs.end();
}

}  // namespace millrace::tools
