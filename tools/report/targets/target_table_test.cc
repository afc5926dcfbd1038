// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/report.h>
#include <millrace/tools/report/targets/target_table.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::ElementsAre;

TargetSet sample_set() {
  Target rate;
  rate.of.workload = "tree";
  rate.of.size = 160;
  rate.of.device = "tbb";
  rate.bar = 300;
  rate.source = "a paper";
  Target ratio = rate;
  ratio.figure = FigureKind::kRatio;
  ratio.to.policy = "persistent";
  ratio.is_least = false;
  ratio.bar = 2.5;
  Target absent;
  absent.of.workload = "forest";
  TargetSet set;
  set.file = "folder/lab.json";
  set.label = "lab";
  set.targets = {rate, ratio, absent, absent};
  return set;
}

TEST(TargetTable, HasARowForEachTarget) {
  const TargetSet set = sample_set();
  const Results results = made_up_results("lab");
  const Table table = target_table(set, judge_targets(set, results));
  EXPECT_EQ(table.caption, "Targets of lab.json");
  EXPECT_THAT(table.rows,
              ElementsAre(ElementsAre("tree, size 160, on tbb", "uberkernel", "rate", "250 tasks/s",
                                      "248 tasks/s to 253 tasks/s", "at least 300 tasks/s",
                                      "missed", "a paper"),
                          ElementsAre("tree, size 160, on tbb", "uberkernel", "ratio to persistent",
                                      "2.00", "1.96 to 2.04", "at most 2.50", "met", "a paper")));
}

TEST(TargetTable, SumsUp) {
  const TargetSet set = sample_set();
  const Results results = made_up_results("lab");
  EXPECT_EQ(target_summary(set, judge_targets(set, results), results),
            "targets of lab.json: 1 met, 1 missed, 0 not known, 0 without a figure; "
            "2 not measured (forest)");
  const Results other = made_up_results("office");
  EXPECT_EQ(target_summary(set, judge_targets(set, other), other),
            "targets of lab.json are for label 'lab'; this machine has label 'office', device '', "
            "device '', so nothing is compared");
}

const Section* targets_of(const Document& document) {
  const auto found = std::ranges::find(document.sections, "Targets", &Section::title);
  return found == document.sections.end() ? nullptr : &*found;
}

TEST(TargetSection, HasTheMachinesThatTheTargetsAreFor) {
  const MergedResults all = merged({made_up_results("office"), made_up_results("lab")});
  const Document document = report_of(all, {.targets = {sample_set()}});
  const Section* const section = targets_of(document);
  ASSERT_NE(section, nullptr);
  ASSERT_EQ(section->blocks.size(), 2U);
  EXPECT_TRUE(std::get<Paragraph>(section->blocks[0]).starts_with("lab, targets of lab.json: "));
  EXPECT_EQ(std::get<Table>(section->blocks[1]).rows.size(), 2U);
}

TEST(TargetSection, SaysIfTheTargetsAreForNoMachine) {
  const Document document =
      report_of(merged({made_up_results("office")}), {.targets = {sample_set()}});
  const Section* const section = targets_of(document);
  ASSERT_NE(section, nullptr);
  ASSERT_EQ(section->blocks.size(), 1U);
  EXPECT_TRUE(std::get<Paragraph>(section->blocks[0])
                  .starts_with("office: targets of lab.json are for label 'lab'"));
}

TEST(TargetSection, IsNotThereWithoutTargets) {
  EXPECT_EQ(targets_of(report_of(merged({made_up_results("lab")}), {})), nullptr);
}

}  // namespace
}  // namespace millrace::tools
