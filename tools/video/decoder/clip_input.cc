// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/video/decoder/clip_input.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

namespace millrace::tools {
namespace {

// A signal under a guard does not interrupt read(): it is polled in between.
void wait_for_bytes(int descriptor) {
  constexpr int kMilliseconds = 100;
  pollfd ready = {.fd = descriptor, .events = POLLIN, .revents = 0};
  while (true) {
    throw_if_interrupted();
    const int count = poll(&ready, 1, kMilliseconds);
    // read() reports all other errors.
    if (count > 0 || (count < 0 && errno != EINTR)) return;
  }
}

bool can_be_read_again(const struct stat& status) {
  return S_ISREG(status.st_mode) || S_ISBLK(status.st_mode);
}

}  // namespace

ClipInput::ClipInput(const std::string& path) : path_(path) {
  open_descriptor();
  try {
    check_kind();
    start_.resize(kStart);
    start_read_ = start_.size();  // read() then reads past it.
    start_.resize(read(start_.data(), kStart));
    start_read_ = 0;
    position_ = 0;
    if (start_.empty()) fail("is empty; give a file that has a video");
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

ClipInput::~ClipInput() { close(descriptor_); }

// A descriptor may be open for a socket, which cannot be opened by its name.
void ClipInput::open_descriptor() {
  const std::optional<int> given = descriptor_in(path_, NameUse::kInput);
  struct stat status = {};
  if (given && fstat(*given, &status) == 0 && !can_be_read_again(status)) {
    if (S_ISCHR(status.st_mode) && isatty(*given) != 0) {
      fail("is a terminal; write a clip into it by a pipe, or name a file");
    }
    descriptor_ = fcntl(*given, F_DUPFD_CLOEXEC, 3);
  } else {
    descriptor_ = open(file_path().c_str(), O_RDONLY | O_CLOEXEC);
  }
  if (descriptor_ < 0 && errno == ENOENT && path_.find_first_of("%*?") != path_.npos) {
    fail("there is no such file; if this is a pattern of picture files, give --pattern");
  }
  if (descriptor_ < 0) fail_to_read(errno);
}

void ClipInput::check_kind() {
  struct stat status = {};
  if (fstat(descriptor_, &status) != 0) fail_to_read(errno);
  if (S_ISDIR(status.st_mode)) fail("is a directory, not a video; give a file");
  is_pipe_ = !can_be_read_again(status);
  if (S_ISREG(status.st_mode)) size_ = status.st_size;
}

std::string ClipInput::file_path() const { return path_ == "-" ? "/dev/stdin" : path_; }

std::size_t ClipInput::read(void* bytes, std::size_t size) {
  std::size_t count = 0;
  while (count < size) {
    const std::size_t more = read_some(static_cast<char*>(bytes) + count, size - count);
    if (more == 0) break;
    count += more;
  }
  return count;
}

bool ClipInput::is_removed() const {
  struct stat status = {};
  return !is_pipe_ && fstat(descriptor_, &status) == 0 && status.st_nlink == 0;
}

bool ClipInput::has_bytes() const {
  if (start_read_ < start_.size() || !is_pipe_) return true;
  pollfd ready = {.fd = descriptor_, .events = POLLIN, .revents = 0};
  return poll(&ready, 1, 0) > 0;
}

std::size_t ClipInput::read_some(void* bytes, std::size_t size) {
  if (start_read_ < start_.size()) {
    const std::size_t count = std::min(size, start_.size() - start_read_);
    std::memcpy(bytes, start_.data() + start_read_, count);
    start_read_ += count;
    position_ += static_cast<std::int64_t>(count);
    return count;
  }
  if (is_pipe_) wait_for_bytes(descriptor_);
  while (true) {
    const ssize_t count = ::read(descriptor_, bytes, size);
    if (count >= 0) {
      position_ += count;
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR) fail_to_read(errno);
  }
}

void ClipInput::fail_to_read(int error) const {
  fail("cannot be read: " + std::generic_category().message(error));
}

void ClipInput::fail(const std::string& sentence) const {
  throw Error(ErrorCode::kIo, shown_name(path_, NameUse::kInput) + ": " + sentence);
}

bool is_standard_input(const std::string& path) {
  return descriptor_in(path, NameUse::kInput) == STDIN_FILENO;
}

bool is_clip_pipe(const std::string& path) {
  struct stat status = {};
  const std::optional<int> given = descriptor_in(path, NameUse::kInput);
  const int result = given ? fstat(*given, &status) : stat(path.c_str(), &status);
  return result == 0 && !can_be_read_again(status) && !S_ISDIR(status.st_mode);
}

}  // namespace millrace::tools
