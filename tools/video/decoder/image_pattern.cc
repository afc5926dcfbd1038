// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/decoder/image_pattern.h>

#include <glob.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& pattern, const std::string& sentence) {
  throw Error(ErrorCode::kIo, pattern + ": " + sentence);
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Returns the length of a %d or %03d at `position`; 0 if there is none.
std::size_t number_length(std::string_view pattern, std::size_t position) {
  std::size_t end = position + 1;
  while (end < pattern.size() && is_digit(pattern[end])) ++end;
  return end < pattern.size() && pattern[end] == 'd' ? end + 1 - position : 0;
}

// Returns the position of the only number; npos if there is none, or several.
std::size_t find_number(std::string_view pattern) {
  std::size_t found = pattern.npos;
  for (std::size_t position = pattern.find('%'); position != pattern.npos;
       position = pattern.find('%', position)) {
    if (number_length(pattern, position) > 0) {
      if (found != pattern.npos) return pattern.npos;
      found = position;
    }
    position += pattern.substr(position).starts_with("%%") ? 2 : 1;
  }
  return found;
}

std::string without_doubled_percents(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    plain += text[i];
    if (text.substr(i).starts_with("%%")) ++i;
  }
  return plain;
}

std::size_t count_matches(const std::string& pattern) {
  glob_t found = {};
  const int result = ::glob(pattern.c_str(), 0, nullptr, &found);
  const std::size_t count = result == 0 ? found.gl_pathc : 0;
  globfree(&found);
  return count;
}

// Returns the number in `name` between both ends; it has at least as many digits as the pattern.
std::optional<std::int64_t> number_in(std::string_view name, std::string_view prefix,
                                      std::string_view suffix, std::size_t digits) {
  if (name.size() <= prefix.size() + suffix.size()) return std::nullopt;
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  const std::string_view text =
      name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (rest != end || error != std::errc() || number < 0) return std::nullopt;
  const bool is_padded = text.size() > std::max<std::size_t>(digits, 1) && text[0] == '0';
  if (is_padded || text.size() < digits) return std::nullopt;
  return number;
}

}  // namespace

ImagePattern::ImagePattern(const std::string& pattern) {
  const std::size_t percent = find_number(pattern);
  if (percent != pattern.npos) {
    is_numbered_ = true;
    find_numbers(pattern, percent);
    return;
  }
  if (pattern.find_first_of("*?[") == pattern.npos) {
    fail(pattern, "--pattern needs one number such as %d or %03d in the name, or * or ?");
  }
  if (count_matches(pattern) == 0) {
    fail(pattern,
         "no file has a name of this pattern; give one that names files, such as shot%03d.png");
  }
}

void ImagePattern::find_numbers(const std::string& pattern, std::size_t percent) {
  const std::size_t length = number_length(pattern, percent);
  const std::size_t slash = pattern.rfind('/', percent);
  if (pattern.find('/', percent) != pattern.npos) {
    fail(pattern,
         "--pattern takes a number in the name of files, not of folders; write it behind the last "
         "/");
  }
  const std::size_t name = slash == pattern.npos ? 0 : slash + 1;
  const std::string prefix =
      without_doubled_percents(std::string_view(pattern).substr(name, percent - name));
  const std::string suffix =
      without_doubled_percents(std::string_view(pattern).substr(percent + length));
  std::size_t digits = 0;
  std::from_chars(pattern.data() + percent + 1, pattern.data() + percent + length - 1, digits);
  const std::string folder = without_doubled_percents(std::string_view(pattern).substr(0, name));

  std::vector<std::int64_t> numbers;
  std::error_code error;
  for (fs::directory_iterator file(folder.empty() ? "." : folder, error), end;
       file != end && !error; file.increment(error)) {
    const auto number = number_in(file->path().filename().string(), prefix, suffix, digits);
    if (number) numbers.push_back(*number);
  }
  if (numbers.empty()) {
    fail(pattern,
         "no file has a name of this pattern; give one that names files, such as shot%03d.png");
  }
  std::ranges::sort(numbers);
  first_number_ = numbers.front();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t expected = first_number_ + static_cast<std::int64_t>(i);
    if (numbers[i] == expected) continue;
    fail(pattern, "number " + std::to_string(expected) + " is missing, and " +
                      std::to_string(numbers.size() - i) +
                      " files come after it; name them by * instead to take all");
  }
}

}  // namespace millrace::tools
