// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/analysis/baseline.h>
#include <millrace/tools/report/analysis/made_up_results.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

std::string rejection(const MergedResults& merged, const std::string& text) {
  try {
    parse_baseline(merged, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "";
}

TEST(Baseline, NamesADeviceOrAContenderOnIt) {
  const MergedResults all = merged({made_up_results("a:b"), made_up_results("lab")});
  const Baseline device = parse_baseline(all, "a:b:cuda:0");
  EXPECT_EQ(device.platform, (Platform{0, "cuda:0"}));
  EXPECT_EQ(device.contender, "");
  const Baseline contender = parse_baseline(all, "lab:tbb:uberkernel");
  EXPECT_EQ(contender.platform, (Platform{1, "tbb"}));
  EXPECT_EQ(contender.contender, "uberkernel");
  EXPECT_EQ(baseline_name(all, contender), "tbb (lab), uberkernel");
}

TEST(Baseline, RejectsWhatIsNotThere) {
  const MergedResults all = merged({made_up_results("lab")});
  EXPECT_THAT(rejection(all, "lab:hip:0"), HasSubstr("there are: lab:cuda:0; lab:tbb"));
  EXPECT_THAT(rejection(all, "tbb"), HasSubstr("it is LABEL:DEVICE or LABEL:DEVICE:CONTENDER"));
  EXPECT_THAT(rejection(all, "lab:tbb:fast"),
              HasSubstr("of lab:tbb there are: persistent; uberkernel"));
}

TEST(Baseline, IsTheFirstMachinesCpuByDefault) {
  const MergedResults all = merged({made_up_results("lab"), made_up_results("other")});
  EXPECT_EQ(default_baseline(all).platform, (Platform{0, "tbb"}));
}

TEST(Baseline, HasTheBestOrTheContendersCurve) {
  const MergedResults all = merged({made_up_results("lab")});
  const Group group = groups_of(all).front();
  EXPECT_EQ(curve_of(group, {{0, "tbb"}, ""}).points.back()->median_seconds, 4);
  EXPECT_EQ(curve_of(group, {{0, "tbb"}, "persistent"}).points.back()->median_seconds, 8);
  EXPECT_TRUE(curve_of(group, {{0, "tbb"}, "another"}).points.empty());
}

}  // namespace
}  // namespace millrace::tools
