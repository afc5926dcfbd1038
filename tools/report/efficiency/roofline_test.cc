// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/efficiency/roofline.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::DoubleEq;
using testing::Eq;
using testing::IsEmpty;
using testing::Optional;

// 1000 items in 2 s, of 8 bytes and 4 operations each: 4000 B/s, 2000 op/s, half an operation a
// byte.
Results transform_results() {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("idct", "tbb", "auto", 10, 2)};
  results.measurements[0].bytes = 8000;
  results.measurements[0].operations = 4000;
  results.measurements[0].operation_limit = "additions";
  return results;
}

RooflinePoint only_point(const MergedResults& all) {
  const std::vector<Group> groups = groups_of(all);
  return roofline_of(all, groups).at(0);
}

TEST(Roofline, HasWhatTheWorkloadDeclares) {
  const MergedResults all = merged({transform_results()});
  const RooflinePoint point = only_point(all);
  EXPECT_EQ(point.item_bytes, 8);
  EXPECT_EQ(point.item_operations, 4);
  EXPECT_EQ(point.intensity, 0.5);
  EXPECT_EQ(point.byte_rate, 4000);
  EXPECT_EQ(point.operation_rate, 2000);
  EXPECT_THAT(point.roof, Eq(std::nullopt));
}

TEST(Roofline, IsThatOfMemoryBelowTheRidge) {
  Results results = transform_results();
  results.limits = {{"cuda:0", "copy", 1, "B/s"},
                    {"tbb", "copy", 16000, "B/s"},
                    {"tbb", "additions", 1e6, "op/s"}};
  const MergedResults all = merged({results});
  const RooflinePoint point = only_point(all);
  EXPECT_THAT(point.roof, Optional(DoubleEq(0.5 * 16000)));
  EXPECT_THAT(point.fraction, Optional(DoubleEq(0.25)));
}

TEST(Roofline, IsThatOfArithmeticAboveTheRidge) {
  Results results = transform_results();
  results.limits = {{"tbb", "copy", 1e9, "B/s"}, {"tbb", "additions", 4000, "op/s"}};
  const MergedResults all = merged({results});
  EXPECT_THAT(only_point(all).roof, Optional(DoubleEq(4000)));
  EXPECT_THAT(only_point(all).fraction, Optional(DoubleEq(0.5)));
}

TEST(Roofline, HasNoRoofOfOtherArithmetic) {
  Results results = transform_results();
  results.limits = {{"tbb", "copy", 1e9, "B/s"}, {"tbb", "multiply-adds", 4000, "op/s"}};
  const MergedResults all = merged({results});
  EXPECT_EQ(only_point(all).arithmetic, nullptr);
  EXPECT_THAT(only_point(all).roof, Optional(DoubleEq(0.5e9)));
}

TEST(Roofline, TakesTheMeasurementsOwnLimitOfBytes) {
  Results results = transform_results();
  results.limits = {{"tbb", "copy", 1e9, "B/s"}, {"tbb", "upload", 8000, "B/s"}};
  results.measurements[0].limit = "upload";
  const MergedResults all = merged({results});
  EXPECT_THAT(only_point(all).roof, Optional(DoubleEq(4000)));
}

TEST(Roofline, OfWorkWithoutOperationsIsItsLimitOfBytes) {
  Results results = transform_results();
  results.measurements[0].operations = 0;
  results.limits = {{"tbb", "copy", 16000, "B/s"}};
  const MergedResults all = merged({results});
  EXPECT_EQ(only_point(all).intensity, 0);
  EXPECT_THAT(only_point(all).roof, Optional(DoubleEq(16000)));
  EXPECT_THAT(only_point(all).fraction, Optional(DoubleEq(0.25)));
}

TEST(Roofline, OfWorkThatDeclaresNeitherIsLeftOut) {
  Results results = transform_results();
  results.measurements[0].operations = 0;
  results.measurements[0].bytes = 0;
  const MergedResults all = merged({results});
  EXPECT_THAT(roofline_of(all, groups_of(all)), IsEmpty());
}

}  // namespace
}  // namespace millrace::tools
