// SPDX-License-Identifier: Apache-2.0

// The files that STREAM arguments name: files, folders, lists and standard input.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_NAME_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_NAME_H_

#include <string>
#include <vector>

namespace millrace::tools {

struct StreamName {
  std::string path;
  // Found in a folder, where other files are passed over.
  bool is_of_folder = false;

  friend bool operator==(const StreamName&, const StreamName&) = default;
};

// Returns the names in the order of the arguments. A folder stands for its files and those of its
// folders, sorted, without hidden ones; @LIST for the lines of that file (@- of standard input),
// without empty ones and those that begin with #. Throws Error: kIo for a folder or a list that
// cannot be read, kInvalidArgument if there is nothing, or standard input twice.
std::vector<StreamName> find_stream_names(const std::vector<std::string>& arguments);

// Returns true if an argument is a folder or a list in a file, whose streams may become more.
bool can_grow(const std::vector<std::string>& arguments);

// Number of bytes of a file that show what it is.
inline constexpr int kLeastStreamBytes = 64;

// The same as find_stream_names() while streams are still written: files of folders and lists that
// are missing or have fewer than kLeastStreamBytes are left out, and nothing at all is no error.
std::vector<StreamName> find_growing_streams(const std::vector<std::string>& arguments);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_STREAM_NAME_H_
