// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/stream_pool.h>

#include <algorithm>
#include <iostream>
#include <thread>
#include <utility>

#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt.h>

namespace millrace::tools {
namespace {

// One line, whatever names contain.
void note(const std::string& sentence) {
  std::cerr << "millrace: " + std::string(Error(ErrorCode::kInternal, sentence).what()) + "\n";
}

std::string without_name(const std::string& error, const std::string& stream) {
  return error.starts_with(stream + ": ") ? error.substr(stream.size() + 2) : error;
}

}  // namespace

// Passes a stream on, and sums up what it has.
class StreamPool::CountingOutput final : public StreamOutput {
 public:
  explicit CountingOutput(StreamOutput& output) : output_(output) {}

  void add(const FeatureRow& row) override {
    macroblocks += row.features.macroblocks;
    bytes += row.features.bytes;
    output_.add(row);
  }
  void add_fault(const h264::StreamFault& fault) override { output_.add_fault(fault); }
  void end(const StreamEnd& end) override { output_.end(end); }

  std::int64_t macroblocks = 0;
  std::int64_t bytes = 0;

 private:
  StreamOutput& output_;
};

std::string StreamPool::Job::stream() const {
  return capture == nullptr ? name.path : name.path + "#" + capture->found().streams[index].name();
}

StreamPool::StreamPool(const StreamPoolOptions& options, FeatureOutput& output)
    : options_(options), output_(output) {}

StreamTotals StreamPool::run(const std::vector<StreamName>& names) {
  for (const StreamName& name : names) jobs_.push_back({.name = name, .capture = nullptr});
  progress_ = std::make_unique<Progress>(static_cast<std::int64_t>(names.size()));
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < options_.threads; ++i) threads.emplace_back([this] { serve(); });
    serve();
  }
  progress_.reset();
  if (error_) std::rethrow_exception(error_);
  return totals_;
}

void StreamPool::serve() {
  Job job;
  while (take(job)) {
    try {
      run_job(job);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
    job = {};  // A capture is closed with its last job.
    finish_job();
  }
}

bool StreamPool::take(Job& job) {
  std::unique_lock lock(mutex_);
  // A thread that works may add the streams of a capture.
  changed_.wait(lock, [this] { return !jobs_.empty() || working_ == 0 || error_; });
  if (jobs_.empty() || error_ || interrupting_signal() != 0) return false;
  job = std::move(jobs_.front());
  jobs_.pop_front();
  ++working_;
  return true;
}

void StreamPool::finish_job() {
  const std::lock_guard lock(mutex_);
  --working_;
  progress_->advance();
  changed_.notify_all();
}

void StreamPool::run_job(const Job& job) {
  const std::string stream = job.stream();
  if (output_.is_done(stream)) {
    const std::lock_guard lock(mutex_);
    ++totals_.done_before;
    return;
  }
  if (job.capture != nullptr) {
    return run_source(stream, *open_capture_stream(job.capture, job.index));
  }
  H264Input input;
  try {
    input = open_h264(job.name.path, options_.input);
  } catch (const NoVideo& error) {
    if (!job.name.is_of_folder) return fail(stream, error.what());
    const std::lock_guard lock(mutex_);
    ++totals_.passed_over;
    return;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCancelled) return;
    return fail(stream, error.what());
  }
  if (input.capture != nullptr) return add_capture(job, input.capture);
  run_source(stream, *input.source);
}

void StreamPool::add_capture(const Job& job, const std::shared_ptr<const CaptureFile>& capture) {
  const std::string notes = capture->found().notes();
  if (!notes.empty()) note(job.name.path + ": " + notes);
  const std::lock_guard lock(mutex_);
  for (std::size_t i = capture->found().streams.size(); i-- > 0;) {
    jobs_.push_front({.name = job.name, .capture = capture, .index = i});
  }
}

void StreamPool::run_source(const std::string& stream, NalUnitSource& source) {
  {
    const std::lock_guard lock(mutex_);
    if (!options_.takes_one_because.empty() && begun_ > 0) {
      throw Error(
          ErrorCode::kInvalidArgument,
          stream + ": is another stream, and " + options_.takes_one_because + "; name one stream");
    }
    ++begun_;
  }
  std::unique_ptr<StreamOutput> output;
  try {
    output = output_.begin(stream);
  } catch (const Error& error) {
    return fail(stream, error.what());
  }
  CountingOutput counting(*output);
  StreamEnd end = run_stream(source, options_.run, counting);
  end.error = without_name(end.error, stream);
  if (const int signal = interrupting_signal(); signal != 0 && !options_.input.follows) {
    end.error = interruption(signal);
  }
  output->end(end);
  if (!end.error.empty() && !output_.has_errors()) {
    note(stream + ": " + end.error);
  }
  const std::lock_guard lock(mutex_);
  totals_.macroblocks += counting.macroblocks;
  totals_.bytes += counting.bytes;
  totals_.frames += end.frames;
  totals_.faults += end.faults;
  ++(end.error.empty() ? totals_.streams : totals_.failed);
}

void StreamPool::fail(const std::string& stream, const std::string& error) {
  if (output_.has_errors()) {
    output_.begin(stream)->end({.error = without_name(error, stream), .notes = ""});
  } else {
    note(stream + ": " + without_name(error, stream));
  }
  const std::lock_guard lock(mutex_);
  ++totals_.failed;
}

}  // namespace millrace::tools
