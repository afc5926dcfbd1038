// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/h264/h264_input.h>

#include <utility>

#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/file_kind.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/h264/byte_stream_source.h>
#include <millrace/tools/video/h264/container_source.h>

namespace millrace::tools {
namespace {

// Kinds that FFmpeg would take for a film of one picture, or look into for long.
bool is_no_video(FileKind::Family family) {
  return family != FileKind::Family::kUnknown && family != FileKind::Family::kVideo;
}

}  // namespace

H264Input open_h264(const std::string& path, const H264InputOptions& options) {
  auto input = std::make_unique<ClipInput>(path);
  const StreamKind kind = stream_kind(input->start());
  if (kind == StreamKind::kByteStream) {
    return {.source = std::make_unique<ByteStreamSource>(std::move(input), options.follows),
            .capture = nullptr};
  }
  if (options.follows) {
    throw Error(ErrorCode::kIo, path +
                                    ": is no byte stream (ITU-T H.264, Annex B), which alone can "
                                    "be followed; leave out --follow");
  }
  if (kind == StreamKind::kCapture) {
    return {.source = nullptr,
            .capture = std::make_shared<const CaptureFile>(*input, options.described)};
  }
  const std::string_view start = input->start();
  // The last byte decides for kinds of text alone, which need not be told apart here.
  const FileKind file = kind_of(start, start.back(), start.size());
  if (is_no_video(file.family)) {
    throw NoVideo(ErrorCode::kIo,
                  path + ": is " + std::string(file.name) + ", not an H.264 stream");
  }
  return {.source = open_container(std::move(input)), .capture = nullptr};
}

std::unique_ptr<NalUnitSource> open_one_stream(const std::string& path) {
  H264Input input = open_h264(path, {});
  if (input.source != nullptr) return std::move(input.source);
  const std::size_t streams = input.capture->found().streams.size();
  if (streams != 1) {
    throw Error(ErrorCode::kInvalidArgument, path + ": is a capture of " + std::to_string(streams) +
                                                 " streams; give one of a single stream");
  }
  return open_capture_stream(std::move(input.capture), 0);
}

}  // namespace millrace::tools
