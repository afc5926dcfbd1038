// Opens a clip with FFmpeg and decodes its frames as they are.
#ifndef MILLRACE_TOOLS_VIDEO_CLIP_DECODER_H_
#define MILLRACE_TOOLS_VIDEO_CLIP_DECODER_H_

#include <cstdint>
#include <optional>
#include <string>

#include <millrace/tools/video/frame_rate.h>
#include <millrace/tools/video/libav.h>
#include <millrace/tools/video/raw_size.h>

namespace millrace::tools {

// Throws Error(kIo) for everything that keeps a clip from being whole; each sentence starts with
// the path. Used by one thread at a time.
class ClipDecoder {
 public:
  // Raw video when `raw_size` is given.
  ClipDecoder(const std::string& path, const std::optional<RawSize>& raw_size);

  // The next frame in display order, valid until the next call; null at the end of the clip.
  const AVFrame* next();

  // Of the frame that next() gave last; the first is 0.
  std::int64_t frame_number() const { return frames_ - 1; }

  FrameRate frame_rate() const;
  std::int64_t expected_frames() const;
  std::string codec_name() const;

  // "", or what is known to be missing from the end of the file.
  std::string truncated() const { return truncated_.empty() ? "" : "truncated" + truncated_; }

 private:
  void check_file() const;
  void open_container(const std::optional<RawSize>& raw_size);
  void open_stream();
  void open_codec();
  void measure(const std::optional<RawSize>& raw_size);

  // What keeps the clip from going on, and the rest of its sentence, after the frame's number.
  struct Problem {
    std::string what;  // Empty at a good end.
    std::string detail;
  };

  // Gives the codec one packet, or the news that there are no more.
  void feed();

  // Lets the codec give out what it holds; `problem` is thrown after that.
  void end_of_packets(Problem problem);

  Problem problem_of(int code) const;
  Problem problem_at_end() const;
  [[noreturn]] void fail_here(const Problem& problem) const;
  [[noreturn]] void fail(const std::string& sentence) const;

  std::string path_;
  LibavPointer<AVFormatContext> container_;
  AVStream* stream_ = nullptr;  // Of container_.
  LibavPointer<AVCodecContext> codec_;
  LibavPointer<AVPacket> packet_;
  LibavPointer<AVFrame> frame_;
  std::int64_t packets_ = 0;
  std::int64_t frames_ = 0;
  std::int64_t known_frames_ = 0;
  std::string truncated_;  // Such as ": 12 bytes are missing".
  Problem problem_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_CLIP_DECODER_H_
