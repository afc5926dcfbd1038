// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/rtp_source.h>
#include <millrace/tools/files/names/temporary_folder.h>
#include <millrace/tools/video/h264/capture_file.h>

#include <algorithm>
#include <utility>

namespace millrace::tools {
namespace {

std::uint64_t copy_pipe(ClipInput& input, const PositionedFile& file) {
  std::vector<char> bytes(1 << 16);
  std::uint64_t position = 0;
  while (const std::size_t count = input.read_some(bytes.data(), bytes.size())) {
    file.write(position, bytes.data(), count);
    position += count;
  }
  return position;
}

}  // namespace

CaptureFile::CaptureFile(ClipInput& input, const std::vector<h264::DescribedStream>& described)
    : file_(input.is_pipe() ? PositionedFile::make_nameless(temporary_folder("", ""),
                                                            "for what " + input.path() + " has")
                            : PositionedFile::open(input.path())),
      bytes_(input.is_pipe() ? copy_pipe(input, file_) : file_.bytes()),
      found_(h264::find_streams(
          [this](std::uint64_t position, std::span<std::uint8_t> bytes) {
            return read(position, bytes);
          },
          input.path(), described)) {}

std::size_t CaptureFile::read(std::uint64_t position, std::span<std::uint8_t> bytes) const {
  if (position >= bytes_) return 0;
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), bytes_ - position));
  file_.read(position, bytes.data(), size);
  return size;
}

std::unique_ptr<h264::NalUnitSource> open_capture_stream(std::shared_ptr<const CaptureFile> capture,
                                                         std::size_t index) {
  const h264::RtpStream& stream = capture->found().streams[index];
  return std::make_unique<h264::RtpSource>(
      stream,
      [capture = std::move(capture)](std::uint64_t position, std::span<std::uint8_t> bytes) {
        return capture->read(position, bytes);
      });
}

}  // namespace millrace::tools
