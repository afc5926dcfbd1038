// SPDX-License-Identifier: Apache-2.0

// Measures the decoded frames of one stream, beside a reference clip if there is one.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_DECODED_MEASUREMENT_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_DECODED_MEASUREMENT_H_

#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/tools/command/features/output/decoded_features.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/video_reader.h>

#include <cstdint>
#include <memory>
#include <string>

namespace millrace::tools {

// Used by one thread. A reference that cannot be read, is of another size or ends too early is a
// problem; frames from there on have no differences.
class DecodedMeasurement {
 public:
  // `reference` is a clip as VideoReader takes it; "" for none. It is opened with the first frame.
  explicit DecodedMeasurement(std::string reference) : reference_(std::move(reference)) {}

  // Takes the next frame in output order, which is compared with the reference's next one.
  DecodedFeatures measure(const h264::DecodedFrame& frame);

  // Returns why frames were not compared with the reference; "" if all were.
  const std::string& problem() const { return problem_; }

  // Returns what else is to be said of the reference; `has_ended` if the stream has no more frames.
  std::string notes(bool has_ended);

 private:
  void compare(const h264::DecodedFrame& frame, DecodedFeatures& features);
  void compare_with_next(const h264::DecodedFrame& frame, DecodedFeatures& features);
  void keep_luma(const ConstPicturePlane& luma);

  const std::string reference_;
  std::unique_ptr<VideoReader> reader_;
  std::string problem_;
  std::int64_t frames_ = 0;
  Picture expected_;
  Picture before_;  // The luma of the frame before; without samples before the first.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_DECODED_MEASUREMENT_H_
