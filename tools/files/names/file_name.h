// SPDX-License-Identifier: Apache-2.0

// The meaning of a file's name on a command line: a path, a descriptor or a standard stream.
#ifndef MILLRACE_TOOLS_FILES_NAMES_FILE_NAME_H_
#define MILLRACE_TOOLS_FILES_NAMES_FILE_NAME_H_

#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Use of a name, which decides if "-" is standard input or standard output.
enum class NameUse { kInput, kOutput };

// Returns the open descriptor that a name stands for: "-", /dev/stdin, /dev/stdout, /dev/stderr,
// /dev/fd/N, /proc/self/fd/N, and links to them. Empty for every other name.
std::optional<int> descriptor_in(const std::string& name, NameUse use);

// Returns the absolute path of `name` with all links followed; the last one may lead to a file that
// does not exist yet. Never throws; a path that cannot be followed stays unchanged.
std::string followed(const std::string& name);

// Returns a text that is equal for two names of one file, pipe or descriptor; empty for devices
// such as /dev/null.
std::string identity_of(const std::string& name, NameUse use);

// Returns true if output to `name` goes to standard output.
bool is_standard_output(const std::string& name);

// Returns true if that is so for one of `names`, of which some may be empty.
bool has_standard_output(const std::vector<std::string>& names);

// Returns true if `name` is a descriptor, a pipe or a device, which is written directly.
bool is_written_directly(const std::string& name);

// Returns the name for messages: "standard output" for "-", else the name.
std::string shown_name(const std::string& name, NameUse use);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_NAMES_FILE_NAME_H_
