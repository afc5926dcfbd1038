// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/page/document_lookup.h>
#include <millrace/tools/report/performance/performance.h>
#include <millrace/tools/report/performance/stream_table.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace millrace::tools {
namespace {

using testing::Contains;
using testing::ElementsAre;

// A run of 50 pictures and 4 Mbit, at 25 pictures a second. The run that counted pictures took
// twice as long as the median.
Measurement stream(const std::string& input, const std::string& strategy, const std::string& peer,
                   double seconds) {
  Measurement each = made_up("h264", "tbb", "", 50, seconds);
  each.input = input;
  each.strategy = strategy;
  each.peer = peer;
  each.items = 4e6;
  each.item_name = "bits";
  each.values = {{"pictures per s", 50 / (2 * seconds)}, {"live streams", 1 / seconds}};
  return each;
}

Results streams() {
  Results results = made_up_machine("lab");
  results.measurements = {
      stream("cif-cavlc", "parse", "", 0.01),  stream("cif-cavlc", "decode", "", 0.05),
      stream("cif-cavlc", "", "FFmpeg", 0.04), stream("cif-cabac", "parse", "", 0.02),
      stream("cif-cabac", "decode", "", 0.1),  stream("cif-cabac", "", "FFmpeg", 0.05)};
  return results;
}

std::string run_of(const Measurement&) { return "[1]"; }

TEST(StreamTable, HasRatesRatiosAndLiveStreamsOfEachInput) {
  const MergedResults all = merged({streams()});
  const Table table = stream_table(groups_of(all), run_of);
  EXPECT_EQ(table.columns.size(), 10U);
  // 4 Mbit in 0.01 and 0.04 s; 50 pictures in 0.05 s; 50 / 25 live streams for each run a second.
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("cif-cavlc", "400", "100", "4.00", "1.00 k",
                                                  "0.80", "200", "40.0", "50.0", "[1]"),
                                      ElementsAre("cif-cabac", "200", "80.0", "2.50", "500", "0.50",
                                                  "100", "20.0", "40.0", "[1]")));
}

TEST(StreamTable, LeavesEmptyWhatWasNotMeasured) {
  Results results = streams();
  results.measurements.resize(1);
  results.measurements[0].values = {};
  const MergedResults all = merged({results});
  EXPECT_THAT(stream_table(groups_of(all)).rows,
              ElementsAre(ElementsAre("cif-cavlc", "400", "", "", "", "", "", "", "")));
}

TEST(StreamTable, TakesTheLargestSize) {
  Results results = streams();
  results.measurements.resize(1);
  Measurement larger = results.measurements[0];
  larger.size = 100;
  larger.median_seconds *= 4;
  results.measurements.insert(results.measurements.begin(), larger);
  const MergedResults all = merged({results});
  EXPECT_EQ(stream_table(groups_of(all)).rows.at(0).at(1), "100");
}

TEST(StreamTable, IsOfThatWorkloadAlone) {
  Results results = streams();
  for (Measurement& each : results.measurements) each.workload = "h264-streams";
  const MergedResults all = merged({results});
  EXPECT_THAT(stream_table(groups_of(all)).rows, testing::IsEmpty());
}

TEST(StreamTable, IsOnThePerformancePage) {
  const Document document = performance_of(merged({streams()}), {});
  const auto tables = blocks<Table>(section(document, "lab"));
  ASSERT_EQ(tables.size(), 3U);  // The machine, the highest rates, and this one.
  EXPECT_THAT(tables[2].rows, Contains(Contains("cif-cabac")));
}

}  // namespace
}  // namespace millrace::tools
