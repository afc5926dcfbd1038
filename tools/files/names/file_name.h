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

// The open descriptor that a name stands for: "-", /dev/stdin, /dev/stdout, /dev/stderr,
// /dev/fd/N, /proc/self/fd/N, and links to them. Empty for every other name.
std::optional<int> descriptor_in(const std::string& name, NameUse use);

// The absolute path of the file that `name` names once links are followed, of which the last may
// name a file that is not there yet. Never throws; a path that cannot be followed stays.
std::string followed(const std::string& name);

// Equal for two names of one file, pipe or descriptor. Devices such as /dev/null have no identity:
// empty.
std::string identity_of(const std::string& name, NameUse use);

// Returns true if output to `name` goes to standard output.
bool is_standard_output(const std::string& name);

// Returns true if that is so for one of `names`, of which some may be empty.
bool has_standard_output(const std::vector<std::string>& names);

// Returns true if `name` is a descriptor, a pipe or a device, which is written directly.
bool is_written_directly(const std::string& name);

// As messages say it: "standard output" for "-", else the name.
std::string shown_name(const std::string& name, NameUse use);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_NAMES_FILE_NAME_H_
