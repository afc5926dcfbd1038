// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/stream_name.h>
#include <millrace/tools/video/decoder/clip_input.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

void add_folder(const std::string& folder, std::vector<StreamName>& names) {
  std::vector<std::string> paths;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const bool is_hidden = entry->path().filename().string().starts_with('.');
    std::error_code ignored;
    if (is_hidden && entry->is_directory(ignored)) entry.disable_recursion_pending();
    if (!is_hidden && entry->is_regular_file(ignored)) paths.push_back(entry->path().string());
  }
  if (error) throw Error(ErrorCode::kIo, folder + ": cannot be read: " + error.message());
  if (paths.empty()) {
    reject(folder + ": has no files; give a folder of streams");
  }
  std::sort(paths.begin(), paths.end());
  for (std::string& path : paths) names.push_back({std::move(path), true});
}

void add_path(const std::string& path, std::vector<StreamName>& names) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    add_folder(path, names);
  } else {
    names.push_back({path, false});
  }
}

void add_list(const std::string& list, std::vector<StreamName>& names) {
  std::ifstream file;
  if (list != "-") file.open(list);
  std::istream& lines = list == "-" ? std::cin : file;
  if (!lines) throw Error(ErrorCode::kIo, list + ": cannot be read; @ begins the name of a list");
  std::string line;
  while (std::getline(lines, line)) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty() && line[0] != '#') add_path(line, names);
  }
  if (lines.bad()) throw Error(ErrorCode::kIo, list + ": cannot be read to its end");
}

}  // namespace

std::vector<StreamName> find_stream_names(const std::vector<std::string>& arguments) {
  std::vector<StreamName> names;
  for (const std::string& argument : arguments) {
    if (argument.starts_with('@')) {
      add_list(argument.substr(1), names);
    } else {
      add_path(argument, names);
    }
  }
  if (names.empty()) {
    reject(
        "no streams: the lists that were given are empty; write the name of a stream on each line");
  }
  const auto is_input = [](const StreamName& name) { return is_standard_input(name.path); };
  const bool reads_list = std::count(arguments.begin(), arguments.end(), "@-") > 0;
  if (std::count_if(names.begin(), names.end(), is_input) + reads_list > 1) {
    reject("standard input is named twice; it can be read once, so name it once");
  }
  return names;
}

}  // namespace millrace::tools
