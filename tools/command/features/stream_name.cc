// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/stream_name.h>
#include <millrace/tools/video/decoder/clip_input.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>
#include <utility>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

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
  std::sort(paths.begin(), paths.end());
  for (std::string& path : paths) names.push_back({std::move(path), true});
}

void add_path(const std::string& path, std::vector<StreamName>& names) {
  if (!is_folder(path)) return names.push_back({path, false});
  const std::size_t before = names.size();
  add_folder(path, names);
  if (names.size() == before) reject(path + ": has no files; give a folder of streams");
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

bool can_grow(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments, [](const std::string& argument) {
    return argument.starts_with('@') ? argument != "@-" : is_folder(argument);
  });
}

std::vector<StreamName> find_growing_streams(const std::vector<std::string>& arguments) {
  std::vector<StreamName> names;
  for (const std::string& argument : arguments) {
    std::vector<StreamName> own;
    if (argument.starts_with('@')) {
      add_list(argument.substr(1), own);
    } else if (is_folder(argument)) {
      add_folder(argument, own);
    } else {
      names.push_back({argument, false});
    }
    std::ranges::copy_if(own, std::back_inserter(names), [](const StreamName& name) {
      std::error_code error;
      const std::uintmax_t bytes = fs::file_size(name.path, error);
      return !error && bytes >= kLeastStreamBytes;
    });
  }
  return names;
}

}  // namespace millrace::tools
