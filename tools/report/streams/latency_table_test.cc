// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/page/document_lookup.h>
#include <millrace/tools/report/performance/performance.h>
#include <millrace/tools/report/report.h>
#include <millrace/tools/report/streams/latency_table.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace millrace::tools {
namespace {

using testing::Contains;
using testing::ElementsAre;

// A median of 4 ms, give or take a quarter, and 9 ms at worst.
Results latencies() {
  Results results = made_up_machine("lab");
  Measurement each = made_up("h264-latency", "cuda:0", "uberkernel", 1, 4e-3, 0.25);
  each.input = "cif-300k-main";
  each.strategy = "features";
  each.item_name = "pictures";
  each.values = {{"median ms", 4.5}, {"worst ms", 9}};
  results.measurements = {each};
  return results;
}

TEST(LatencyTable, IsInMilliseconds) {
  const MergedResults all = merged({latencies()});
  const Table table = latency_table(all, groups_of(all), [](const Measurement&) { return "[1]"; });
  EXPECT_EQ(table.columns.size(), 8U);
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("cif-300k-main", "cuda:0", "uberkernel, features",
                                                  "1", "4.00", "3.00 to 5.00", "9.00", "[1]")));
}

TEST(LatencyTable, IsOfLatenciesAlone) {
  Results results = latencies();
  results.measurements[0].values = {{"live streams", 3}};
  const MergedResults all = merged({results});
  EXPECT_TRUE(latency_table(all, groups_of(all)).rows.empty());
}

TEST(LatencyTable, IsOnThePerformancePageInPlaceOfARate) {
  const Document document = performance_of(merged({latencies()}), {});
  const auto tables = blocks<Table>(section(document, "lab"));
  ASSERT_EQ(tables.size(), 2U);  // The machine, and this one.
  EXPECT_THAT(tables[1].rows, ElementsAre(Contains("4.00")));
}

TEST(LatencyTable, IsInReports) {
  const Document document = report_of(merged({latencies()}), {});
  const auto tables = blocks<Table>(section(document, "h264-latency"));
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_THAT(tables[0].rows, ElementsAre(Contains("3.00 to 5.00")));
}

}  // namespace
}  // namespace millrace::tools
