// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/nearest_name.h>

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(EditDistance, CountsLettersThatChange) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "elm"), 3U);
  EXPECT_EQ(edit_distance("elm", "elm"), 0U);
  EXPECT_EQ(edit_distance("elmm", "elm"), 1U);
  EXPECT_EQ(edit_distance("code", "coda"), 1U);
  EXPECT_EQ(edit_distance("devcie", "device"), 1U);
  EXPECT_EQ(edit_distance("sort", "report"), 3U);
}

TEST(NearestName, IsOneName) {
  const std::vector<std::string> names = {"devices", "idct", "sort", "report", "three-star"};
  EXPECT_EQ(nearest_name("device", names), "devices");
  EXPECT_EQ(nearest_name("idtc", names), "idct");
  EXPECT_EQ(nearest_name("sotr", names), "sort");
  EXPECT_EQ(nearest_name("threestars", names), "three-star");
}

TEST(NearestName, IsNoneWhereMoreThanAThirdOfTheLettersWouldChange) {
  const std::vector<std::string> names = {"devices", "me", "--device", "-o"};
  for (const char* const word : {"bake", "", "m", "-x", "--loud", "--", "dvcs"}) {
    EXPECT_EQ(nearest_name(word, names), "") << word;
  }
}

TEST(Suggestion, IsAQuestionOrNothing) {
  EXPECT_EQ(suggestion("--devcie", {"--device", "--force"}), "; did you mean '--device'?");
  EXPECT_EQ(suggestion("--loud", {"--device", "--force"}), "");
}

}  // namespace
}  // namespace millrace
