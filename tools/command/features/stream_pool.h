// SPDX-License-Identifier: Apache-2.0

// Reads many streams side by side, each by one thread.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_POOL_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_POOL_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/command/features/output/feature_output.h>
#include <millrace/tools/command/features/stream_names.h>
#include <millrace/tools/command/features/stream_run.h>
#include <millrace/tools/video/h264/h264_input.h>

namespace millrace::tools {

struct StreamPoolOptions {
  int threads = 1;
  H264InputOptions input = {};
  StreamRunOptions run = {};
  std::string takes_one_because = {};  // A second stream is an error, for this reason; "": none is.
};

struct StreamTotals {
  std::int64_t streams = 0;  // That ended well.
  std::int64_t failed = 0;
  std::int64_t passed_over = 0;  // Files of folders that are no video.
  std::int64_t done_before = 0;
  std::int64_t frames = 0;
  std::int64_t faults = 0;  // StreamEnd::faults
  std::int64_t macroblocks = 0;
  std::int64_t bytes = 0;
};

// A stream is open only while a thread reads it, so that memory does not grow with their number.
// The streams of a capture are found when its turn comes, and then read like files.
class StreamPool {
 public:
  // `output` must outlive this object.
  StreamPool(const StreamPoolOptions& options, FeatureOutput& output);

  // Reads all streams, or until a signal comes. A stream that fails does not end the run. Throws
  // what the output throws, once the threads have ended.
  StreamTotals run(const std::vector<StreamName>& names);

 private:
  struct Job {
    StreamName name;
    std::shared_ptr<const CaptureFile> capture;  // Null: the file is still to be opened.
    std::size_t index = 0;                       // Of the capture's stream.

    std::string stream() const;
  };
  class CountingOutput;

  void serve();
  bool take(Job& job);
  void finish_job();
  void run_job(const Job& job);
  void add_capture(const Job& job, const std::shared_ptr<const CaptureFile>& capture);
  void run_source(const std::string& stream, NalUnitSource& source);
  void fail(const std::string& stream, const std::string& error);

  StreamPoolOptions options_;
  FeatureOutput& output_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  int working_ = 0;
  std::int64_t begun_ = 0;  // Streams.
  std::exception_ptr error_;
  StreamTotals totals_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_POOL_H_
