// SPDX-License-Identifier: Apache-2.0

// Small files in which the system describes itself.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_SYSTEM_FILE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_SYSTEM_FILE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Returns the text without the line break at its end; empty if the file cannot be read.
std::string text_of_file(const std::filesystem::path& path);

// Returns nothing if the file cannot be read or holds no number.
std::optional<std::uint64_t> number_of_file(const std::filesystem::path& path);

// Returns the entries whose names begin with `start`, sorted; empty if the folder cannot be read.
std::vector<std::filesystem::path> entries_of_folder(const std::filesystem::path& folder,
                                                     const std::string& start);

// Returns the text that follows `key` and a separator, ':' or '=', in the first such line of the
// file, without quotes and spaces around it; empty if there is none.
std::string value_in_file(const std::filesystem::path& path, const std::string& key);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_SYSTEM_FILE_H_
