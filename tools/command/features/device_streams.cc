// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/device_streams.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/tools/command/features/frame_sink.h>
#include <millrace/tools/files/interrupt.h>
#include <millrace/tools/video/h264/parser_feed.h>

namespace millrace::tools {
namespace {

// Open files are a system's scarce good, and so is the memory of what they have read.
constexpr std::size_t kMostOpen = 256;
// Read of a stream before each run; less where its pictures are copied to the host, which take a
// hundred times as much.
constexpr std::size_t kPieceBytes = std::size_t{128} << 10;
constexpr std::size_t kDecodedPieceBytes = std::size_t{16} << 10;

// A stream that is read piece by piece.
class DeviceStream {
 public:
  DeviceStream(std::unique_ptr<OpenStream> open, const StreamRunOptions& options,
               h264::FeatureStreams& streams)
      : open_(std::move(open)),
        piece_size_(options.decodes ? kDecodedPieceBytes : kPieceBytes),
        sink_(options, open_->output()),
        stream_(streams.open(sink_)),
        feed_(*this) {}

  // Reads the next piece, or to the end.
  void read() {
    piece_bytes_ = 0;
    try {
      while (piece_bytes_ < piece_size_ && !has_ended_) {
        has_ended_ =
            sink_.is_complete() || interrupting_signal() != 0 || !open_->source().read(feed_);
      }
    } catch (const Error& error) {
      problem_ = error.what();
      has_ended_ = true;
    }
    if (has_ended_) stream_->finish();
  }

  bool has_ended() const { return has_ended_; }
  void finish(StreamJobs& jobs) { jobs.finish(*open_, sink_.take_end(open_->source(), problem_)); }

  // The members that ParserFeed calls.
  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) {
    piece_bytes_ += unit.size();
    stream_->push_nal_unit(unit, byte, framing_bytes);
  }
  void note_loss() { stream_->note_loss(); }

 private:
  std::unique_ptr<OpenStream> open_;
  const std::size_t piece_size_;
  FrameSink sink_;
  std::unique_ptr<h264::FeatureStream> stream_;
  ParserFeed<DeviceStream> feed_;
  std::size_t piece_bytes_ = 0;
  std::string problem_;
  bool has_ended_ = false;
};

void read_all(Device& device, StreamJobs& jobs, const StreamRunOptions& options) {
  const std::shared_ptr<Queue> queue = device.make_queue();
  const auto samples = options.decodes ? h264::StreamSamples::kGiven : h264::StreamSamples::kNone;
  h264::FeatureStreams streams(*queue, {.samples = samples});
  std::vector<std::unique_ptr<DeviceStream>> open;
  for (;;) {
    while (open.size() < kMostOpen) {
      std::unique_ptr<OpenStream> next = jobs.next();
      if (next == nullptr) break;
      open.push_back(std::make_unique<DeviceStream>(std::move(next), options, streams));
    }
    if (open.empty()) return;
    HostThreads::shared().for_each(open.size(), [&open](std::size_t k) { open[k]->read(); });
    streams.run();
    for (const auto& stream : open) {
      if (stream->has_ended()) stream->finish(jobs);
    }
    std::erase_if(open, [](const auto& stream) { return stream->has_ended(); });
  }
}

}  // namespace

void read_on_device(Device& device, StreamJobs& jobs, const StreamRunOptions& options) {
  try {
    read_all(device, jobs, options);
  } catch (const OutputFailed& failed) {
    std::rethrow_exception(failed.error);
  }
}

}  // namespace millrace::tools
