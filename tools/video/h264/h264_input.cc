// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/stream_path.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/file_kind.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/h264/byte_stream_source.h>
#include <millrace/tools/video/h264/container_source.h>
#include <millrace/tools/video/h264/h264_input.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace millrace::tools {
namespace {

// Kinds that FFmpeg would take for a film of one picture, or probe for long.
bool is_no_video(FileKind::Family family) {
  return family != FileKind::Family::kUnknown && family != FileKind::Family::kVideo;
}

h264::StreamPath split(const std::string& path) {
  return h264::split_stream_path(path, [](const std::string& name) {
    std::error_code ignored;
    return is_standard_input(name) || std::filesystem::exists(name, ignored);
  });
}

}  // namespace

H264Input open_h264(const std::string& path, const H264InputOptions& options) {
  const h264::StreamPath name = split(path);
  auto input = std::make_unique<ClipInput>(name.file);
  const StreamKind kind = stream_kind(input->start());
  if (kind != StreamKind::kCapture && !name.stream.empty()) {
    reject(name.file +
           ": is no capture, whose streams alone are "
           "named behind #; write " +
           name.file);
  }
  if (kind == StreamKind::kByteStream) {
    return {.source = std::make_unique<ByteStreamSource>(std::move(input), options.following),
            .capture = nullptr};
  }
  if (options.following != Following::kNone) {
    throw Error(ErrorCode::kIo, path +
                                    ": is no byte stream (ITU-T H.264, Annex B), which alone can "
                                    "be followed; leave out --follow");
  }
  if (kind == StreamKind::kCapture) {
    auto capture = std::make_shared<const CaptureFile>(*input, options.described);
    if (name.stream.empty()) return {.source = nullptr, .capture = std::move(capture)};
    const std::size_t index = h264::find_stream(capture->found().streams, name);
    return {.source = open_capture_stream(std::move(capture), index), .capture = nullptr};
  }
  const std::string_view start = input->start();
  // The last byte decides for kinds of text alone, which need not be distinguished here.
  const FileKind file = kind_of(start, start.back(), start.size());
  if (is_no_video(file.family)) {
    throw NoVideo(ErrorCode::kIo,
                  path + ": is " + std::string(file.name) +
                      ", not an H.264 stream; give a byte stream or a container of one");
  }
  return {.source = open_container(std::move(input)), .capture = nullptr};
}

std::unique_ptr<h264::NalUnitSource> open_one_stream(const std::string& path,
                                                     const H264InputOptions& options) {
  H264Input input = open_h264(path, options);
  if (input.source != nullptr) return std::move(input.source);
  const std::vector<h264::RtpStream>& streams = input.capture->found().streams;
  if (streams.size() != 1) {
    reject(path + ": is a capture of " + std::to_string(streams.size()) +
           " streams; write one of them: " + h264::stream_names(path, streams));
  }
  return open_capture_stream(std::move(input.capture), 0);
}

std::string file_of_stream(const std::string& path) { return split(path).file; }

}  // namespace millrace::tools
