// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/policy.h>

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>

namespace millrace {
namespace {

TEST(Error, CarriesCodeSentenceAndLocation) {
  const Error error(ErrorCode::kInvalidArgument, "qp is 52, expected 0 to 51");
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_STREQ(error.what(), "qp is 52, expected 0 to 51");
  EXPECT_EQ(error.detail(), 0);
  EXPECT_NE(std::string(error.where().file_name()).find("error_test.cc"), std::string::npos);
}

// Sources that are compiled together keep their names (tools/bazel/compile_together.bzl).
TEST(Error, CarriesTheNameOfALibrarysSource) {
  try {
    parse_policy("none");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string_view(error.where().file_name()).ends_with("runtime/tasks/policy.cc"))
        << error.where().file_name();
  }
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

std::string message_of(const std::function<void()>& function, ErrorCode code) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_NE(std::string(error.where().file_name()).find("error_test.cc"), std::string::npos);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Check, StatesTheValueAndTheRange) {
  EXPECT_NO_THROW(check_range("window", 1, 1, 64));
  EXPECT_NO_THROW(check_range("window", 64, 1, 64));
  for (const int value : {0, 65, -1}) {
    EXPECT_EQ(message_of([&] { check_range("window", value, 1, 64); }, ErrorCode::kInvalidArgument),
              "window is " + std::to_string(value) + "; it must be 1 to 64");
  }
}

TEST(Check, RejectsNullPointersAndFiles) {
  const int value = 0;
  EXPECT_NO_THROW(check_not_null("value", &value));
  EXPECT_EQ(message_of([] { check_not_null("value", nullptr); }, ErrorCode::kInvalidArgument),
            "value is null; pass the address of its memory");
  EXPECT_EQ(message_of([] { reject_file("a.npy", "is truncated"); }, ErrorCode::kIo),
            "a.npy: is truncated");
}

}  // namespace
}  // namespace millrace
