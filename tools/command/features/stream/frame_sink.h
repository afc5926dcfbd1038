// SPDX-License-Identifier: Apache-2.0

// Receives the pictures and faults of one stream, and adds its frames to the output.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_FRAME_SINK_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_FRAME_SINK_H_

#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/tools/command/features/output/feature_output.h>
#include <millrace/tools/command/features/stream/decoded_measurement.h>
#include <millrace/tools/command/features/stream/run_stream.h>

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace millrace::tools {

// An error of the run, such as a full disk, which is not one of the stream that is read.
struct OutputFailed {
  std::exception_ptr error;
};

// Adds frames to the output in decoding order; where decoded pictures are measured, once they are
// output. A parser gives it pictures, which it measures, or a device their features. Its functions
// throw OutputFailed.
class FrameSink final : public h264::PictureSink, public h264::FeatureSink {
 public:
  // Both must outlive the sink.
  FrameSink(const StreamRunOptions& options, StreamOutput& output);

  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override;
  void add(const h264::FrameFeatures& features) override;
  // Takes the next frame in output order.
  void frame(const h264::DecodedFrame& frame) override;
  void release(std::int64_t picture) override;
  void fault(const h264::StreamFault& fault) override;

  // Returns true if nothing more has to be read.
  bool is_complete() const { return !frame_problem_.empty() || (has_all() && pending_.empty()); }
  // Sets what the stream's end says of missing pictures.
  void set_missing(const h264::MissingPictures& missing);
  // Returns the stream's end. A stream without a frame has failed, for the reason of its first
  // fault. `problem`: why its source could not be read on; or "".
  StreamEnd take_end(const h264::NalUnitSource& source, const std::string& problem);

 private:
  struct PendingFrame {
    std::int64_t picture = 0;  // ParsedPicture::id
    FeatureRow row;
    bool is_measured = false;
  };

  bool has_all() const {
    const std::int64_t frames = options_.gives_frames ? given_frames_ : end_.frames;
    return options_.frames > 0 && frames >= options_.frames;
  }
  void give(const h264::DecodedFrame& frame);
  PendingFrame* find(std::int64_t picture);
  void write_measured();
  static void guard(const std::function<void()>& write);

  const StreamRunOptions& options_;
  StreamOutput& output_;
  h264::FrameFeatureExtractor extractor_;
  std::optional<DecodedMeasurement> measurement_;
  // Sorted in decoding order; some wait for their decoded picture.
  std::deque<PendingFrame> pending_;
  StreamEnd end_;
  std::int64_t given_frames_ = 0;  // Frames that the output has taken.
  std::string frame_problem_;      // Reason why it takes no more; or "".
  std::string first_fault_;
  std::string unsupported_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_FRAME_SINK_H_
