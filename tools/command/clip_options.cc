#include <millrace/tools/command/clip_options.h>

#include <CLI/CLI.hpp>

#include <charconv>
#include <iostream>
#include <system_error>

#include <millrace/runtime/error.h>
#include <millrace/tools/video/picture.h>

namespace millrace::tools {
namespace {

VideoReaderOptions parse_raw_size(const std::string& text) {
  const auto parse = [](const std::string& digits) {
    int value = 0;
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    return rest == end && error == std::errc() && value <= Picture::kMaxSize ? value : 0;
  };
  const std::size_t cross = text.find('x');
  const VideoReaderOptions options = {
      .width = parse(text.substr(0, cross)),
      .height = cross == text.npos ? 0 : parse(text.substr(cross + 1))};
  if (options.width < 1 || options.height < 1) {
    throw Error(ErrorCode::kInvalidArgument, "--size is '" + text +
                                                 "'; it is WIDTHxHEIGHT, each in 1.." +
                                                 std::to_string(Picture::kMaxSize));
  }
  return options;
}

}  // namespace

void add_clip_options(CLI::App& command, ClipOptions& options) {
  command.add_option("CLIP", options.path, "Any video file FFmpeg reads; y4m or raw 4:2:0 too")
      ->type_name("")
      ->required();
  command
      .add_option_function<std::string>(
          "--size",
          [&options](const std::string& size) { options.raw_size = parse_raw_size(size); },
          "Read CLIP as raw 8-bit 4:2:0 of this size (default for .yuv: the size in its name)")
      ->type_name("WIDTHxHEIGHT");
}

VideoReader open_clip(const ClipOptions& options, std::int64_t frames) {
  VideoReader reader(options.path, options.raw_size);
  if (frames == 0 && !reader.truncated().empty()) {
    throw Error(ErrorCode::kIo, options.path + ": " + reader.truncated());
  }
  return reader;
}

std::int64_t expected_frames(const VideoReader& reader, std::int64_t frames) {
  const std::int64_t expected = reader.expected_frames();
  return frames > 0 && (expected == 0 || frames < expected) ? frames : expected;
}

std::string frames_text(std::int64_t frames) {
  return std::to_string(frames) + (frames == 1 ? " frame" : " frames");
}

void note(const std::string& sentence) {
  if (!sentence.empty()) std::cerr << "millrace: " << sentence << '\n';
}

}  // namespace millrace::tools
