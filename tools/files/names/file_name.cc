// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/names/file_name.h>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // The kernel's limit.

std::optional<int> number_in(std::string_view text) {
  int number = -1;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < 0) return {};
  return number;
}

// Uses the name alone, which works without /proc, too.
std::optional<int> descriptor_named(const fs::path& path) {
  const std::string text = path.lexically_normal().string();
  if (text == "/dev/stdin") return STDIN_FILENO;
  if (text == "/dev/stdout") return STDOUT_FILENO;
  if (text == "/dev/stderr") return STDERR_FILENO;
  const std::string own = "/proc/" + std::to_string(getpid()) + "/fd/";
  for (const std::string& folder : {std::string("/dev/fd/"), std::string("/proc/self/fd/"), own}) {
    if (text.starts_with(folder)) return number_in(std::string_view(text).substr(folder.size()));
  }
  return {};
}

// Returns the path with links in its folder followed, and its last name unchanged.
fs::path in_real_folder(const fs::path& path) {
  std::error_code error;
  const fs::path full = fs::absolute(path, error);
  if (error) return path;
  const fs::path name = full.filename();
  if (name.empty() || name == "." || name == "..") {
    const fs::path real = fs::weakly_canonical(full, error);
    return error ? full : real;
  }
  const fs::path folder = fs::weakly_canonical(full.parent_path(), error);
  return error ? full : folder / name;
}

// Follows the links at the end of `path`, and stops at the name of a descriptor.
fs::path follow(const fs::path& path) {
  fs::path here = in_real_folder(path);
  for (int i = 0; i < kMostLinks && !descriptor_named(here); ++i) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(here, error))) break;
    const fs::path target = fs::read_symlink(here, error);
    if (error) break;
    here = in_real_folder(here.parent_path() / target);
  }
  return here;
}

std::string identity_of(const struct stat& status) {
  return std::to_string(major(status.st_dev)) + ':' + std::to_string(minor(status.st_dev)) + ':' +
         std::to_string(status.st_ino);
}

bool is_pipe(const struct stat& status) {
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

}  // namespace

std::optional<int> descriptor_in(const std::string& name, NameUse use) {
  if (name == "-") return use == NameUse::kInput ? STDIN_FILENO : STDOUT_FILENO;
  if (const auto named = descriptor_named(name)) return named;
  if (name.empty()) return {};
  return descriptor_named(follow(name));
}

std::string followed(const std::string& name) { return follow(name).string(); }

std::string identity_of(const std::string& name, NameUse use) {
  const std::optional<int> descriptor = descriptor_in(name, use);
  struct stat status = {};
  const bool is_there = descriptor ? fstat(*descriptor, &status) == 0
                                   : !name.empty() && stat(name.c_str(), &status) == 0;
  if (is_there && is_pipe(status)) return identity_of(status);
  if (is_there && S_ISCHR(status.st_mode)) {
    return descriptor ? "descriptor " + std::to_string(*descriptor) : "";
  }
  if (descriptor && is_there) {
    // A file by its name, as others name it.
    std::error_code error;
    const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(*descriptor), error);
    if (!error) return path.string();
  }
  if (descriptor) return "descriptor " + std::to_string(*descriptor);
  return followed(name);
}

bool is_standard_output(const std::string& name) {
  if (name.empty()) return false;
  const std::optional<int> descriptor = descriptor_in(name, NameUse::kOutput);
  if (descriptor == STDOUT_FILENO) return true;
  struct stat out = {};
  struct stat named = {};
  if (fstat(STDOUT_FILENO, &out) != 0) return false;
  if (descriptor ? fstat(*descriptor, &named) != 0 : stat(name.c_str(), &named) != 0) return false;
  if (S_ISCHR(named.st_mode)) return S_ISCHR(out.st_mode) && named.st_rdev == out.st_rdev;
  const bool is_same = named.st_dev == out.st_dev && named.st_ino == out.st_ino;
  return is_same && (descriptor || is_pipe(named));
}

bool has_standard_output(const std::vector<std::string>& names) {
  return std::ranges::any_of(names, is_standard_output);
}

bool is_written_directly(const std::string& name) {
  if (descriptor_in(name, NameUse::kOutput)) return true;
  struct stat status = {};
  return stat(name.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::string shown_name(const std::string& name, NameUse use) {
  if (name != "-") return name;
  return use == NameUse::kInput ? "standard input" : "standard output";
}

}  // namespace millrace::tools
