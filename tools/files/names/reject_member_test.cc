// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/names/reject_member.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::tools {
namespace {

std::string message_for(const std::vector<std::string>& names, const std::string& wanted) {
  try {
    reject_member("t.npz", "arrays", names, wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
}

TEST(RejectMemberTest, OneOfSeveralIsToBeNamed) {
  EXPECT_EQ(message_for({"a", "b"}, ""), "t.npz: has the arrays a, b; name one: t.npz:NAME");
}

TEST(RejectMemberTest, AMisspelledNameGetsTheNearest) {
  EXPECT_EQ(message_for({"weights", "counts"}, "weihgts"),
            "t.npz: has the arrays weights, counts, and none is named 'weihgts'; did you mean "
            "'weights'?");
}

TEST(RejectMemberTest, AnotherNameGetsTheList) {
  EXPECT_EQ(message_for({"weights", "counts"}, "x"),
            "t.npz: has the arrays weights, counts, and none is named 'x'; name one of these");
}

TEST(RejectMemberTest, OfManyNamesTwentyAreListed) {
  std::vector<std::string> names;
  for (int i = 100; i < 125; ++i) names.push_back("n" + std::to_string(i));
  EXPECT_EQ(message_for(names, ""),
            "t.npz: has the arrays n100, n101, n102, n103, n104, n105, n106, n107, n108, n109, "
            "n110, n111, n112, n113, n114, n115, n116, n117, n118, n119 and 5 others; name one: "
            "t.npz:NAME");
}

TEST(RejectMemberTest, AFileWithoutMembers) {
  EXPECT_EQ(message_for({}, "a"), "t.npz: has no arrays; give a file that has some");
}

}  // namespace
}  // namespace millrace::tools
