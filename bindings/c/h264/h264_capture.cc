// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/capture_reader.h>
#include <millrace/algorithms/h264/rtp/rtp_source.h>
#include <millrace/algorithms/h264/rtp/session_description.h>
#include <millrace/algorithms/h264/rtp/stream_path.h>
#include <millrace/bindings/c/h264/h264_capture.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace millrace::c {
namespace {

h264::StreamPath split(const std::string& path) {
  return h264::split_stream_path(path, [](const std::string& name) {
    std::error_code ignored;
    return std::filesystem::exists(name, ignored);
  });
}

std::vector<h264::DescribedStream> read_session_file(const std::string& path) {
  if (path.empty()) return {};
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  std::string text(h264::kMostSessionBytes, '\0');
  if (file) text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (!file || std::ferror(file.get()) != 0) {
    throw Error(ErrorCode::kIo, path + " cannot be read: " + std::strerror(errno));
  }
  return h264::read_session_description(text, path);
}

}  // namespace

H264Capture::H264Capture(const std::string& path, const std::string& session) {
  const h264::StreamPath name = split(path);
  file_name_ = name.file;
  std::error_code ignored;
  if (std::filesystem::exists(name.file, ignored) &&
      !std::filesystem::is_regular_file(name.file, ignored)) {
    throw Error(ErrorCode::kIo, name.file + " is no regular file; copy the capture into one");
  }
  file_.reset(std::fopen(name.file.c_str(), "rb"));
  if (!file_) {
    throw Error(ErrorCode::kIo, name.file + " cannot be opened: " + std::strerror(errno));
  }
  const auto read_at = [this](std::uint64_t position, std::span<std::uint8_t> bytes) {
    return read(position, bytes);
  };
  streams_ = h264::find_streams(read_at, name.file, read_session_file(session)).streams;
  if (!name.stream.empty()) {
    streams_ = {std::move(streams_[h264::find_stream(streams_, name)])};
  }
}

const h264::RtpStream& H264Capture::stream(std::size_t index) const {
  if (index >= streams_.size()) {
    reject("index is " + std::to_string(index) + "; the capture has " +
           std::to_string(streams_.size()) + " streams, counted from 0");
  }
  return streams_[index];
}

std::unique_ptr<h264::NalUnitSource> H264Capture::open_stream(
    const std::shared_ptr<const H264Capture>& capture, std::size_t index) {
  return std::make_unique<h264::RtpSource>(
      capture->stream(index), [capture](std::uint64_t position, std::span<std::uint8_t> bytes) {
        return capture->read(position, bytes);
      });
}

std::size_t H264Capture::read(std::uint64_t position, std::span<std::uint8_t> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::pread(::fileno(file_.get()), bytes.data() + done, bytes.size() - done,
                                  static_cast<off_t>(position + done));
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw Error(ErrorCode::kIo, file_name_ + " cannot be read: " + std::strerror(errno));
    }
    done += static_cast<std::size_t>(count);
  }
  return done;
}

bool is_h264_capture(const std::string& path) {
  const std::string file_name = split(path).file;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file_name, ignored)) return false;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(file_name.c_str(), "rb"),
                                                             &std::fclose);
  std::array<char, 12> head = {};
  return file && std::fread(head.data(), 1, head.size(), file.get()) == head.size() &&
         h264::begins_as_capture(std::string_view(head.data(), head.size()));
}

}  // namespace millrace::c
