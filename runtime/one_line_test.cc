#include <millrace/runtime/one_line.h>

#include <string>

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(OneLineTest, EscapesControlCharactersOnly) {
  using namespace std::string_literals;
  const struct {
    std::string message;
    const char* line;
  } kCases[] = {
      {"", ""},
      {"clip.y4m: truncated", "clip.y4m: truncated"},
      {"a\nb\r\tc", "a\\nb\\r\\tc"},
      {"\x1b]0;title\x07", "\\x1b]0;title\\x07"},
      {"a\0b\x7f"s, "a\\x00b\\x7f"},
      {"Z\xC3\xBCrich \\n", "Z\xC3\xBCrich \\n"},
  };
  for (const auto& [message, line] : kCases) EXPECT_EQ(one_line(message), line);
}

}  // namespace
}  // namespace millrace
