// SPDX-License-Identifier: Apache-2.0

// Frames of y4m and raw video, which the file has uncompressed.
#ifndef MILLRACE_TOOLS_VIDEO_RAW_UNCOMPRESSED_SOURCE_H_
#define MILLRACE_TOOLS_VIDEO_RAW_UNCOMPRESSED_SOURCE_H_

#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/decoder/frame_source.h>
#include <millrace/tools/video/raw/raw_format.h>
#include <millrace/tools/video/raw/raw_size.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

class UncompressedSource : public FrameSource {
 public:
  // Reads y4m, which `input` begins with. FFmpeg's own reader rejects headers of more than 96 bytes
  // and mixed fields.
  static std::unique_ptr<UncompressedSource> y4m(std::unique_ptr<ClipInput> input);

  // Reads raw video. Throws if the file is shorter than a picture.
  static std::unique_ptr<UncompressedSource> raw(std::unique_ptr<ClipInput> input,
                                                 const RawSize& size, const RawFormat& format);

  const AVFrame* next() override;
  std::int64_t frame_number() const override { return frames_ - 1; }
  FrameRate frame_rate() const override { return rate_; }
  std::int64_t expected_frames() const override { return expected_frames_; }
  std::string codec_name() const override { return "rawvideo"; }
  std::string truncated() const override { return truncated_; }
  SampleAspect aspect() const override { return aspect_; }
  FieldOrder field_order() const override { return field_order_; }

 private:
  explicit UncompressedSource(std::unique_ptr<ClipInput> input);

  void set_format(const RawSize& size, const RawFormat& format);
  std::string read_line();
  bool read_frame_header();
  [[noreturn]] void fail(const std::string& sentence) const;
  [[noreturn]] void fail_truncated(std::size_t missing) const;

  std::unique_ptr<ClipInput> input_;
  bool has_frame_headers_ = false;
  FrameRate rate_;
  SampleAspect aspect_;
  FieldOrder field_order_ = FieldOrder::kUnknown;
  std::int64_t expected_frames_ = 0;
  std::int64_t frames_ = 0;
  std::string truncated_;
  std::size_t frame_bytes_ = 0;
  std::vector<std::uint8_t> samples_;
  LibavPointer<AVFrame> frame_;  // Its planes are in samples_.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_RAW_UNCOMPRESSED_SOURCE_H_
