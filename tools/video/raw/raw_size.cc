// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/raw/raw_size.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace millrace::tools {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_word(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }

// Returns 0 if `digits` are not a size.
int size_of(std::string_view digits) {
  return digits.empty() || digits.size() > 5 ? 0 : std::stoi(std::string(digits));
}

// Returns the size around the x at `cross`; a side is 0 if there is none.
RawSize size_around(std::string_view name, std::size_t cross) {
  const std::string_view before = name.substr(0, cross);
  const std::string_view after = name.substr(cross + 1);
  // npos + 1 is 0: a name of nothing but digits begins with them.
  const std::size_t first = before.find_last_not_of(kDigits) + 1;
  const std::size_t end = std::min(after.find_first_not_of(kDigits), after.size());
  if (first > 0 && is_word(name[first - 1])) return {};
  if (end < after.size() && is_word(after[end])) return {};
  return {size_of(before.substr(first)), size_of(after.substr(0, end))};
}

}  // namespace

std::optional<RawSize> raw_size_from_name(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  std::optional<RawSize> size;
  for (std::size_t i = name.find_first_of("xX"); i != name.npos;
       i = name.find_first_of("xX", i + 1)) {
    const RawSize found = size_around(name, i);
    if (found.width > 0 && found.height > 0) size = found;
  }
  return size;
}

}  // namespace millrace::tools
