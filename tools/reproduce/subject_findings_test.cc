// SPDX-License-Identifier: Apache-2.0

// Each paper's findings on tables that were made up, such that they hold, and such that they do
// not.
#include <millrace/tools/reproduce/idct/idct_findings.h>
#include <millrace/tools/reproduce/motion/motion_findings.h>
#include <millrace/tools/reproduce/sort/sort_findings.h>
#include <millrace/tools/reproduce/tables/paper_table.h>
#include <millrace/tools/reproduce/three_star/three_star_findings.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr FindingVerdict kHolds = FindingVerdict::kHolds;
constexpr FindingVerdict kWeaker = FindingVerdict::kWeaker;
constexpr FindingVerdict kFails = FindingVerdict::kFails;
constexpr FindingVerdict kUntested = FindingVerdict::kUntested;

std::vector<FindingVerdict> verdicts(const std::vector<Finding>& findings) {
  std::vector<FindingVerdict> all;
  for (const Finding& finding : findings) all.push_back(finding.verdict);
  return all;
}

DataTable table(const std::vector<std::string>& columns, std::vector<TableRow> rows) {
  DataTable made{"what", {}, std::move(rows), {}};
  for (const std::string& column : columns) made.columns.push_back({column, "", 2});
  return made;
}

const DataTable kEmpty;

TEST(IdctFindings, AreOfTheLargestSize) {
  const DataTable& paper = paper_table("Fig. 5(a)").data;
  const auto here = [](double to_shared, double to_global) {
    return table({"SM+Tex to SM", "SM+Tex to GM"},
                 {{"10", {9, 0.1}}, {"100", {to_shared, to_global}}});
  };
  EXPECT_THAT(verdicts(access_findings(paper, here(1.3, 1.1), "")), ElementsAre(kHolds, kWeaker));
  EXPECT_THAT(verdicts(access_findings(paper, here(0.9, 1), "")), ElementsAre(kFails, kFails));
  EXPECT_THAT(verdicts(access_findings(paper, kEmpty, "why")), Each(kUntested));
}

TEST(IdctFindings, AreWhereAlgorithmsCross) {
  const std::vector<std::string> columns = {"persistent", "uberkernel", "policy persistent",
                                            "policy uberkernel"};
  const DataTable here =
      table(columns, {{"10", {2, 1, 1, 2}}, {"20", {3, 2, 1, 2}}, {"40", {4, 9, 1, 2}}});
  const auto findings = algorithm_findings(here, "");
  EXPECT_THAT(verdicts(findings), ElementsAre(kHolds, kFails));
  EXPECT_THAT(findings[0].reason, HasSubstr("persistent from between 20 and 40 on"));
  const auto none = algorithm_findings(table(columns, {{"10", {{}, {}, 2, 1}}}), "no GPU");
  EXPECT_THAT(verdicts(none), ElementsAre(kUntested, kFails));
  EXPECT_EQ(none[0].reason, "no GPU");
}

TEST(MotionFindings, AreOfCost) {
  const DataTable& paper = paper_table("Table 2").data;
  const std::vector<std::string> columns = {"J, full", "predicted PSNR, full", "J, UMHexagonS"};
  const auto of = [&](double full, double hexagon) {
    return verdicts(quality_findings(paper, table(columns, {{"mean", {full, -0.1, hexagon}}}), ""));
  };
  EXPECT_THAT(of(3.5, -1), ElementsAre(kHolds, kHolds));
  EXPECT_THAT(of(4.5, 1), ElementsAre(kFails, kFails));
  EXPECT_THAT(verdicts(quality_findings(paper, kEmpty, "")), Each(kUntested));
  const DataTable texture = table(columns, {{"mean", {1, -0.1, -1}}});
  const auto none = quality_findings(paper, texture, "no video");
  EXPECT_THAT(verdicts(none), Each(kUntested));
  EXPECT_EQ(none[0].reason, "no video");
}

TEST(MotionFindings, AreOfBitRateWhereClipsWereEncoded) {
  const DataTable& paper = paper_table("Table 2").data;
  const std::vector<std::string> columns = {"rate, full", "PSNR, full", "rate, UMHexagonS",
                                            "J, full", "J, UMHexagonS"};
  const auto findings =
      quality_findings(paper, table(columns, {{"mean", {3.5, -0.1, 1, 40, -40}}}), "no video");
  EXPECT_THAT(verdicts(findings), ElementsAre(kHolds, kFails));
  EXPECT_THAT(findings[0].reason, HasSubstr("the bit rate rises by 3.50 %"));
}

TEST(MotionFindings, AreOfSpeed) {
  const DataTable& paper = paper_table("Table 8").data;
  const std::vector<std::string> columns = {"speed-up, full", "speed-up, fast full",
                                            "speed-up, UMHexagonS"};
  const DataTable here = table(columns, {{"mean", {50, 3, 0.9}}});
  const DataTable slower = table(columns, {{"mean", {40, 3, 0.9}}});
  EXPECT_THAT(verdicts(speed_findings(paper, here, nullptr)), ElementsAre(kHolds, kWeaker, kFails));
  EXPECT_EQ(speed_findings(paper, here, &slower).back().verdict, kHolds);
  EXPECT_EQ(speed_findings(paper, slower, &here).back().verdict, kFails);
}

TEST(SortFindings, AreOfTime) {
  const DataTable& paper = paper_table("Fig. 3").data;
  const std::vector<std::string> columns = {"computation", "communication"};
  const auto of = [&](double at_a_million, double copies) {
    return verdicts(sort_time_findings(
        paper,
        table(columns,
              {{"10000", {3, 1}}, {"1000000", {at_a_million, 1}}, {"100000000", {100, copies}}}),
        ""));
  };
  EXPECT_THAT(of(1.1, 150), ElementsAre(kHolds, kHolds));
  EXPECT_THAT(of(4, 50), ElementsAre(kFails, kFails));
  const auto small = sort_time_findings(paper, table(columns, {{"1000", {1, 2}}}), "");
  EXPECT_THAT(verdicts(small), ElementsAre(kUntested, kHolds));
  EXPECT_THAT(verdicts(sort_time_findings(paper, kEmpty, "why")), Each(kUntested));
}

TEST(SortFindings, AreOfFractions) {
  const DataTable& paper = paper_table("Fig. 4").data;
  const auto of = [&](double computation, double input, double output) {
    return verdicts(sort_fraction_findings(
        paper, table({"computation", "input", "output"}, {{"1000", {computation, input, output}}}),
        ""));
  };
  EXPECT_THAT(of(40, 35, 25), ElementsAre(kHolds, kHolds));
  EXPECT_THAT(of(80, 10, 10), ElementsAre(kFails, kHolds));
  EXPECT_THAT(of(20, 30, 50), ElementsAre(kHolds, kFails));
  EXPECT_THAT(verdicts(sort_fraction_findings(paper, kEmpty, "why")), Each(kUntested));
}

TEST(SortFindings, AreOfStreaming) {
  const DataTable& paper = paper_table("Table I").data;
  const auto of = [&](double small, double large) {
    return verdicts(streaming_findings(
        paper,
        table({"original", "modified"}, {{"10000", {10, small}}, {"1000000000", {100, large}}}),
        ""));
  };
  const auto small =
      streaming_findings(paper, table({"original", "modified"}, {{"10000", {10, 12}}}), "");
  EXPECT_THAT(verdicts(small), ElementsAre(kUntested, kFails));
  EXPECT_THAT(small[0].reason, HasSubstr("the largest sort here is of 10000 keys"));
  EXPECT_THAT(of(11, 75), ElementsAre(kHolds, kHolds));
  EXPECT_THAT(of(9, 95), ElementsAre(kWeaker, kFails));
  EXPECT_THAT(of(11, 120), ElementsAre(kFails, kFails));
  EXPECT_THAT(verdicts(streaming_findings(paper, kEmpty, "why")), Each(kUntested));
}

TEST(SortFindings, AreOfProfiles) {
  const DataTable& paper = paper_table("Table III").data;
  const auto profile = [](double slower, double overlap, double balance) {
    return table({"original", "modified"}, {{"reduction", {10, 10 * slower}},
                                            {"scan", {1, 1 + 49 * (slower > 1 ? 0 : 1)}},
                                            {"scatter", {50, 50 * slower}},
                                            {"copy to device", {30, 30}},
                                            {"copy to host", {30, 30}},
                                            {"load balance", {0, balance}},
                                            {"overlap of output", {0, overlap}},
                                            {"total", {121, 121 - overlap}}});
  };
  EXPECT_THAT(verdicts(sort_profile_findings(paper, profile(1, 28, 0.1), 1000, "")), Each(kHolds));
  EXPECT_THAT(verdicts(sort_profile_findings(paper, profile(2, 1, 10), 1000, "")), Each(kFails));
  const auto none = sort_profile_findings(paper, kEmpty, 1000, "why");
  EXPECT_THAT(verdicts(none), Each(kUntested));
  EXPECT_EQ(none.size(), 5u);
}

TEST(ThreeStarFindings, AreOfGrowth) {
  const DataTable& paper = paper_table("Fig. 9").data;
  const auto of = [&](double power) {
    return verdicts(
        growth_findings(paper, table({"3-stars", "power"}, {{"10", {1, {}}}, {"20", {8, power}}})));
  };
  EXPECT_THAT(of(2.8), ElementsAre(kHolds));
  EXPECT_THAT(of(2), ElementsAre(kFails));
  EXPECT_THAT(verdicts(growth_findings(paper, kEmpty)), ElementsAre(kUntested));
}

TEST(ThreeStarFindings, AreOfTheSequentialCode) {
  const DataTable& paper = paper_table("Fig. 10").data;
  const auto of = [&](double factor) {
    return verdicts(sequential_findings(paper, table({"both to sequential"}, {{"10", {factor}}})));
  };
  EXPECT_THAT(of(400), ElementsAre(kHolds));
  EXPECT_THAT(of(5), ElementsAre(kWeaker));
  EXPECT_THAT(of(0.5), ElementsAre(kFails));
  EXPECT_THAT(verdicts(sequential_findings(paper, kEmpty)), ElementsAre(kUntested));
}

TEST(ThreeStarFindings, AreOfTechniques) {
  const DataTable& paper = paper_table("Fig. 11").data;
  const std::vector<std::string> columns = {"LOAD", "COMP", "REPORT", "DataOut", "DECODE", "saved"};
  const DataTable as_paper = table(columns, {{"baseline", {1, 9, 1, 1, 1, 0}},
                                             {"streaming", {1, 9, 1, 1, 1, 20}},
                                             {"compression", {1, 6, 1, 1, 1, 30}},
                                             {"both", {1, 6, 1, 1, 1, 50}}});
  EXPECT_THAT(verdicts(technique_findings(paper, as_paper, 10)), Each(kHolds));
  const DataTable other = table(columns, {{"baseline", {1, 2, 1, 9, 1, 0}},
                                          {"streaming", {1, 2, 1, 9, 1, -20}},
                                          {"compression", {1, 2, 1, 9, 1, 1}},
                                          {"both", {1, 2, 1, 9, 1, -5}}});
  EXPECT_THAT(verdicts(technique_findings(paper, other, 10)), Each(kFails));
  EXPECT_THAT(verdicts(technique_findings(paper, kEmpty, 10)), Each(kUntested));
}

}  // namespace
}  // namespace millrace::tools
