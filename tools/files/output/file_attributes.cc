// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/output/file_attributes.h>

#include <sys/xattr.h>
#include <unistd.h>

namespace millrace::tools {
namespace {

constexpr const char* kAccessList = "system.posix_acl_access";

std::string access_list_of(const std::string& path) {
  std::string list(4096, '\0');
  const ssize_t bytes = getxattr(path.c_str(), kAccessList, list.data(), list.size());
  list.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  return list;
}

}  // namespace

FileAttributes::FileAttributes(const std::string& path, const struct stat& status)
    : mode_(status.st_mode & 07777),
      owner_(status.st_uid),
      group_(status.st_gid),
      access_list_(access_list_of(path)) {}

void FileAttributes::apply(const std::string& path) const {
  mode_t mode = mode_;
  if (chown(path.c_str(), owner_, group_) != 0) {
    mode &= ~static_cast<mode_t>(S_ISUID);
    if (chown(path.c_str(), static_cast<uid_t>(-1), group_) != 0) {
      const mode_t others = mode & S_IRWXO;
      mode = (mode & ~static_cast<mode_t>(S_IRWXG | S_ISGID)) | (mode & S_IRWXG & (others << 3));
    }
  }
  if (!access_list_.empty()) {
    // With an access control list, the bits of the group are those of the mask.
    const mode_t owner_alone = mode & ~static_cast<mode_t>(S_IRWXG | S_IRWXO);
    if (chmod(path.c_str(), owner_alone) != 0) return;
    const bool is_kept =
        setxattr(path.c_str(), kAccessList, access_list_.data(), access_list_.size(), 0) == 0;
    if (!is_kept) return;
  } else {
    removexattr(path.c_str(),
                kAccessList);  // Removes the list that the folder gives to every new file.
  }
  [[maybe_unused]] const int result = chmod(path.c_str(), mode);
}

}  // namespace millrace::tools
