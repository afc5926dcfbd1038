#include <millrace/tools/files/output_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

constexpr std::size_t kBufferBytes = 1 << 18;

[[noreturn]] void fail(const std::string& path, const std::string& what, int error_number) {
  throw Error(ErrorCode::kIo,
              path + ": " + what + ": " + std::generic_category().message(error_number));
}

// A hidden name in the folder of `path` that nobody else gives, on this machine, in a container of
// it, or on another that shares the folder.
std::string temporary_beside(const std::string& path) {
  static const unsigned process = std::random_device()();
  static std::atomic<unsigned> counter = 0;
  const std::string name = ".millrace-" + std::to_string(getpid()) + "-" + std::to_string(process) +
                           "-" + std::to_string(counter++) + ".part";
  return (std::filesystem::path(path).parent_path() / name).string();
}

}  // namespace

class OutputFile::Buffer : public std::streambuf {
 public:
  Buffer(std::string path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor), bytes_(kBufferBytes) {
    setp(bytes_.data(), bytes_.data() + bytes_.size());
  }

  ~Buffer() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void close() {
    if (descriptor_ < 0) return;
    sync();
    setp(nullptr, nullptr);
    std::vector<char>().swap(bytes_);  // Many files may wait for their commit.
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, "cannot be written", errno);
  }

 protected:
  int sync() override {
    write_all(pbase(), pptr());
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return 0;
  }

  int_type overflow(int_type character) override {
    sync();
    return traits_type::eq_int_type(character, traits_type::eof())
               ? traits_type::not_eof(character)
               : sputc(traits_type::to_char_type(character));
  }

  std::streamsize xsputn(const char* data, std::streamsize count) override {
    if (count <= epptr() - pptr()) return std::streambuf::xsputn(data, count);
    sync();
    write_all(data, data + count);
    return count;
  }

 private:
  void write_all(const char* first, const char* last) {
    if (descriptor_ < 0) throw Error(ErrorCode::kIo, path_ + ": written after it was closed");
    while (first < last) {
      const ssize_t written = ::write(descriptor_, first, static_cast<std::size_t>(last - first));
      if (written > 0) {
        first += written;
      } else if (written < 0 && errno != EINTR) {
        fail(path_, "cannot be written", errno);
      }
    }
  }

  std::string path_;
  int descriptor_;
  std::vector<char> bytes_;
};

OutputFile::OutputFile(const std::string& path, bool force)
    : path_(path), force_(force), stream_(nullptr) {
  struct stat status = {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::kIo, path + ": is a directory");
  }
  const bool replaceable = !exists || S_ISREG(status.st_mode);
  if (exists && replaceable && !force) {
    throw Error(ErrorCode::kIo, path + ": exists already (--force replaces it)");
  }
  // A symbolic link stays; the file it names is the one replaced.
  if (exists && replaceable) path_ = std::filesystem::canonical(path).string();
  if (replaceable) temporary_ = temporary_beside(path_);
  const int descriptor =
      replaceable ? open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                  : open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot be written", errno);
  buffer_ = std::make_unique<Buffer>(path, descriptor);
  stream_.rdbuf(buffer_.get());
  stream_.exceptions(std::ios::badbit);
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
  if (!replaced_.empty()) unlink(replaced_.c_str());
}

void OutputFile::close() {
  if (stream_.bad()) throw Error(ErrorCode::kIo, path_ + ": an earlier write failed");
  buffer_->close();
}

void OutputFile::commit() {
  close();
  rename_to_path();
}

// A second name for the file under `path`, which stays there until the rename.
void OutputFile::keep_replaced() {
  if (temporary_.empty() || !force_) return;
  const std::string name = temporary_beside(path_);
  if (link(path_.c_str(), name.c_str()) == 0) replaced_ = name;
}

void OutputFile::rename_to_path() {
  if (temporary_.empty()) return;
  int result = renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(),
                         force_ ? 0 : RENAME_NOREPLACE);
  if (result != 0 && (errno == EINVAL || errno == ENOSYS) && !force_) {
    // The file system has no RENAME_NOREPLACE; a hard link refuses an existing name as well.
    result = link(temporary_.c_str(), path_.c_str());
    if (result == 0) unlink(temporary_.c_str());
  }
  if (result != 0) fail(path_, "cannot be written", errno);
  temporary_.clear();
}

// Nothing is thrown: the failure that led here is the one to report.
void OutputFile::undo_rename() {
  if (!replaced_.empty() && rename(replaced_.c_str(), path_.c_str()) == 0) {
    replaced_.clear();
  } else {
    unlink(path_.c_str());
  }
}

void commit_all(const std::vector<OutputFile*>& files) {
  for (OutputFile* file : files) file->close();
  std::vector<OutputFile*> renamed;
  try {
    for (OutputFile* file : files) {
      if (file->temporary_.empty()) continue;
      file->keep_replaced();
      file->rename_to_path();
      renamed.push_back(file);
    }
  } catch (...) {
    for (OutputFile* file : renamed) file->undo_rename();
    throw;
  }
}

}  // namespace millrace::tools
