// SPDX-License-Identifier: Apache-2.0

// The streams of a run: opens them one after the other, and sums up how they ended.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_JOBS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_JOBS_H_

#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/command/features/output/feature_output.h>
#include <millrace/tools/command/features/output/stream_totals.h>
#include <millrace/tools/command/features/stream_name.h>
#include <millrace/tools/video/h264/h264_input.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::tools {

struct StreamJobsOptions {
  H264InputOptions input = {};
  std::string takes_one_because = {};  // A second stream is an error, for this reason; "": none is.
  std::stop_token stop = {};           // No stream is begun once a stop is requested.
  bool may_grow = false;               // More streams may be added until a signal comes.
};

// A stream that is read, with its end in the output, which counts what passes it.
class OpenStream {
 public:
  OpenStream(std::string name, std::unique_ptr<h264::NalUnitSource> source,
             std::unique_ptr<StreamOutput> output);
  ~OpenStream();

  const std::string& name() const { return name_; }
  // Returns the bytes of the frames that the output has.
  std::int64_t bytes() const;
  h264::NalUnitSource& source() { return *source_; }
  StreamOutput& output();

 private:
  friend class StreamJobs;
  class CountingOutput;

  std::string name_;
  std::unique_ptr<h264::NalUnitSource> source_;
  std::unique_ptr<StreamOutput> output_;
  std::unique_ptr<CountingOutput> counting_;
};

// The end of the list from which a stream is taken.
enum class JobsEnd { kFirst, kLast };

// Streams are opened when their turn comes, so that memory does not grow with their number. Those
// of a capture are found then, too. All members may be called from any thread.
class StreamJobs {
 public:
  // `output` must outlive this object.
  StreamJobs(const StreamJobsOptions& options, FeatureOutput& output,
             const std::vector<StreamName>& names);

  // Returns the next stream that could be opened; null if none is left, a signal came or the run
  // has failed. Streams that fail to open are written and counted. Throws what the output throws.
  std::unique_ptr<OpenStream> next(JobsEnd end = JobsEnd::kFirst);
  // Adds streams behind the others.
  void add(const std::vector<StreamName>& names);
  // Returns true if streams may still be added, though next() may have none for now.
  bool may_grow();
  // Returns the number of streams that each of `threads` has open if all are open at a time.
  std::size_t portion(std::size_t threads);
  // Writes the end of a stream, and counts it. Throws what the output throws.
  void finish(OpenStream& stream, StreamEnd end);
  // Ends the run with this error: next() gives no more streams.
  void fail(std::exception_ptr error);
  // Adds what a device has done to the totals.
  void add_device(const h264::FeatureStreamsReport& report);
  // Called once all streams have ended. Returns their totals. Throws the error of the run.
  StreamTotals end();

 private:
  struct Job {
    StreamName name;
    std::shared_ptr<const CaptureFile> capture;  // Null: the file is still to be opened.
    std::size_t index = 0;                       // The stream's index in the capture.

    std::string stream() const;
  };

  bool take(JobsEnd end, Job& job);
  bool has_stopped() const;  // Requires the lock.
  void end_opening();
  std::unique_ptr<OpenStream> open(const Job& job);
  std::unique_ptr<OpenStream> begin(const std::string& stream,
                                    std::unique_ptr<h264::NalUnitSource> source);
  void add_capture(const Job& job, const std::shared_ptr<const CaptureFile>& capture);
  void fail_stream(const std::string& stream, const std::string& error);

  const StreamJobsOptions options_;
  FeatureOutput& output_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  int opening_ = 0;         // Threads that may add the streams of a capture.
  std::size_t open_ = 0;    // Streams that next() has given and that have not ended.
  std::int64_t begun_ = 0;  // Streams.
  std::exception_ptr error_;
  StreamTotals totals_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_JOBS_H_
