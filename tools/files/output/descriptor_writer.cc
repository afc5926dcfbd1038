// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/output/descriptor_writer.h>

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace millrace::tools {

void fail_to_write(const std::string& name, int error_number) {
  throw Error(ErrorCode::kIo,
              name + ": cannot be written: " + std::generic_category().message(error_number));
}

int open_pipe_to_write(const std::string& path) {
  constexpr std::chrono::milliseconds kPollInterval(20);
  for (;;) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor >= 0) {
      fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
      return descriptor;
    }
    if (errno != ENXIO && errno != EINTR) fail_to_write(path, errno);
    throw_if_interrupted();
    std::this_thread::sleep_for(kPollInterval);
  }
}

DescriptorWriter::DescriptorWriter(std::string name, int descriptor)
    : name_(std::move(name)), descriptor_(descriptor) {
  struct stat status = {};
  is_waiting_ = fstat(descriptor_, &status) == 0 && !S_ISREG(status.st_mode);
}

DescriptorWriter::~DescriptorWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void DescriptorWriter::write(const char* data, std::size_t bytes) {
  if (descriptor_ < 0) throw Error(ErrorCode::kIo, name_ + ": written after it was closed");
  // A pipe that is ready takes so many bytes without a wait.
  const std::size_t most = is_waiting_ ? PIPE_BUF : bytes;
  while (bytes > 0) {
    if (is_waiting_) wait_for_reader();
    const ssize_t written = ::write(descriptor_, data, std::min(bytes, most));
    if (written < 0 && errno != EINTR && errno != EAGAIN) fail(errno);
    if (written <= 0) continue;
    data += written;
    bytes -= static_cast<std::size_t>(written);
    if (!is_waiting_) start_write_back(static_cast<std::size_t>(written));
  }
}

void DescriptorWriter::start_write_back(std::size_t written) {
  constexpr std::size_t kBytes = std::size_t{8} << 20;
  unstarted_ += written;
  if (unstarted_ < kBytes) return;
  unstarted_ = 0;
  // All that is not on its way; only advice, which some file systems reject.
  sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);
}

void DescriptorWriter::seek(std::int64_t byte) {
  if (::lseek(descriptor_, byte, SEEK_SET) < 0) fail(errno);
}

void DescriptorWriter::close() {
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

void DescriptorWriter::wait_for_reader() const {
  constexpr int kMilliseconds = 100;
  pollfd wanted = {.fd = descriptor_, .events = POLLOUT, .revents = 0};
  while (poll(&wanted, 1, kMilliseconds) <= 0) throw_if_interrupted();
}

void DescriptorWriter::fail(int error_number) const {
  if (error_number == EPIPE) note_lost_reader();
  fail_to_write(name_, error_number);
}

}  // namespace millrace::tools
