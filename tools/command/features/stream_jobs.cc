// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/output/stream_note.h>
#include <millrace/tools/command/features/stream_jobs.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <utility>

namespace millrace::tools {
namespace {

std::string without_name(const std::string& error, const std::string& stream) {
  return error.starts_with(stream + ": ") ? error.substr(stream.size() + 2) : error;
}

}  // namespace

// Passes a stream on, and sums up what it has.
class OpenStream::CountingOutput final : public StreamOutput {
 public:
  explicit CountingOutput(StreamOutput& output) : output_(output) {}

  void add(const FeatureRow& row) override {
    macroblocks += row.features.macroblocks;
    bytes += row.features.bytes;
    output_.add(row);
  }
  void add_fault(const h264::StreamFault& fault) override { output_.add_fault(fault); }
  std::string add_frame(const h264::DecodedFrame& frame) override {
    return output_.add_frame(frame);
  }
  void end(const StreamEnd& end) override { output_.end(end); }

  std::int64_t macroblocks = 0;
  std::int64_t bytes = 0;

 private:
  StreamOutput& output_;
};

OpenStream::OpenStream(std::string name, std::unique_ptr<h264::NalUnitSource> source,
                       std::unique_ptr<StreamOutput> output)
    : name_(std::move(name)),
      source_(std::move(source)),
      output_(std::move(output)),
      counting_(std::make_unique<CountingOutput>(*output_)) {}

OpenStream::~OpenStream() = default;

StreamOutput& OpenStream::output() { return *counting_; }

std::int64_t OpenStream::bytes() const { return counting_->bytes; }

std::string StreamJobs::Job::stream() const {
  return capture == nullptr ? name.path : name.path + "#" + capture->found().streams[index].name();
}

StreamJobs::StreamJobs(const StreamJobsOptions& options, FeatureOutput& output,
                       const std::vector<StreamName>& names)
    : options_(options),
      output_(output),
      progress_(std::make_unique<Progress>(static_cast<std::int64_t>(names.size()))) {
  add(names);
}

void StreamJobs::add(const std::vector<StreamName>& names) {
  const std::lock_guard lock(mutex_);
  for (const StreamName& name : names) jobs_.push_back({.name = name, .capture = nullptr});
  changed_.notify_all();
}

bool StreamJobs::may_grow() {
  const std::lock_guard lock(mutex_);
  return options_.may_grow && !has_stopped();
}

std::size_t StreamJobs::portion(std::size_t threads) {
  const std::lock_guard lock(mutex_);
  return (jobs_.size() + open_ + threads - 1) / threads;
}

std::unique_ptr<OpenStream> StreamJobs::next(JobsEnd end) {
  for (;;) {
    Job job;
    if (!take(end, job)) return nullptr;
    std::unique_ptr<OpenStream> stream;
    try {
      stream = open(job);
    } catch (...) {
      end_opening();
      throw;
    }
    end_opening();
    const std::lock_guard lock(mutex_);
    if (stream != nullptr) {
      ++open_;
      return stream;
    }
    progress_->advance();
  }
}

bool StreamJobs::take(JobsEnd end, Job& job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !jobs_.empty() || opening_ == 0 || error_; });
  if (jobs_.empty() || has_stopped()) return false;
  if (end == JobsEnd::kFirst) {
    job = std::move(jobs_.front());
    jobs_.pop_front();
  } else {
    job = std::move(jobs_.back());
    jobs_.pop_back();
  }
  ++opening_;
  return true;
}

bool StreamJobs::has_stopped() const {
  return error_ || interrupting_signal() != 0 || options_.stop.stop_requested();
}

void StreamJobs::end_opening() {
  const std::lock_guard lock(mutex_);
  --opening_;
  changed_.notify_all();
}

std::unique_ptr<OpenStream> StreamJobs::open(const Job& job) {
  const std::string stream = job.stream();
  if (output_.is_done(stream)) {
    const std::lock_guard lock(mutex_);
    ++totals_.done_before;
    return nullptr;
  }
  if (job.capture != nullptr) {
    return begin(stream, open_capture_stream(job.capture, job.index));
  }
  H264Input input;
  try {
    input = open_h264(job.name.path, options_.input);
  } catch (const NoVideo& error) {
    if (!job.name.is_of_folder) {
      fail_stream(stream, error.what());
      return nullptr;
    }
    const std::lock_guard lock(mutex_);
    ++totals_.passed_over;
    return nullptr;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) fail_stream(stream, error.what());
    return nullptr;
  }
  if (input.capture != nullptr) {
    add_capture(job, input.capture);
    return nullptr;
  }
  return begin(stream, std::move(input.source));
}

void StreamJobs::add_capture(const Job& job, const std::shared_ptr<const CaptureFile>& capture) {
  const std::string notes = capture->found().notes();
  if (!notes.empty()) print_stream_note(job.name.path + ": " + notes);
  const std::lock_guard lock(mutex_);
  for (std::size_t i = capture->found().streams.size(); i-- > 0;) {
    jobs_.push_front({.name = job.name, .capture = capture, .index = i});
  }
}

std::unique_ptr<OpenStream> StreamJobs::begin(const std::string& stream,
                                              std::unique_ptr<h264::NalUnitSource> source) {
  {
    const std::lock_guard lock(mutex_);
    if (!options_.takes_one_because.empty() && begun_ > 0) {
      reject(stream + ": is another stream, and " + options_.takes_one_because +
             "; name one stream");
    }
    ++begun_;
  }
  try {
    return std::make_unique<OpenStream>(stream, std::move(source), output_.begin(stream));
  } catch (const Error& error) {
    fail_stream(stream, error.what());
    return nullptr;
  }
}

void StreamJobs::finish(OpenStream& stream, StreamEnd end) {
  end.error = without_name(end.error, stream.name());
  if (const int signal = interrupting_signal();
      signal != 0 && options_.input.following == Following::kNone) {
    end.error = interruption(signal);
  }
  stream.output().end(end);
  if (!end.error.empty() && !output_.has_errors())
    print_stream_note(stream.name() + ": " + end.error);
  const std::lock_guard lock(mutex_);
  --open_;
  totals_.macroblocks += stream.counting_->macroblocks;
  totals_.bytes += stream.counting_->bytes;
  totals_.frames += end.frames;
  totals_.faults += end.faults;
  ++(end.error.empty() ? totals_.streams : totals_.failed);
  progress_->advance();
}

void StreamJobs::fail_stream(const std::string& stream, const std::string& error) {
  if (output_.has_errors()) {
    output_.begin(stream)->end({.error = without_name(error, stream), .notes = ""});
  } else {
    print_stream_note(stream + ": " + without_name(error, stream));
  }
  const std::lock_guard lock(mutex_);
  ++totals_.failed;
}

void StreamJobs::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(error);
  changed_.notify_all();
}

void StreamJobs::add_device(const h264::FeatureStreamsReport& report) {
  const std::lock_guard lock(mutex_);
  totals_.device_macroblocks += report.macroblocks;
  totals_.uploaded_bytes += report.bytes_up;
  totals_.downloaded_bytes += report.bytes_down;
}

StreamTotals StreamJobs::end() {
  progress_.reset();
  if (error_) std::rethrow_exception(error_);
  return totals_;
}

}  // namespace millrace::tools
