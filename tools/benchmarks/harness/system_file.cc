// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/system_file.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

namespace millrace::tools {
namespace {

constexpr char kSpaces[] = " \t\"";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

}  // namespace

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::optional<std::uint64_t> number_of_file(const std::filesystem::path& path) {
  const std::string text = text_of_file(path);
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return {};
  return number;
}

std::vector<std::filesystem::path> entries_of_folder(const std::filesystem::path& folder,
                                                     const std::string& start) {
  std::vector<std::filesystem::path> found;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
    if (entry.path().filename().string().starts_with(start)) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::string value_in_file(const std::filesystem::path& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t separator = line.find_first_of(":=");
    if (separator == std::string::npos || trimmed(line.substr(0, separator)) != key) continue;
    return trimmed(line.substr(separator + 1));
  }
  return "";
}

}  // namespace millrace::tools
