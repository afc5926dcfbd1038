// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/raw/raw_format.h>
#include <millrace/tools/video/raw/raw_size.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <string_view>
#include <system_error>

namespace millrace::tools {
namespace {

RawSize parse_raw_size(const std::string& text) {
  const auto parse = [](const std::string& digits) {
    int value = 0;
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    return rest == end && error == std::errc() && value <= Picture::kMaxSize ? value : 0;
  };
  const std::size_t cross = text.find('x');
  const RawSize size = {.width = parse(text.substr(0, cross)),
                        .height = cross == text.npos ? 0 : parse(text.substr(cross + 1))};
  if (size.width < 1 || size.height < 1) {
    reject("--size is '" + text + "'; write WIDTHxHEIGHT, such as 640x480, each from 1 to " +
           std::to_string(Picture::kMaxSize));
  }
  return size;
}

std::string parse_pixel_format(const std::string& text) {
  const auto format = raw_format_of(text);
  if (!format) {
    reject("--pixel-format is '" + text +
           "', which is no raw format that can be read; give FFmpeg's name of one, such as "
           "yuv420p, yuv422p10le, nv12 or gray");
  }
  return text;
}

// Adds all but CLIP.
void add_reading_options(Command& command, ClipOptions& options) {
  command.add_option({.names = "--size",
                      .value_name = "WIDTHxHEIGHT",
                      .help = "Read CLIP as raw video of this size (default for .yuv: the size in "
                              "the file's name)",
                      .store = [&options](const std::string& text) {
                        const RawSize size = parse_raw_size(text);
                        options.reading.width = size.width;
                        options.reading.height = size.height;
                      }});
  command.add_option(
      {.names = "--pixel-format",
       .value_name = "NAME",
       .help = "Read CLIP as raw video of this sample format, one of FFmpeg's such as yuv422p10le "
               "(default: the format in the file's name, else yuv420p)",
       .store = [&options](const std::string& name) {
         options.reading.pixel_format = parse_pixel_format(name);
       }});
  command.add_flag("--pattern", options.reading.is_pattern,
                   "Read CLIP as a pattern of picture files: shot%03d.png counts them, 'shot*.png' "
                   "takes them in the order of their names");
}

}  // namespace

std::string ClipOptions::name() const {
  if (path == "-") return "stdin";
  if (!reading.is_pattern) return path;
  std::string plain = path;
  std::ranges::replace_if(
      plain,
      [](char letter) { return std::string_view("*?[]").find(letter) != std::string_view::npos; },
      '_');
  return plain;
}

std::vector<std::string> ClipOptions::files() const {
  // The name of a pipe in /dev/fd leads to no file.
  if (path == "-" || is_clip_pipe(path)) return {};
  return {path};
}

void add_clip_options(Command& command, ClipOptions& options) {
  command.add_option({.names = "CLIP",
                      .help = "The video: any file that FFmpeg reads, y4m or raw video; - is "
                              "standard input",
                      .store = into(options.path),
                      .is_required = true,
                      .files = OfferedFiles::kFiles});
  add_reading_options(command, options);
}

void add_clips_options(Command& command, ClipOptions& options, std::vector<std::string>& paths) {
  command.add_option({.names = "CLIP",
                      .help = "The video: any file that FFmpeg reads, y4m or raw video; - is "
                              "standard input; several are encoded side by side",
                      .store = into(paths),
                      .is_required = true,
                      .is_repeatable = true,
                      .files = OfferedFiles::kFiles});
  add_reading_options(command, options);
}

void check_clip_of_ranks(const ClipOptions& options, int ranks) {
  if (ranks == 1 || !is_clip_pipe(options.path)) return;
  reject(options.path + ": is a pipe, which only one of " + std::to_string(ranks) +
         " ranks could read; save it as a file");
}

VideoReader open_clip(const ClipOptions& options, std::int64_t frames) {
  VideoReader reader(options.path, options.reading);
  if (frames == 0 && !reader.truncated().empty()) {
    throw Error(ErrorCode::kIo, options.path + ": " + reader.truncated());
  }
  return reader;
}

void note_clip(const VideoReader& reader) {
  note(reader.converted());
  note(reader.turned());
  note(reader.padded());
}

void note_end_of_clip(const ClipOptions& options, const VideoReader& reader, bool keeps_times) {
  if (!reader.truncated().empty()) note(options.path + ": " + reader.truncated());
  for (const std::string& sentence : reader.irregularities(keeps_times)) {
    note(options.path + ": " + sentence);
  }
}

std::string losses_text(const ClipLosses& losses) {
  if (losses.lost == 0 && losses.concealed == 0) return "";
  return "pictures lost: " + std::to_string(losses.lost) +
         ", concealed: " + std::to_string(losses.concealed);
}

std::int64_t expected_frames(const VideoReader& reader, std::int64_t frames) {
  const std::int64_t expected = reader.expected_frames();
  return frames > 0 && (expected == 0 || frames < expected) ? frames : expected;
}

std::string frames_text(std::int64_t frames) {
  return std::to_string(frames) + (frames == 1 ? " frame" : " frames");
}

void note(const std::string& sentence) {
  if (sentence.empty()) return;
  // The message of an Error is one line, whatever names contain.
  std::cerr << "millrace: " << Error(ErrorCode::kInternal, sentence).what() << '\n';
}

}  // namespace millrace::tools
