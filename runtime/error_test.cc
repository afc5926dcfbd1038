#include <gtest/gtest.h>
#include <millrace/runtime/error.h>

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

}  // namespace
}  // namespace millrace
