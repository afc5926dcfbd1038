// SPDX-License-Identifier: Apache-2.0

// Who may read a file, carried over to the one that replaces it.
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

  // Gives them to another file. The owner takes root; without it the group is kept where this
  // process is a member. What cannot be kept makes the file less readable, never more: where the
  // group is another, it may do what others may, and a file with a list that the file system does
  // not take is the owner's alone. Never throws.
  void apply(const std::string& path) const;

 private:
  mode_t mode_;
  uid_t owner_;
  gid_t group_;
  std::string access_list_;  // As the kernel encodes it; empty: none.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_OUTPUT_FILE_ATTRIBUTES_H_
