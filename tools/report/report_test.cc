// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/page/document_lookup.h>
#include <millrace/tools/report/report.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <variant>

namespace millrace::tools {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Figure& figure(const std::vector<Figure>& figures, const std::string& title) {
  const auto found = std::ranges::find_if(
      figures, [&](const Figure& each) { return title_of(each.chart) == title; });
  if (found == figures.end()) throw std::runtime_error("no figure " + title);
  return *found;
}

TEST(Report, HasRatesOverSizesOfEachDevice) {
  const Document document = report_of(merged({made_up_results("lab")}), {});
  const auto figures = blocks<Figure>(section(document, "tree"));
  const auto& chart = std::get<LineChart>(figure(figures, "tree on tbb").chart);
  ASSERT_EQ(chart.lines.size(), 2U);
  EXPECT_EQ(chart.lines[0].name, "persistent");
  ASSERT_EQ(chart.lines[0].points.size(), 2U);
  EXPECT_EQ(chart.lines[0].points[0].x, 10);
  EXPECT_EQ(chart.lines[0].points[0].y, 2000);  // 1000 tasks in half a second.
  EXPECT_NEAR(chart.lines[0].points[0].low, 2000 / 1.01, 1e-9);
  EXPECT_NEAR(chart.lines[0].points[0].high, 2000 / 0.99, 1e-9);
  EXPECT_EQ(chart.y_label, "tasks/s");
  const auto& best = std::get<LineChart>(figure(figures, "tree: the best of each device").chart);
  EXPECT_EQ(best.lines.size(), 2U);
  EXPECT_EQ(best.lines[0].name, "tbb");
  EXPECT_EQ(best.lines[0].points[1].y, 250);
}

// Times are in the ratio of 1 to 2 at 10 and 2 to 1 at 160: equal at the geometric mean.
TEST(Report, HasCrossoversOfPolicies) {
  const Document document = report_of(merged({made_up_results("lab")}), {});
  const Section& tree = section(document, "tree");
  const auto tables = blocks<Table>(tree);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_THAT(tables[0].rows,
              ElementsAre(ElementsAre("tbb", "persistent", "uberkernel", "40", "10", "160")));
  const auto figures = blocks<Figure>(tree);
  const auto& chart = std::get<LineChart>(figure(figures, "tree on tbb").chart);
  ASSERT_EQ(chart.marks.size(), 1U);
  EXPECT_NEAR(chart.marks[0].x, 40, 1e-9);
}

TEST(Report, HasBitRatesOfEncodes) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("rd", "tbb", "", 24, 2)};
  results.measurements[0].strategy = "paper";
  results.measurements[0].values = {{"kbit/s, QP 32", 1000}, {"PSNR YUV, QP 32", 40}};
  const Document document = report_of(merged({results}), {});
  const auto tables = blocks<Table>(section(document, "rd"));
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_THAT(tables[0].rows,
              ElementsAre(ElementsAre("tbb", "paper", "500", "1000.0", "40.00", "")));
}

TEST(Report, HasSpeedUpsOverTheBaselineThatIsChosen) {
  const MergedResults all = merged({made_up_results("lab"), made_up_results("other")});
  const Document document = report_of(all, {.baseline = "other:cuda:0:persistent"});
  const auto figures = blocks<Figure>(section(document, "tree"));
  const auto& chart =
      std::get<LineChart>(figure(figures, "tree: speed-up over cuda:0 (other), persistent").chart);
  EXPECT_EQ(chart.reference, 1);
  const auto lab = std::ranges::find(chart.lines, "tbb (lab)", &ChartLine::name);
  ASSERT_NE(lab, chart.lines.end());
  EXPECT_EQ(lab->points[0].y, 0.5);
  EXPECT_EQ(lab->points[1].y, 0.125);
  EXPECT_NEAR(lab->points[0].low, 0.5 * 0.99 / 1.01, 1e-9);
}

TEST(Report, HasLimitsAndEnergyWhereTheyAreKnown) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("copy", "cuda:0", "", 5, 2)};
  const Document without = report_of(merged({results}), {});
  EXPECT_EQ(blocks<Figure>(section(without, "copy")).size(), 1U);
  results.measurements[0].limit = "link";
  results.measurements[0].limit_fraction = 0.75;
  results.measurements[0].joules = 4;
  const Document with = report_of(merged({results}), {});
  const auto figures = blocks<Figure>(section(with, "copy"));
  const auto& limit = std::get<BarChart>(figure(figures, "copy: fraction of the limit").chart);
  EXPECT_THAT(limit.bars[0].figures, ElementsAre(75));
  EXPECT_THAT(limit.bars[0].name, HasSubstr("of link"));
  const auto& energy =
      std::get<BarChart>(figure(figures, "copy: energy of one of the tasks").chart);
  EXPECT_THAT(energy.bars[0].figures, ElementsAre(0.004));
}

TEST(Report, OpensWithPicturesAndHasTablesBelow) {
  Results results = made_up_results("lab");
  for (Measurement& each : results.measurements) {
    each.limit = "copy";
    each.limit_fraction = each.device == "tbb" ? 0.25 : 0.5;
  }
  const Document document = report_of(merged({results}), {});
  EXPECT_EQ(document.sections[0].title, "At a glance");
  EXPECT_EQ(document.sections[1].title, "Summary");
  EXPECT_TRUE(blocks<Table>(document.sections[0]).empty());
  const auto figures = blocks<Figure>(document.sections[0]);
  ASSERT_EQ(figures.size(), 3U);
  const auto& fractions =
      std::get<BarChart>(figure(figures, "Fraction of the limit, by workload and device").chart);
  ASSERT_EQ(fractions.bars.size(), 2U);
  EXPECT_EQ(fractions.bars[0].name, "tree on tbb, size 160, of copy");
  EXPECT_THAT(fractions.bars[0].figures, ElementsAre(25));
  const auto& rates = std::get<LineChart>(figure(figures, "tree: rate over size").chart);
  EXPECT_EQ(rates.lines.size(), 2U);
  const auto& cascade =
      std::get<CascadeChart>(figure(figures, "Cascade of the best of Millrace, by workload").chart);
  ASSERT_EQ(cascade.lines.size(), 1U);
  EXPECT_THAT(cascade.lines[0].efficiencies, ElementsAre(0.5, 0.25));
  EXPECT_DOUBLE_EQ(cascade.lines[0].portability, 2 / (2 + 4.0));
}

TEST(Report, SaysWhyThereIsNoCascadeOfOnePlatform) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("tree", "tbb", "persistent", 10, 1)};
  const Document document = report_of(merged({results}), {});
  EXPECT_THAT(blocks<Paragraph>(section(document, "At a glance")),
              ElementsAre(HasSubstr("two devices or more")));
}

// At 160 items tbb does 125 a second under `persistent` and 250 under `uberkernel`; cuda:0 has
// `persistent` alone.
TEST(Report, HasEfficienciesAndPortabilityOfEachContender) {
  Results results = made_up_results("lab");
  results.measurements[1].limit_fraction = 0.25;
  results.measurements[5].limit_fraction = 0.75;
  const Document document = report_of(merged({results}), {});
  const Section& tree = section(document, "Performance portability").sections.at(0);
  EXPECT_EQ(tree.title, "tree");
  EXPECT_THAT(blocks<Table>(tree).at(0).rows,
              ElementsAre(ElementsAre("Millrace, best", "1.00 / ?", "1.00 / 0.75", "1.00 / ?"),
                          ElementsAre("persistent", "0.50 / 0.25", "1.00 / 0.75", "0.67 / 0.38"),
                          ElementsAre("uberkernel", "1.00 / ?", "0", "0 / 0")));
  const auto cascade = std::get<CascadeChart>(blocks<Figure>(tree).at(0).chart);
  ASSERT_EQ(cascade.lines.size(), 3U);
  EXPECT_EQ(cascade.lines[2].name, "uberkernel");
  EXPECT_THAT(cascade.lines[2].efficiencies, ElementsAre(1, 0));
}

TEST(Report, HasRooflinesOfDeclaredBytesAndOperations) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("idct", "tbb", "auto", 10, 2)};
  results.measurements[0].bytes = 8000;
  results.measurements[0].operations = 4000;
  results.limits = {{"tbb", "copy", 16000, "B/s"}};
  const Document document = report_of(merged({results}), {});
  const Section& rooflines = section(document, "Rooflines");
  EXPECT_THAT(blocks<Table>(rooflines).at(0).rows,
              ElementsAre(ElementsAre("idct", "tbb", "10", "8.00", "4.00", "0.50", "2.00 k op/s",
                                      "8.00 k op/s, copy", "25.0 %")));
  const auto chart = std::get<LineChart>(blocks<Figure>(rooflines).at(0).chart);
  ASSERT_EQ(chart.lines.size(), 2U);
  EXPECT_EQ(chart.lines[0].name, "limit: copy");
  EXPECT_EQ(chart.lines[0].points[0].y / chart.lines[0].points[0].x, 16000);
  EXPECT_EQ(chart.lines[1].points[0].x, 0.5);
  EXPECT_EQ(chart.lines[1].points[0].y, 2000);
}

TEST(Report, HasARoofThatBendsAtTheLimitOfArithmetic) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("idct", "tbb", "auto", 10, 2)};
  results.measurements[0].bytes = 8000;
  results.measurements[0].operations = 4000;
  results.measurements[0].operation_limit = "additions";
  results.limits = {{"tbb", "copy", 16000, "B/s"}, {"tbb", "additions", 8000, "op/s"}};
  const Document document = report_of(merged({results}), {});
  const auto figures = blocks<Figure>(section(document, "Rooflines"));
  const ChartLine& roof = std::get<LineChart>(figures.at(0).chart).lines.at(0);
  ASSERT_EQ(roof.points.size(), 3U);
  EXPECT_EQ(roof.points[1].x, 0.5);
  EXPECT_EQ(roof.points[1].y, 8000);
  EXPECT_EQ(roof.points[2].y, 8000);
}

TEST(Report, HasATableOfMetg) {
  Results results = made_up_results("lab");
  EXPECT_THROW(section(report_of(merged({results}), {}), "METG"), std::runtime_error);
  results.measurements = {made_up("joins-metg", "tbb", "auto", 1000, 2e-6, 0.5)};
  results.measurements[0].input = "stencil_1d";
  const Document document = report_of(merged({results}), {});
  EXPECT_THAT(blocks<Table>(section(document, "METG")).at(0).rows,
              ElementsAre(ElementsAre("stencil_1d", "tbb", "auto", "1000", "2.00 µs",
                                      "1.00 µs to 3.00 µs", "6")));
}

TEST(Report, HasEnergyOfItemsAndSaysWhereItIsNotKnown) {
  Results results = made_up_results("lab");
  results.measurements[5].joules = 4;  // cuda:0, half a second, 1000 items.
  const Document document = report_of(merged({results}), {});
  const Section& energy = section(document, "Energy");
  EXPECT_THAT(blocks<Table>(energy).at(0).rows,
              ElementsAre(ElementsAre("tree", "cuda:0", "160", "persistent", "4.00 J", "4.00 mJ",
                                      "8.00 J/s", "tasks")));
  EXPECT_THAT(blocks<Paragraph>(energy), ElementsAre(HasSubstr("Not known on tbb: no counter")));
}

TEST(Report, SaysOfWhichMachinesEnergyWasNotMeasured) {
  Results quick = made_up_results("quick");
  quick.command = "millrace bench idct --quick --label 'a laptop'";
  Results other = made_up_results("other");
  other.command = "millrace bench idct --quicksand";
  const Document both = report_of(merged({quick, other}), {});
  const auto energy = blocks<Paragraph>(section(both, "Energy"));
  ASSERT_EQ(energy.size(), 2U);
  EXPECT_THAT(energy[0], AllOf(HasSubstr("no counter could be read"), HasSubstr("other"),
                               Not(HasSubstr("quick"))));
  EXPECT_THAT(energy[1],
              AllOf(HasSubstr("the run was --quick"), HasSubstr("tbb"), Not(HasSubstr("other"))));
}

TEST(Report, SummarizesTheLargestSize) {
  const Document document = report_of(merged({made_up_results("lab")}), {});
  const auto tables = blocks<Table>(section(document, "Summary"));
  ASSERT_EQ(tables.size(), 1U);
  ASSERT_EQ(tables[0].rows.size(), 2U);
  EXPECT_THAT(tables[0].rows[0],
              ElementsAre("tree", "tbb", "160", "uberkernel", "250 tasks/s", testing::_, "", ""));
}

TEST(Report, SaysWhatDidNotWork) {
  Results results = made_up_results("lab");
  results.is_complete = false;
  results.measurements[0].status = MeasurementStatus::kWrong;
  results.measurements[0].message = "differs at 3";
  results.measurements[1].status = MeasurementStatus::kWrong;
  results.measurements[1].message = "differs at 3";
  const Document document = report_of(merged({results}), {});
  const auto tables = blocks<Table>(section(document, "What did not work"));
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_THAT(tables[0].rows, ElementsAre(ElementsAre("tree", "tbb", "persistent", "10, 160",
                                                      "wrong result, not timed", "differs at 3")));
  EXPECT_THAT(blocks<Paragraph>(section(document, "Summary")),
              ElementsAre(HasSubstr("lab was not finished")));
}

TEST(Report, ComparesAutoWithTheBestPolicyOfEachConfiguration) {
  Results results = made_up_results("lab");
  EXPECT_THROW(section(report_of(merged({results}), {}), "The policy that chooses itself"),
               std::runtime_error);
  results.measurements.push_back(made_up("tree", "tbb", "auto", 10, 0.75));
  results.measurements.push_back(made_up("tree", "tbb", "auto", 160, 4));
  results.measurements.push_back(made_up("tree", "cuda:0", "auto", 10, 0.25));
  results.measurements.back().values["first run s"] = 1;
  const Document document = report_of(merged({results}), {});
  const auto tables = blocks<Table>(section(document, "The policy that chooses itself"));
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_THAT(
      tables[0].rows,
      ElementsAre(ElementsAre("tbb", "auto", "2", "1.25", "50.0 %", "100 %", "1.50"),
                  ElementsAre("cuda:0", "auto", "1", "1.00", "100 %", "100 %", "1.00"),
                  ElementsAre("cuda:0", "auto's first run", "1", "4.00", "0 %", "0 %", "4.00"),
                  ElementsAre("all", "auto", "3", "1.00", "66.7 %", "100 %", "1.50"),
                  ElementsAre("all", "auto's first run", "1", "4.00", "0 %", "0 %", "4.00")));
  EXPECT_THAT(
      tables[1].rows,
      ElementsAre(
          ElementsAre("tree, size 10", "tbb", "persistent", "1.50", "1.50 to 1.50", "", ""),
          ElementsAre("tree, size 160", "tbb", "uberkernel", "1.00", "1.00 to 1.00", "", ""),
          ElementsAre("tree, size 10", "cuda:0", "persistent", "1.00", "1.00 to 1.00", "",
                      "4.00")));
}

TEST(Report, OfNothingSaysSo) {
  const Document document = report_of(merged({made_up_machine("idle")}), {.title = "Quiet"});
  EXPECT_EQ(document.title, "Quiet");
  EXPECT_THAT(blocks<Paragraph>(section(document, "Summary")),
              ElementsAre("Nothing of Millrace was timed."));
}

TEST(Report, DrawsTimelinesBesideTheFile) {
  Results results = made_up_results("lab");
  results.measurements[0].trace = "a.trace.json";
  results.measurements[5].trace = "none.json";
  Measurement empty = made_up("other", "tbb", "", 1, 1);
  empty.trace = "empty.json";
  results.measurements.push_back(empty);
  std::ofstream(testing::TempDir() + "/empty.json") << R"({"traceEvents": []})";
  MergedResults all = merged({results});
  all.machines[0].file = testing::TempDir() + "/lab.json";
  std::ofstream(testing::TempDir() + "/a.trace.json")
      << R"({"traceEvents": [{"ph": "X", "tid": 0, "name": "a", "ts": 0, "dur": 10},
                             {"ph": "X", "tid": 1, "name": "b", "ts": 5, "dur": 15}]})";
  const Document document = report_of(all, {});
  const Section& timelines = section(document, "Timelines");
  const auto figures = blocks<Figure>(timelines);
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(std::get<LaneChart>(figures[0].chart).lanes.size(), 2U);
  EXPECT_THAT(figures[0].caption,
              HasSubstr("Of 20.0 µs, two or more lanes were at work in 25.0 % and"));
  EXPECT_THAT(blocks<Paragraph>(timelines),
              ElementsAre(HasSubstr("none.json, is not beside"), HasSubstr("is empty")));
}

TEST(Report, ReadsNoTimelineFromElsewhere) {
  for (const char* const trace : {"/etc/passwd", "../lab.json", "a/../../b"}) {
    Results results = made_up_results("lab");
    results.measurements[0].trace = trace;
    const Document document = report_of(merged({results}), {});
    const Section& timelines = section(document, "Timelines");
    EXPECT_TRUE(blocks<Figure>(timelines).empty()) << trace;
    EXPECT_THAT(blocks<Paragraph>(timelines), ElementsAre(HasSubstr("is not beside the file")));
  }
}

}  // namespace
}  // namespace millrace::tools
