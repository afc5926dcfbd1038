#include <millrace/tools/files/placed_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::kIo, name + ": " + what);
}

[[noreturn]] void fail(const std::string& name, const std::string& what, int error_number) {
  fail(name, what + ": " + std::generic_category().message(error_number));
}

}  // namespace

PlacedFile::PlacedFile(std::string name, int descriptor, std::uint64_t bytes)
    : name_(std::move(name)), descriptor_(descriptor), bytes_(bytes) {}

PlacedFile::PlacedFile(PlacedFile&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_(other.bytes_) {}

PlacedFile& PlacedFile::operator=(PlacedFile&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

PlacedFile::~PlacedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

PlacedFile PlacedFile::open(const std::string& path) {
  // Opening a pipe would wait for somebody who writes to it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(path, "cannot be read", errno);
  PlacedFile file(path, descriptor, 0);
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) fail(path, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) fail(path, "is a directory, not a file");
  if (!S_ISREG(status.st_mode)) fail(path, "is no regular file; its size has to be known");
  file.bytes_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

PlacedFile PlacedFile::make_nameless(const std::string& folder, const std::string& use) {
  const std::string name = (folder.empty() ? "." : folder) + " (" + use + ")";
  std::string path = std::filesystem::path(folder) / ".millrace-XXXXXX.part";
  const int descriptor = mkostemps(path.data(), /*suffixlen=*/5, O_CLOEXEC);
  if (descriptor < 0) fail(name, "cannot be written", errno);
  PlacedFile file(name, descriptor, 0);
  if (unlink(path.c_str()) != 0) fail(name, "cannot be written", errno);
  return file;
}

void PlacedFile::read(std::uint64_t place, void* data, std::size_t bytes) const {
  for (auto* to = static_cast<char*>(data); bytes > 0;) {
    const ssize_t got = pread(descriptor_, to, bytes, static_cast<off_t>(place));
    if (got == 0) fail(name_, "became shorter while it was read");
    if (got < 0 && errno != EINTR) fail(name_, "cannot be read", errno);
    if (got < 0) continue;
    to += got;
    place += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
}

void PlacedFile::write(std::uint64_t place, const void* data, std::size_t bytes) const {
  for (const auto* from = static_cast<const char*>(data); bytes > 0;) {
    const ssize_t written = pwrite(descriptor_, from, bytes, static_cast<off_t>(place));
    if (written < 0 && errno != EINTR) fail(name_, "cannot be written", errno);
    if (written < 0) continue;
    from += written;
    place += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

}  // namespace millrace::tools
