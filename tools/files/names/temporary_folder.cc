// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/names/temporary_folder.h>

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

bool is_usable(const std::string& folder) {
  struct stat status = {};
  return stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         access(folder.c_str(), W_OK | X_OK) == 0;
}

bool is_in_memory(const std::string& folder) {
  const std::string path = followed(folder) + '/';
  if (path.starts_with("/dev/") || path.starts_with("/proc/") || path.starts_with("/sys/")) {
    return true;
  }
  struct statfs status = {};
  if (statfs(folder.c_str(), &status) != 0) return false;
  const auto type = static_cast<unsigned long>(status.f_type);
  return type == TMPFS_MAGIC || type == RAMFS_MAGIC || type == HUGETLBFS_MAGIC;
}

// Returns the folder of the file `out`, or "" if it is not a file.
std::string folder_of(const std::string& out) {
  if (out.empty()) return "";
  fs::path path = followed(out);
  if (const auto descriptor = descriptor_in(out, NameUse::kOutput)) {
    struct stat status = {};
    if (fstat(*descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return "";
    std::error_code error;
    path = fs::read_symlink("/proc/self/fd/" + std::to_string(*descriptor), error);
    if (error) return "";
  } else if (is_written_directly(out)) {
    return "";
  }
  return path.parent_path().string();
}

}  // namespace

const FolderProbe kSystemFolders = {.is_usable = tools::is_usable,
                                    .is_in_memory = tools::is_in_memory};

std::string temporary_folder(const std::string& given, const std::string& out,
                             const FolderProbe& probe) {
  if (!given.empty()) {
    if (probe.is_usable(given)) return given;
    throw Error(ErrorCode::kIo,
                "--temporary is " + given + "; give a folder that can be written to");
  }
  const char* const tmpdir = std::getenv("TMPDIR");
  if (tmpdir != nullptr && *tmpdir != '\0' && probe.is_usable(tmpdir)) return tmpdir;
  std::optional<std::string> in_memory;
  for (const std::string& folder :
       {folder_of(out), std::string("/var/tmp"), std::string("/tmp"), std::string(".")}) {
    if (folder.empty() || !probe.is_usable(folder)) continue;
    if (!probe.is_in_memory(folder)) return folder;
    if (!in_memory) in_memory = folder;
  }
  if (in_memory) return *in_memory;
  throw Error(ErrorCode::kIo,
              "no folder for temporary files can be written to; name one with --temporary");
}

}  // namespace millrace::tools
