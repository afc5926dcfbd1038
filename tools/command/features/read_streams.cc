// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/tools/command/features/choice/device_choice.h>
#include <millrace/tools/command/features/device_streams.h>
#include <millrace/tools/command/features/read_streams.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace millrace::tools {
namespace {

void read_on_thread(StreamJobs& jobs, const StreamRunOptions& options, JobsEnd end) {
  while (const std::unique_ptr<OpenStream> stream = jobs.next(end)) {
    jobs.finish(*stream, run_stream(stream->source(), options, stream->output()));
  }
}

// Adds streams that appear, until it is destroyed.
class StreamFinder {
 public:
  // All must outlive it.
  StreamFinder(const StreamPoolOptions& options, const std::vector<StreamName>& names,
               StreamJobs& jobs) {
    if (!options.find_more) return;
    for (const StreamName& name : names) known_.insert(name.path);
    thread_ = std::jthread([this, &options, &jobs](const std::stop_token& stop) {
      constexpr std::chrono::seconds kPause(1);
      std::unique_lock lock(mutex_);
      while (!wake_.wait_for(lock, stop, kPause, [] { return false; }) && !stop.stop_requested()) {
        try {
          jobs.add(new_ones(options.find_more()));
        } catch (const Error&) {
          continue;  // A folder that cannot be read for now has no new streams.
        }
      }
    });
  }

 private:
  // A stream that is removed may come again under its name.
  std::vector<StreamName> new_ones(std::vector<StreamName> names) {
    std::set<std::string> paths;
    for (const StreamName& name : names) paths.insert(name.path);
    std::erase_if(names, [this](const StreamName& name) { return known_.contains(name.path); });
    known_ = std::move(paths);
    return names;
  }

  std::set<std::string> known_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace

StreamPoolReport read_streams(const StreamPoolOptions& options,
                              const std::vector<StreamName>& names, FeatureOutput& output) {
  StreamJobs jobs(options.jobs, output, names);
  const std::size_t workers = kThreadsOfDevice * options.devices.size();
  // Streams that are followed are all open: they end when their files are removed, if at all.
  const auto most_open = [&]() -> std::size_t {
    return options.run.is_followed ? jobs.portion(workers) : options.most_open;
  };
  const auto guard = [&jobs](const auto& read) {
    try {
      read();
    } catch (...) {
      jobs.fail(std::current_exception());
    }
  };
  StreamPoolReport report;
  report.devices.resize(options.devices.size());
  std::mutex mutex;
  const auto start = std::chrono::steady_clock::now();
  const auto read_by_device = [&](std::size_t index) {
    const std::int64_t bytes =
        read_on_device(*options.devices[index], jobs, options.run, most_open);
    const double seconds = seconds_since(start);
    const std::lock_guard lock(mutex);
    DeviceReading& reading = report.devices[index];
    reading.bytes += bytes;
    reading.seconds = std::max(reading.seconds, seconds);
  };
  {
    const StreamFinder finder(options, names, jobs);
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers; ++i) {
      threads.emplace_back([&, i] { guard([&] { read_by_device(i / kThreadsOfDevice); }); });
    }
    const JobsEnd end = workers > 0 ? JobsEnd::kLast : JobsEnd::kFirst;
    const auto read = [&] { guard([&] { read_on_thread(jobs, options.run, end); }); };
    for (int i = 1; i < options.threads; ++i) threads.emplace_back(read);
    if (options.threads > 0) read();
  }
  report.totals = jobs.end();
  return report;
}

}  // namespace millrace::tools
