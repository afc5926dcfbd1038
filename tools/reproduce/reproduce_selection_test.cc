// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/reproduce/reproduce_selection.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(ReproduceSelection, IsAllOfThem) {
  const ReproduceSelection all = select_reproductions("all", {});
  EXPECT_THAT(all.subjects, ElementsAre("idct", "motion", "sort", "three-star"));
  EXPECT_EQ(all.names.size(), 23u);
}

TEST(ReproduceSelection, IsOfASubject) {
  const ReproduceSelection selection = select_reproductions("three-star", {});
  EXPECT_THAT(selection.subjects, ElementsAre("three-star"));
  EXPECT_THAT(selection.names, ElementsAre("Fig. 10", "Fig. 11", "Fig. 9"));
}

TEST(ReproduceSelection, TakesNamesAsPeopleWriteThem) {
  const ReproduceSelection selection = select_reproductions("all", {"fig 5A", "table ii"});
  EXPECT_THAT(selection.names, ElementsAre("Fig. 5(a)", "Table II"));
  EXPECT_THAT(selection.subjects, ElementsAre("idct", "sort"));
  EXPECT_TRUE(selection.has("sort"));
  EXPECT_FALSE(selection.has("motion"));
}

TEST(ReproduceSelection, RejectsUnknownNames) {
  EXPECT_THAT([] { select_reproductions("video", {}); },
              ThrowsMessage<Error>(HasSubstr("there are: idct, motion, sort, three-star, all")));
  EXPECT_THAT(
      [] { select_reproductions("all", {"Fig. 99"}); },
      ThrowsMessage<Error>(HasSubstr("no table or figure 'Fig. 99'; there are: Fig. 5(a)")));
  EXPECT_THAT([] { select_reproductions("sort", {"Fig. 9"}); },
              ThrowsMessage<Error>(HasSubstr("Fig. 9 is of three-star, not of sort; run millrace "
                                             "reproduce three-star")));
}

}  // namespace
}  // namespace millrace::tools
