// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/features/choice/device_choice.h>
#include <millrace/tools/command/features/device_streams.h>
#include <millrace/tools/command/features/stream/frame_sink.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/h264/parser_feed.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

// Time between two polls of streams that all had no more.
constexpr std::chrono::milliseconds kPoll(5);
// Bytes that are read of a stream before each run if its pictures are copied to the host, which
// take a hundred times as many; else kPieceBytes.
constexpr std::size_t kDecodedPieceBytes = std::size_t{16} << 10;

// A stream that is read piece by piece.
class DeviceStream {
 public:
  DeviceStream(std::unique_ptr<OpenStream> open, const StreamRunOptions& options,
               h264::FeatureStreams& streams)
      : open_(std::move(open)),
        options_(options),
        piece_size_(options.decodes ? kDecodedPieceBytes : kPieceBytes),
        sink_(options, open_->output()),
        stream_(streams.open(sink_)),
        feed_(*this) {}

  // Reads the next piece, or to the end, or what is there of a stream that is followed.
  void read() {
    piece_bytes_ = 0;
    try {
      for (bool has_more = true; has_more && piece_bytes_ < piece_size_ && !has_ended_;) {
        const std::size_t before = piece_bytes_;
        // At a signal a source that polls passes on what it still has.
        const bool is_interrupted = interrupting_signal() != 0 && !options_.is_followed;
        has_ended_ = sink_.is_complete() || is_interrupted || !open_->source().read(feed_);
        has_more = !options_.is_followed || piece_bytes_ > before;
      }
    } catch (const Error& error) {
      problem_ = error.what();
      has_ended_ = true;
    }
    if (has_ended_) stream_->finish();
  }

  bool has_ended() const { return has_ended_; }
  std::int64_t bytes() const { return open_->bytes(); }
  // Returns true if the last read() gave something.
  bool has_read() const { return piece_bytes_ > 0 || has_ended_; }
  void finish(StreamJobs& jobs) {
    sink_.set_missing(stream_->missing());
    jobs.finish(*open_, sink_.take_end(open_->source(), problem_));
  }

  // The members that ParserFeed calls.
  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) {
    piece_bytes_ += unit.size();
    stream_->push_nal_unit(unit, byte, framing_bytes);
  }
  void note_loss() { stream_->note_loss(); }

 private:
  std::unique_ptr<OpenStream> open_;
  const StreamRunOptions& options_;
  const std::size_t piece_size_;
  FrameSink sink_;
  std::unique_ptr<h264::FeatureStream> stream_;
  ParserFeed<DeviceStream> feed_;
  std::size_t piece_bytes_ = 0;
  std::string problem_;
  bool has_ended_ = false;
};

std::int64_t read_all(Device& device, StreamJobs& jobs, const StreamRunOptions& options,
                      const std::function<std::size_t()>& most_open) {
  const std::shared_ptr<Queue> queue = device.make_queue(options.queue);
  const auto samples = options.decodes ? h264::StreamSamples::kGiven : h264::StreamSamples::kNone;
  h264::FeatureStreams streams(*queue, {.samples = samples});
  std::vector<std::unique_ptr<DeviceStream>> open;
  h264::FeatureStreamsReport report;
  std::int64_t bytes = 0;
  for (;;) {
    while (open.size() < most_open()) {
      std::unique_ptr<OpenStream> next = jobs.next();
      if (next == nullptr) break;
      open.push_back(std::make_unique<DeviceStream>(std::move(next), options, streams));
    }
    if (open.empty()) {
      if (!jobs.may_grow()) break;
      std::this_thread::sleep_for(kPoll);
      continue;
    }
    {
      const TimelineScope scope("host read", "pieces of streams");
      HostThreads::shared().for_each(open.size(), [&open](std::size_t k) { open[k]->read(); });
    }
    if (std::ranges::none_of(open, [](const auto& stream) { return stream->has_read(); })) {
      std::this_thread::sleep_for(kPoll);
      continue;
    }
    report += streams.run();
    for (const auto& stream : open) {
      if (!stream->has_ended()) continue;
      stream->finish(jobs);
      bytes += stream->bytes();
    }
    std::erase_if(open, [](const auto& stream) { return stream->has_ended(); });
  }
  jobs.add_device(report);
  return bytes;
}

}  // namespace

std::int64_t read_on_device(Device& device, StreamJobs& jobs, const StreamRunOptions& options,
                            const std::function<std::size_t()>& most_open) {
  try {
    return read_all(device, jobs, options, most_open);
  } catch (const OutputFailed& failed) {
    std::rethrow_exception(failed.error);
  }
}

}  // namespace millrace::tools
