#include <millrace/tools/tables/whole_file.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::kIo, name + ": " + what);
}

[[noreturn]] void fail_to_read(const std::string& name) {
  fail(name, "cannot be read: " + std::generic_category().message(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string read_whole_file(const std::string& path, const std::function<void()>& check_stop) {
  // A pipe is opened before its writer is there, so that waiting for it can be stopped.
  const Descriptor file(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                    : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) fail_to_read(path);
  if (S_ISDIR(status.st_mode)) fail(path, "is a directory, not a file");
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  std::string bytes;
  if (S_ISREG(status.st_mode)) bytes.reserve(static_cast<std::size_t>(status.st_size) + kBlock);
  std::size_t size = 0;
  while (true) {
    check_stop();
    constexpr int kPollMilliseconds = 100;
    pollfd waiting = {.fd = file.number(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, kPollMilliseconds);
    if (ready < 0 && errno != EINTR) fail_to_read(path);
    if (ready <= 0) continue;
    bytes.resize(size + kBlock);
    const ssize_t got = ::read(file.number(), bytes.data() + size, kBlock);
    if (got < 0 && errno != EINTR && errno != EAGAIN) fail_to_read(path);
    if (got == 0) break;
    if (got > 0) size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace millrace::tools
