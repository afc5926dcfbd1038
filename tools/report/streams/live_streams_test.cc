// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/page/document_lookup.h>
#include <millrace/tools/report/performance/performance.h>
#include <millrace/tools/report/report.h>
#include <millrace/tools/report/streams/live_streams.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>

namespace millrace::tools {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// 1000 pictures of streams of 25 pictures a second: 40 / seconds live streams. The run that was
// checked took twice as long.
Measurement streams(const std::string& input, const std::string& strategy, std::uint64_t size,
                    double seconds) {
  Measurement each = made_up("h264-streams", "cuda:0", "uberkernel", size, seconds);
  each.input = input;
  each.strategy = strategy;
  each.item_name = "pictures";
  each.values = {{"live streams", 20 / seconds},
                 {"pictures per s of a stream", 25},
                 {"Gbit per s", 1.5},
                 {"upload bytes per macroblock", 3.25},
                 {"download bytes per macroblock", 4.5}};
  return each;
}

Results many_streams() {
  Results results = made_up_machine("lab");
  Measurement host = streams("cif", "", 20, 4);
  host.policy = host.strategy = "";
  host.peer = "the host's cores";
  host.values.erase("upload bytes per macroblock");
  host.values.erase("download bytes per macroblock");
  results.measurements = {streams("cif", "live", 2, 1),    streams("cif", "live", 20, 0.4),
                          streams("cif", "stored", 20, 2), host,
                          streams("qcif", "live", 2, 0.5), streams("qcif", "live", 20, 0.1)};
  return results;
}

TEST(LiveStreams, AreOfTheMedianTime) {
  const Rate rate = live_streams_of(streams("cif", "live", 20, 0.4));
  EXPECT_DOUBLE_EQ(rate.value, 100);
  EXPECT_LT(rate.low, 100);
  EXPECT_GT(rate.high, 100);
  Measurement before = streams("cif", "live", 20, 0.4);
  before.values.erase("pictures per s of a stream");
  EXPECT_DOUBLE_EQ(live_streams_of(before).value, 50);
}

TEST(LiveStreams, AreNoneOfOneStreamOnOneCore) {
  Measurement one = streams("cif", "parse", 50, 0.4);
  one.values.erase("Gbit per s");
  EXPECT_EQ(live_streams_of(one).value, 0);
  Measurement wrong = streams("cif", "live", 20, 0.4);
  wrong.status = MeasurementStatus::kWrong;
  EXPECT_EQ(live_streams_of(wrong).value, 0);
}

TEST(LiveTable, HasTheBestOfEachInputAndOfEachPeer) {
  const MergedResults all = merged({many_streams()});
  const Table table = live_table(all, groups_of(all), [](const Measurement&) { return "[1]"; });
  EXPECT_EQ(table.columns.size(), 9U);
  EXPECT_THAT(table.rows,
              ElementsAre(ElementsAre("h264-streams, cif", "cuda:0", "uberkernel, live", "20",
                                      "100", "1.50", "3.25", "4.50", "[1]"),
                          ElementsAre("h264-streams, cif", "cuda:0", "the host's cores", "20",
                                      "10.0", "1.50", "", "", "[1]"),
                          ElementsAre("h264-streams, qcif", "cuda:0", "uberkernel, live", "20",
                                      "400", "1.50", "3.25", "4.50", "[1]")));
}

TEST(LiveFigures, HaveALineForEachInputOverTheStreamsInFlight) {
  const MergedResults all = merged({many_streams()});
  const std::vector<Figure> figures = live_figures(all, groups_of(all));
  ASSERT_EQ(figures.size(), 1U);
  const auto& chart = std::get<LineChart>(figures[0].chart);
  ASSERT_EQ(chart.lines.size(), 2U);
  EXPECT_EQ(chart.lines[0].name, "cif");
  ASSERT_EQ(chart.lines[0].points.size(), 2U);
  EXPECT_EQ(chart.lines[0].points[0].x, 2);
  EXPECT_DOUBLE_EQ(chart.lines[0].points[0].y, 40);
  EXPECT_EQ(chart.lines[0].points[1].x, 20);
  EXPECT_DOUBLE_EQ(chart.lines[0].points[1].y, 100);
  EXPECT_EQ(figures[0].table.rows.size(), 4U);
}

TEST(LiveFigures, HaveBarsForOneNumberOfStreams) {
  Results results = many_streams();
  std::erase_if(results.measurements, [](const Measurement& each) { return each.size == 2; });
  const MergedResults all = merged({results});
  const std::vector<Figure> figures = live_figures(all, groups_of(all));
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(std::get<BarChart>(figures[0].chart).bars.size(), 2U);
}

TEST(LiveFigures, AreOfManyStreamsAlone) {
  const MergedResults all = merged({made_up_results("lab")});
  EXPECT_THAT(live_figures(all, groups_of(all)), IsEmpty());
  EXPECT_THAT(live_table(all, groups_of(all)).rows, IsEmpty());
}

TEST(LiveStreams, AreInReportsAndOnThePerformancePage) {
  const MergedResults all = merged({many_streams()});
  const Document report = report_of(all, {});
  const Section& own = section(report, "h264-streams");
  EXPECT_EQ(blocks<Figure>(own).size(), 1U);
  const auto tables = blocks<Table>(own);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_THAT(tables[0].rows, Contains(Contains("3.25")));
  const Document page = performance_of(all, {});
  EXPECT_THAT(blocks<Table>(section(page, "lab")),
              Contains(testing::Field(&Table::rows, Contains(Contains("3.25")))));
}

}  // namespace
}  // namespace millrace::tools
