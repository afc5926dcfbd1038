// SPDX-License-Identifier: Apache-2.0

// Opens a clip with FFmpeg and decodes its frames as they are.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_CLIP_DECODER_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_CLIP_DECODER_H_

#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/decoder/doubt_watch.h>
#include <millrace/tools/video/decoder/frame_intervals.h>
#include <millrace/tools/video/decoder/frame_source.h>
#include <millrace/tools/video/decoder/loss_watch.h>
#include <millrace/tools/video/picture/frame_clock.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace millrace::tools {

// With one thread it finds all damage and every loss, at its frame. With more, which decode several
// frames at a time, it gives the same frames up to one that may be neither damaged nor near a loss,
// and then is in doubt.
class ClipDecoder : public FrameSource {
 public:
  // Reads a file by its name, which is neither a protocol nor a pattern, or a pipe from `input`.
  explicit ClipDecoder(std::unique_ptr<ClipInput> input, int threads = 1);

  // Reads the pictures whose names the pattern stands for: numbers for %d or %03d, else as a shell
  // does.
  static std::unique_ptr<ClipDecoder> of_pattern(const std::string& pattern, int threads = 1);

  const AVFrame* next() override;
  bool is_in_doubt() const override { return doubt_ && doubt_->is_raised(); }
  std::int64_t frame_number() const override { return frames_ - 1; }
  FrameRate frame_rate() const override;
  std::int64_t expected_frames() const override;
  std::string codec_name() const override;
  std::string truncated() const override {
    return truncated_.empty() ? "" : "truncated" + truncated_;
  }
  SampleAspect aspect() const override { return aspect_; }
  FieldOrder field_order() const override { return field_order_; }
  DisplayMatrix display_matrix() const override { return matrix_; }
  std::optional<TimeBase> time_base() const override;
  PictureTime frame_time() const override { return clock_ ? clock_->time() : PictureTime{}; }
  ClipLosses losses() const override;
  std::int64_t empty_samples() const override { return empty_samples_; }
  std::string irregular() const override;

 private:
  ClipDecoder(const std::string& path, int threads);

  void open(const AVInputFormat* format, const std::string& url, AVDictionary* options);
  void open_stream();
  void open_codec();
  int open_codec(const AVCodec& codec, int threads);
  void read_shape(const AVFrame& frame);
  // Adds the frame's time. The first frame says whether there are any.
  void add_time(const AVFrame& frame);
  // Returns the tick from which times count: that of the earliest stream of the container.
  std::int64_t first_tick(std::int64_t first_frame) const;
  [[noreturn]] void fail_to_open(int code) const;

  // Reason why the clip does not continue, and the rest of its sentence, after the frame's number.
  struct Problem {
    std::string what;  // Empty at a good end.
    std::string detail;
  };

  // Sends one packet to the codec, or the end of the packets.
  void feed();
  void send();

  // Receives the next frame from the codec; returns FFmpeg's code.
  int receive();

  // Returns true if threads cannot have missed anything up to what receive() has returned.
  bool is_sound(int received) const;

  // Drains the codec; `problem` is thrown after its last frame.
  void end_of_packets(Problem problem);

  // Reads a pipe to its end, and compares its length with that of its container.
  void measure_pipe();

  Problem problem_of(int code) const;
  Problem problem_at_end() const;
  const AVFrame* end() const;
  [[noreturn]] void fail_here(const Problem& problem) const;
  [[noreturn]] void fail(const std::string& sentence) const;

  const std::string path_;
  const int threads_;
  std::unique_ptr<ClipInput> input_;
  LibavPointer<AVIOContext> pipe_;  // Reads a pipe; it outlives container_.
  LibavPointer<AVFormatContext> container_;
  AVStream* stream_ = nullptr;       // A stream of container_.
  std::optional<DoubtWatch> doubt_;  // There is one while frames are decoded side by side.
  LibavPointer<AVCodecContext> codec_;
  LibavPointer<AVPacket> packet_;
  LibavPointer<AVFrame> frame_;
  std::optional<LossWatch> watch_;
  std::int64_t packets_ = 0;
  std::int64_t frames_ = 0;
  std::int64_t empty_samples_ = 0;
  std::optional<FrameClock> clock_;  // None: frames have no times.
  FrameIntervals intervals_;
  bool has_times_ = true;
  SampleAspect aspect_;
  FieldOrder field_order_ = FieldOrder::kUnknown;
  DisplayMatrix matrix_;
  std::string truncated_;  // Empty, or such as ": 12 bytes are missing".
  Problem problem_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_CLIP_DECODER_H_
