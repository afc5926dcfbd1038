// SPDX-License-Identifier: Apache-2.0

// Choice of the folder for large temporary files.
#ifndef MILLRACE_TOOLS_FILES_NAMES_TEMPORARY_FOLDER_H_
#define MILLRACE_TOOLS_FILES_NAMES_TEMPORARY_FOLDER_H_

#include <string>

namespace millrace::tools {

// Functions that the choice depends on; tests give others.
struct FolderProbe {
  bool (*is_usable)(const std::string& folder);     // A folder that takes new files.
  bool (*is_in_memory)(const std::string& folder);  // A RAM disk, or a folder of the kernel's.
};

extern const FolderProbe kSystemFolders;

// Returns a folder for temporary files of a run that writes `out` (empty: no file in particular):
//   1. `given`, the value of --temporary, unless it is empty; throws Error(kIo) where it takes no
//      files;
//   2. the environment's TMPDIR, if it can be used;
//   3. the folder of the file that `out` names once links are followed, /var/tmp, /tmp, or the
//      current one: the first that can be used and is no RAM disk; else the first that can be used.
// Throws Error(kIo) where none can.
std::string temporary_folder(const std::string& given, const std::string& out,
                             const FolderProbe& probe = kSystemFolders);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_NAMES_TEMPORARY_FOLDER_H_
