// SPDX-License-Identifier: Apache-2.0

// Placement of a complete file under its name.
#ifndef MILLRACE_TOOLS_FILES_OUTPUT_PLACE_FILE_H_
#define MILLRACE_TOOLS_FILES_OUTPUT_PLACE_FILE_H_

#include <string>

namespace millrace::tools {

// The system calls of a placement: each returns 0, or -1 and sets errno. Tests pass others.
struct PlacementCalls {
  int (*rename_to_new)(const char* from, const char* to);  // Fails with EEXIST where `to` exists.
  int (*rename)(const char* from, const char* to);         // Replaces `to`.
  int (*link)(const char* from, const char* to);
  int (*reserve)(const char* path);  // Makes an empty file; fails with EEXIST where it exists.
  int (*unlink)(const char* path);
};

extern const PlacementCalls kSystemPlacement;

// Renames `from` to `to` in one step. Unless it `replaces`, a file that exists under `to` stays;
// file systems that cannot rename so (vfat, SMB, FUSE) get a hard link, or else an empty file that
// reserves the name and is replaced. Returns 0, or the errno of the first failure, after which
// `from` is as it was.
int place_file(const std::string& from, const std::string& to, bool replaces,
               const PlacementCalls& calls = kSystemPlacement);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_OUTPUT_PLACE_FILE_H_
