// SPDX-License-Identifier: Apache-2.0

// The permissions of a file, copied to the file that replaces it.
#ifndef MILLRACE_TOOLS_FILES_OUTPUT_FILE_ATTRIBUTES_H_
#define MILLRACE_TOOLS_FILES_OUTPUT_FILE_ATTRIBUTES_H_

#include <sys/stat.h>

#include <string>

namespace millrace::tools {

// Mode, owner, group and access control list (POSIX.1e).
class FileAttributes {
 public:
  // Reads the attributes of the file `path` with this status.
  FileAttributes(const std::string& path, const struct stat& status);

  // Applies them to another file. Setting the owner needs root; without it the group is kept if
  // this process is a member. An attribute that cannot be kept makes the file less readable, never
  // more: a different group gets the permissions of others, and a file whose list the file system
  // rejects is readable by the owner alone. Never throws.
  void apply(const std::string& path) const;

 private:
  mode_t mode_;
  uid_t owner_;
  gid_t group_;
  std::string access_list_;  // Uses the kernel's encoding; empty: none.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_OUTPUT_FILE_ATTRIBUTES_H_
