// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <millrace/runtime/core/error.h>

#include <string>

namespace millrace {
namespace {

TEST(Error, CarriesCodeSentenceAndPlace) {
  const Error error(ErrorCode::kInvalidArgument, "qp is 52, expected 0 to 51");
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_STREQ(error.what(), "qp is 52, expected 0 to 51");
  EXPECT_EQ(error.detail(), 0);
  EXPECT_NE(std::string(error.where().file_name()).find("error_test.cc"), std::string::npos);
}

TEST(Error, CarriesTheNumberOfAFailedTask) {
  const Error error(ErrorCode::kTaskFailed, "task failed", 7);
  EXPECT_EQ(error.detail(), 7);
  EXPECT_STREQ(to_string(error.code()), "TaskFailed");
}

TEST(Error, IsOneLineWhateverIsInIt) {
  using namespace std::string_literals;
  const struct {
    std::string message;
    const char* line;
  } messages[] = {
      {"a\nb: no such file", "a\\nb: no such file"},
      {"'1\r\n2' is no number", "'1\\r\\n2' is no number"},
      {"a\tb", "a\\tb"},
      {"\x1b[2J", "\\x1b[2J"},
      {"a\0b"s, "a\\x00b"},
      {"\x7f", "\\x7f"},
      {"Z\xC3\xBCrich \\n", "Z\xC3\xBCrich \\n"},
  };
  for (const auto& [message, line] : messages) {
    EXPECT_STREQ(Error(ErrorCode::kIo, message).what(), line);
  }
}

}  // namespace
}  // namespace millrace
