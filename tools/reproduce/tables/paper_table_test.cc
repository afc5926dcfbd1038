// SPDX-License-Identifier: Apache-2.0

// The papers' figures as they were entered: those that depend on each other do, so that an error in
// typing shows, but where the paper itself prints what does not.
#include <millrace/runtime/core/error.h>
#include <millrace/tools/reproduce/tables/paper_table.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

double figure(const DataTable& table, const std::string& label, const std::string& column) {
  const auto found = table.at(label, column);
  EXPECT_TRUE(found) << label << ", " << column;
  return found.value_or(0);
}

bool is_motion_time_table(const PaperTable& table) {
  return table.data.column_index("TR, full").has_value();
}

TEST(PaperTables, AreAllThatAreReproduced) {
  std::vector<std::string> names;
  for (const PaperTable& table : paper_tables()) names.push_back(table.name);
  EXPECT_THAT(names,
              ElementsAre("Fig. 5(a)", "Fig. 5(b)", "Fig. 5(c)", "Table 2", "Table 3", "Table 4",
                          "Table 5", "Table 6", "Table 7", "Table 8", "Table 9", "Table 10",
                          "Table 11", "Table 12", "Table 13", "Fig. 3", "Fig. 4", "Table I",
                          "Table II", "Table III", "Fig. 9", "Fig. 10", "Fig. 11"));
  EXPECT_EQ(paper_table("Table II").paper->subject, "sort");
  EXPECT_THROW(paper_table("Table 1"), Error);
}

TEST(PaperTables, HaveACellForEachColumnAndAReasonForEachMissingRow) {
  for (const PaperTable& table : paper_tables()) {
    SCOPED_TRACE(table.name);
    EXPECT_FALSE(table.paper->citation.empty());
    EXPECT_FALSE(table.paper->hardware.empty());
    for (const TableRow& row : table.data.rows) {
      EXPECT_EQ(row.cells.size(), table.data.columns.size()) << row.label;
    }
    if (table.data.rows.empty()) {
      ASSERT_FALSE(table.data.notes.empty());
      EXPECT_THAT(table.data.notes[0], HasSubstr("draws"));
    }
  }
}

// Both are rounded, and each is a mean over QPs of its own, which the tolerance allows for.
TEST(MotionTables, HaveTimeReductionsThatGoWithSpeedUps) {
  std::set<std::string> odd;
  for (const PaperTable& table : paper_tables()) {
    if (!is_motion_time_table(table)) continue;
    for (const TableRow& row : table.data.rows) {
      for (const std::string search : {"full", "fast full", "UMHexagonS"}) {
        const double reduction = figure(table.data, row.label, "TR, " + search);
        const double speed_up = figure(table.data, row.label, "speed-up, " + search);
        const double tolerance = 0.02 + 100 * 0.01 / (speed_up * speed_up);
        if (std::abs(reduction - 100 * (1 - 1 / speed_up)) > tolerance) {
          odd.insert(table.name + ", " + row.label + ", " + search);
        }
      }
    }
  }
  EXPECT_THAT(odd, ElementsAre("Table 5, Fun fair, full"));  // The paper prints it so.
}

TEST(MotionTables, HaveMeansOfTheirRows) {
  std::set<std::string> odd;
  for (const PaperTable& table : paper_tables()) {
    if (table.paper->subject != "motion" || table.data.rows.back().label != "mean") continue;
    for (const TableColumn& column : table.data.columns) {
      // Mean speed-ups are those of mean time reductions.
      if (column.name.starts_with("speed-up")) continue;
      double sum = 0;
      for (const TableRow& row : table.data.rows) {
        if (row.label != "mean") sum += figure(table.data, row.label, column.name);
      }
      const double mean = sum / static_cast<double>(table.data.rows.size() - 1);
      const double tolerance = 1.01 * std::pow(10, -column.decimals);
      if (std::abs(mean - figure(table.data, "mean", column.name)) > tolerance) {
        odd.insert(table.name + ", " + column.name);
      }
    }
  }
  EXPECT_THAT(odd, ElementsAre("Table 5, TR, UMHexagonS", "Table 5, TR, fast full",
                               "Table 5, TR, full"));  // The paper prints it so.
}

// Two hours are 216000 pictures of VGA and 360000 of the others.
TEST(MotionTables, HaveHoursThatGoWithRates) {
  for (const auto& [name, pictures] :
       {std::pair{"Table 11", 216'000}, {"Table 12", 360'000}, {"Table 13", 360'000}}) {
    const DataTable& table = paper_table(name).data;
    EXPECT_EQ(table.rows.size(), 4u);
    for (const TableRow& row : table.rows) {
      EXPECT_NEAR(figure(table, row.label, "two hours"),
                  pictures / 3600.0 / figure(table, row.label, "rate"), 0.0051)
          << name << ", " << row.label;
    }
  }
}

double sum_of_steps(const DataTable& table, const std::string& column) {
  double sum = 0;
  for (const TableRow& row : table.rows) {
    if (row.label == "total") continue;
    const double step = figure(table, row.label, column);
    sum += row.label == "overlap of output" ? -step : step;
  }
  return sum;
}

TEST(SortTables, HaveTotalsOfTheirSteps) {
  for (const char* const name : {"Table II", "Table III"}) {
    const DataTable& table = paper_table(name).data;
    for (const char* const column : {"original", "modified"}) {
      EXPECT_NEAR(sum_of_steps(table, column), figure(table, "total", column), 0.02)
          << name << ", " << column;
    }
  }
}

TEST(SortTables, AgreeWithEachOther) {
  const DataTable& profile = paper_table("Table II").data;
  const DataTable& times = paper_table("Table I").data;
  for (const char* const column : {"original", "modified"}) {
    EXPECT_NEAR(figure(times, "100000000", column) / 1e3 / figure(profile, "total", column), 1,
                0.01);
  }
  const DataTable& steps = paper_table("Fig. 3").data;
  EXPECT_NEAR(
      figure(steps, "100000000", "computation") + figure(steps, "100000000", "communication"),
      figure(profile, "total", "original"), 0.02);
  const DataTable& ratios = paper_table("Fig. 4").data;
  EXPECT_NEAR(figure(ratios, "100000000", "computation") + figure(ratios, "100000000", "input") +
                  figure(ratios, "100000000", "output"),
              100, 0.1);
}

}  // namespace
}  // namespace millrace::tools
