// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/names/temporary_folder.h>
#include <millrace/tools/files/names/temporary_name.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::kIo, name + ": " + what);
}

[[noreturn]] void fail(const std::string& name, const std::string& what, int error_number) {
  fail(name, what + ": " + std::generic_category().message(error_number));
}

bool is_pipe(const struct stat& status) {
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

// Returns a new descriptor, or -1 and errno. Opening a pipe does not wait for a writer.
int open_to_read(const std::string& path) {
  if (const auto descriptor = descriptor_in(path, NameUse::kInput)) {
    const int flags = fcntl(*descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_WRONLY) {
      return fcntl(*descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    }
    errno = EBADF;
    return -1;
  }
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

// Waits for bytes or the end. Before a writer has opened a FIFO, poll() reports neither.
void wait_for_writer(int descriptor) {
  constexpr int kMilliseconds = 100;
  pollfd wanted = {.fd = descriptor, .events = POLLIN, .revents = 0};
  while (poll(&wanted, 1, kMilliseconds) <= 0) throw_if_interrupted();
}

// Copies a pipe to its end into `file`; returns the number of bytes.
std::uint64_t copy_pipe(const std::string& name, int pipe, const PositionedFile& file) {
  constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
  std::vector<char> block(kBlockBytes);
  for (std::uint64_t position = 0;;) {
    wait_for_writer(pipe);
    const ssize_t got = ::read(pipe, block.data(), block.size());
    if (got == 0) return position;
    if (got < 0 && errno != EINTR && errno != EAGAIN) fail(name, "cannot be read", errno);
    if (got < 0) continue;
    file.write(position, block.data(), static_cast<std::size_t>(got));
    position += static_cast<std::uint64_t>(got);
  }
}

// A pipe that this process has read. It stays open, so that no later pipe has its identity.
struct ReadPipe {
  PositionedFile pipe;
  PositionedFile contents;
};

// Returns the read pipes, keyed by the identity of the pipe.
std::map<std::string, ReadPipe>& read_pipes() {
  static std::map<std::string, ReadPipe> pipes;
  return pipes;
}

}  // namespace

PositionedFile::PositionedFile(std::string name, int descriptor, std::uint64_t bytes,
                               std::uint64_t begin)
    : name_(std::move(name)), descriptor_(descriptor), bytes_(bytes), begin_(begin) {}

PositionedFile::PositionedFile(PositionedFile&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_(other.bytes_),
      begin_(other.begin_) {}

PositionedFile& PositionedFile::operator=(PositionedFile&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(bytes_, other.bytes_);
  std::swap(begin_, other.begin_);
  return *this;
}

PositionedFile::~PositionedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

PositionedFile PositionedFile::open(const std::string& path, const std::string& folder) {
  static std::mutex mutex;
  const std::string name = shown_name(path, NameUse::kInput);
  const int descriptor = open_to_read(path);
  if (descriptor < 0) fail(name, "cannot be read", errno);
  PositionedFile file(name, descriptor, 0);
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) fail(name, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) fail(name, "is a directory, not a file; give a file");
  if (isatty(descriptor) != 0) fail(name, "is a terminal; give a file or a pipe");
  if (S_ISREG(status.st_mode)) {
    const off_t begin = lseek(descriptor, 0, SEEK_CUR);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    file.begin_ = std::min(begin > 0 ? static_cast<std::uint64_t>(begin) : 0, size);
    file.bytes_ = size - file.begin_;
    return file;
  }
  if (!is_pipe(status)) fail(name, "is no regular file and no pipe; give one of these");
  const std::lock_guard lock(mutex);
  const std::string identity = identity_of(path, NameUse::kInput);
  const auto known = read_pipes().find(identity);
  if (known != read_pipes().end()) return known->second.contents.duplicate();
  PositionedFile contents = make_nameless(folder.empty() ? temporary_folder("", "") : folder,
                                          "for what " + name + " has");
  contents.bytes_ = copy_pipe(name, descriptor, contents);
  contents.name_ = name;
  return read_pipes()
      .emplace(identity, ReadPipe{std::move(file), std::move(contents)})
      .first->second.contents.duplicate();
}

PositionedFile PositionedFile::make_nameless(const std::string& folder, const std::string& use) {
  const std::string name = (folder.empty() ? "." : folder) + " (" + use + ")";
  TemporaryName path(temporary_path_beside(std::filesystem::path(folder) / "run"));
  const int descriptor =
      ::open(path.path().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) {
    const int error_number = errno;
    path.forget();
    fail(name, "cannot be written", error_number);
  }
  PositionedFile file(name, descriptor, 0);
  if (unlink(path.path().c_str()) != 0) fail(name, "cannot be written", errno);
  path.forget();
  return file;
}

PositionedFile PositionedFile::duplicate() const {
  const int descriptor = fcntl(descriptor_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (descriptor < 0) fail(name_, "cannot be read", errno);
  return {name_, descriptor, bytes_, begin_};
}

PositionedFile PositionedFile::segment(std::uint64_t begin, std::uint64_t bytes,
                                       const std::string& name) const {
  PositionedFile segment = duplicate();
  segment.name_ = name;
  segment.begin_ += begin;
  segment.bytes_ = bytes;
  return segment;
}

std::string PositionedFile::stream_path() const {
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor_);
  return access(path.c_str(), R_OK) == 0 ? path : name_;
}

void PositionedFile::read(std::uint64_t position, void* data, std::size_t bytes) const {
  for (auto* to = static_cast<char*>(data); bytes > 0;) {
    const ssize_t got = pread(descriptor_, to, bytes, static_cast<off_t>(begin_ + position));
    if (got == 0) fail(name_, "became shorter while it was read; read it again when it is whole");
    if (got < 0 && errno != EINTR) fail(name_, "cannot be read", errno);
    if (got < 0) continue;
    to += got;
    position += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
}

void PositionedFile::write(std::uint64_t position, const void* data, std::size_t bytes) const {
  for (const auto* from = static_cast<const char*>(data); bytes > 0;) {
    const ssize_t written = pwrite(descriptor_, from, bytes, static_cast<off_t>(begin_ + position));
    if (written < 0 && errno != EINTR) fail(name_, "cannot be written", errno);
    if (written < 0) continue;
    from += written;
    position += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

bool is_pipe(const std::string& path) {
  struct stat status = {};
  const auto descriptor = descriptor_in(path, NameUse::kInput);
  if (descriptor ? fstat(*descriptor, &status) != 0 : stat(path.c_str(), &status) != 0)
    return false;
  return is_pipe(status);
}

}  // namespace millrace::tools
