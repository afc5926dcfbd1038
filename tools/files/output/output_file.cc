// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/output/descriptor_writer.h>
#include <millrace/tools/files/output/output_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr std::size_t kBufferBytes = 1 << 18;

std::string reason_of(int error_number) { return std::generic_category().message(error_number); }

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::kIo, path + ": " + what);
}

// Returns a new descriptor for one that is open for writing.
int duplicate_of(const std::string& path, int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  const bool is_written = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
  const int own = is_written ? fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
  if (own < 0) fail_to_write(path, is_written ? errno : EBADF);
  return own;
}

// Returns true if the rename would be rejected: in a folder such as /tmp only an owner replaces a
// file.
bool is_of_another(const std::string& target, const struct stat& file) {
  struct stat folder = {};
  const std::filesystem::path path = std::filesystem::path(target).parent_path();
  if (stat(path.c_str(), &folder) != 0 || (folder.st_mode & S_ISVTX) == 0) return false;
  const uid_t self = geteuid();
  return self != 0 && self != file.st_uid && self != folder.st_uid;
}

void check_replaceable(const std::string& path, const std::string& target,
                       const struct stat& status, bool force) {
  if (S_ISDIR(status.st_mode)) fail(path, "is a directory; give a file");
  if (!force) fail(path, "exists already (--force replaces it)");
  if (is_of_another(target, status)) fail_to_write(path, EPERM);
}

// Returns "; the result is in A" for an error message.
std::string kept_words(const std::vector<std::string>& paths) {
  constexpr std::size_t kMostShown = 3;
  if (paths.empty()) return "";
  std::string words = paths.size() == 1 ? "; the result is kept in " : "; the results are kept in ";
  for (std::size_t i = 0; i < std::min(paths.size(), kMostShown); ++i) {
    words += (i == 0 ? "" : ", ") + paths[i];
  }
  if (paths.size() > kMostShown) {
    words += " and " + std::to_string(paths.size() - kMostShown) + " more";
  }
  return words;
}

}  // namespace

class OutputFile::Buffer : public std::streambuf {
 public:
  Buffer(const std::string& name, int descriptor)
      : writer_(name, descriptor), bytes_(kBufferBytes) {
    setp(bytes_.data(), bytes_.data() + bytes_.size());
  }

  void close() {
    sync();
    setp(nullptr, nullptr);
    std::vector<char>().swap(bytes_);  // Many files may wait for their commit.
    writer_.close();
  }

 protected:
  int sync() override {
    const char* const first = pbase();
    const auto count = static_cast<std::size_t>(pptr() - first);
    if (count > 0) writer_.write(first, count);
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return 0;
  }

  int_type overflow(int_type character) override {
    sync();
    if (traits_type::eq_int_type(character, traits_type::eof())) {
      return traits_type::not_eof(character);
    }
    const char one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
  }

  pos_type seekpos(pos_type position, std::ios_base::openmode) override {
    sync();
    writer_.seek(position);
    return position;
  }

  std::streamsize xsputn(const char* data, std::streamsize count) override {
    if (count <= epptr() - pptr()) return std::streambuf::xsputn(data, count);
    sync();
    writer_.write(data, static_cast<std::size_t>(count));
    return count;
  }

 private:
  DescriptorWriter writer_;
  std::vector<char> bytes_;
};

OutputFile::OutputFile(const std::string& path, bool force, const PlacementCalls& calls)
    : path_(path),
      force_(force),
      is_direct_(is_written_directly(path)),
      calls_(calls),
      stream_(nullptr) {
  if (is_direct_) {
    open_directly();
  } else {
    open_temporary();
  }
  stream_.rdbuf(buffer_.get());
  stream_.exceptions(std::ios::badbit);
}

OutputFile::~OutputFile() = default;

void OutputFile::check(const std::string& path, bool force) {
  const bool is_open = descriptor_in(path, NameUse::kOutput).has_value();
  if (is_open || !is_written_directly(path)) {
    const OutputFile throws_where_it_cannot(path, force);
  } else if (access(path.c_str(), W_OK) != 0) {
    fail_to_write(path, errno);
  }
}

void OutputFile::open_directly() {
  const std::string name = shown_name(path_, NameUse::kOutput);
  target_ = path_;
  int descriptor = -1;
  struct stat status = {};
  if (const auto open_one = descriptor_in(path_, NameUse::kOutput)) {
    descriptor = duplicate_of(name, *open_one);
  } else if (stat(path_.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) {
    descriptor = open_pipe_to_write(path_);
  } else {
    descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  }
  if (descriptor < 0) fail_to_write(name, errno);
  buffer_ = std::make_unique<Buffer>(name, descriptor);
}

void OutputFile::open_temporary() {
  if (path_.empty()) {
    throw Error(ErrorCode::kIo, "an output's name is empty; name a file, or - for standard output");
  }
  // A symbolic link stays; the file it names is the one replaced.
  target_ = followed(path_);
  struct stat status = {};
  if (stat(target_.c_str(), &status) == 0) {
    check_replaceable(path_, target_, status, force_);
    attributes_.emplace(target_, status);
  } else if (errno == ELOOP) {
    fail_to_write(path_, errno);
  }
  temporary_ = TemporaryName(temporary_path_beside(target_));
  const int descriptor = ::open(temporary_.path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                attributes_ ? 0600 : 0666);
  if (descriptor < 0) {
    const int error_number = errno;
    temporary_.forget();
    fail_to_write(path_, error_number);
  }
  buffer_ = std::make_unique<Buffer>(path_, descriptor);
}

void OutputFile::close() {
  if (stream_.bad()) fail(path_, "an earlier write failed");
  buffer_->close();
}

void OutputFile::commit() { commit_all({this}); }

// Makes a second name for the file under the path, which stays there until the rename.
void OutputFile::keep_replaced() {
  if (!force_) return;
  TemporaryName name(temporary_path_beside(target_));
  if (calls_.link(target_.c_str(), name.path().c_str()) == 0) {
    replaced_ = std::move(name);
  } else {
    name.forget();
  }
}

int OutputFile::rename_to_target() {
  if (attributes_) attributes_->apply(temporary_.path());
  return place_file(temporary_.path(), target_, force_, calls_);
}

// Nothing is thrown: the failure that led here is the one to report.
void OutputFile::undo_rename() {
  TemporaryName back(temporary_path_beside(target_));
  if (calls_.rename(target_.c_str(), back.path().c_str()) == 0) temporary_ = std::move(back);
  if (!replaced_.empty() && calls_.rename(replaced_.path().c_str(), target_.c_str()) == 0) {
    replaced_.forget();
  }
}

void commit_all(const std::vector<OutputFile*>& files) {
  for (OutputFile* file : files) file->close();
  std::vector<OutputFile*> placed;
  for (OutputFile* file : files) {
    if (file->temporary_.empty()) continue;
    // A single file never has to be taken back.
    if (files.size() > 1) file->keep_replaced();
    const int error = file->rename_to_target();
    if (error == 0) {
      file->temporary_.forget();
      placed.push_back(file);
      continue;
    }
    for (OutputFile* other : placed) other->undo_rename();
    std::vector<std::string> kept;
    for (OutputFile* other : files) {
      if (other->temporary_.empty()) continue;
      kept.push_back(other->temporary_.path());
      other->temporary_.forget();
    }
    fail(file->path_, "cannot be written: " + reason_of(error) + kept_words(kept));
  }
}

}  // namespace millrace::tools
