// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/page/document_lookup.h>
#include <millrace/tools/report/page/markdown.h>
#include <millrace/tools/report/performance/limit_share.h>
#include <millrace/tools/report/performance/newest_results.h>
#include <millrace/tools/report/performance/performance.h>
#include <millrace/tools/report/performance/performance_rows.h>
#include <millrace/tools/report/performance/work_titles.h>
#include <millrace/tools/report/results/results.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A sort of 1000 items on cuda:0.
Measurement sort(const std::string& input, std::uint64_t size, const std::string& strategy,
                 const std::string& peer, double seconds) {
  Measurement each = made_up("sort-keys", "cuda:0", peer.empty() ? "auto" : "", size, seconds);
  each.input = input;
  each.strategy = strategy;
  each.peer = peer;
  each.item_name = "keys";
  return each;
}

Results sorts(const std::string& label) {
  Results results = made_up_machine(label);
  results.command = "millrace bench sort";
  results.build.commit = "abcdef";
  results.measurements = {
      sort("uniform", 10, "device", "", 1),  sort("uniform", 10, "device", "CUB", 2),
      sort("uniform", 20, "device", "", 2),  sort("uniform", 20, "device", "CUB", 3),
      sort("uniform", 20, "pinned", "", 8),  sort("uniform", 20, "pinned", "CUB", 4),
      sort("zipf", 20, "device", "", 5),     sort("zipf", 20, "device", "CUB", 5),
      sort("constant", 20, "device", "", 1), sort("constant", 20, "device", "CUB", 1)};
  return results;
}

// Returns the rows of the table of runs.
std::vector<std::vector<std::string>> run_rows(const Document& document) {
  return blocks<Table>(section(document, "Runs")).at(0).rows;
}

// Returns a section of a section.
const Section& inner_section(const Section& outer, const std::string& title) {
  const auto found = std::ranges::find(outer.sections, title, &Section::title);
  if (found == outer.sections.end()) throw std::runtime_error("no section " + title);
  return *found;
}

std::vector<PerformanceRow> rows_of(const MergedResults& all) {
  return performance_rows(groups_of(all));
}

TEST(PerformanceRows, AreOfTheLargestSizeAndOfEachStrategyThatAPeerHas) {
  const MergedResults all = merged({sorts("lab")});
  std::vector<std::string> texts;
  for (const PerformanceRow& row : rows_of(all)) {
    texts.push_back(row.best->input + " " + row.strategy + " " + std::to_string(row.best->size) +
                    (row.is_slowest_input ? " slowest" : ""));
  }
  EXPECT_THAT(texts,
              ElementsAre("uniform device 20", "zipf device 20 slowest", "uniform pinned 20"));
}

TEST(PerformanceRows, CompareWithThePeerUnderTheSameStrategy) {
  const MergedResults all = merged({sorts("lab")});
  const std::vector<PerformanceRow> rows = rows_of(all);
  const Rate ratio = ratio_to_peer(rows[0]);
  EXPECT_DOUBLE_EQ(ratio.value, 1.5);
  EXPECT_NEAR(ratio.low, 1.5 * 0.99 / 1.01, 1e-12);
  EXPECT_DOUBLE_EQ(ratio_to_peer(rows[2]).value, 0.5);
}

TEST(PerformanceRows, TakeTheFastestWhereNoPeerHasAStrategy) {
  Results results = made_up_machine("lab");
  Measurement whole = made_up("idct-host", "tbb", "auto", 5, 2);
  whole.strategy = "whole";
  Measurement streamed = made_up("idct-host", "tbb", "", 5, 1);
  streamed.strategy = "streamed";
  Measurement peer = made_up("idct-host", "tbb", "", 5, 4);
  peer.peer = "another";
  results.measurements = {whole, streamed, peer};
  const MergedResults all = merged({results});
  const std::vector<PerformanceRow> rows = rows_of(all);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].best->strategy, "streamed");
  EXPECT_EQ(rows[0].peer->peer, "another");
}

TEST(PerformanceRows, CompareParsingAloneWithNoDecoder) {
  Results results = made_up_machine("lab");
  Measurement parse = made_up("h264", "tbb", "", 50, 1);
  parse.strategy = "parse";
  Measurement decode = made_up("h264", "tbb", "", 50, 6);
  decode.strategy = "decode";
  Measurement peer = made_up("h264", "tbb", "", 50, 3);
  peer.peer = "FFmpeg";
  results.measurements = {parse, decode, peer};
  const MergedResults all = merged({results});
  const std::vector<PerformanceRow> rows = rows_of(all);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].strategy, "parse");
  EXPECT_EQ(rows[0].peer, nullptr);
  EXPECT_EQ(rows[1].best->strategy, "decode");
  EXPECT_DOUBLE_EQ(ratio_to_peer(rows[1]).value, 0.5);
}

TEST(PerformanceRows, AreOfAlgorithmsTasksAndCopies) {
  for (const char* const name :
       {"idct", "idct-host", "motion-half", "rd", "sort-keys", "tasks-tree", "three-star-count",
        "micro-upload", "h264-streams", "joins-uts", "group-calls"}) {
    EXPECT_TRUE(is_on_page(name)) << name;
  }
  for (const char* const name :
       {"micro-launch", "sorted", "stress", "idct-paper", "sort-paper-keys", "motion-quality",
        "tasks-stress", "joins-metg", "h264-scaling", "features-start", "h264-latency"}) {
    EXPECT_FALSE(is_on_page(name)) << name;
  }
}

TEST(Performance, HasTheHeadlineOfEachMachine) {
  Results office = sorts("office");
  office.started = "2026-11-25T10:00:00Z";
  office.measurements.resize(4);
  office.measurements[2].limit = "copy";
  office.measurements[2].limit_fraction = 0.75;
  office.measurements.erase(office.measurements.begin() + 3);
  const Document document = performance_of(merged({sorts("lab"), office}), {});
  EXPECT_EQ(document.title, "Performance");
  EXPECT_THAT(document.subtitle, HasSubstr("lab on 2026-11-22; office on 2026-11-25"));
  const Table table = blocks<Table>(section(document, "Summary")).at(0);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[1].name, "lab");
  EXPECT_THAT(table.rows,
              ElementsAre(ElementsAre("Sort of u32 keys, host to host",
                                      "125 keys/s on cuda:0, 0.50 times CUB [1]",
                                      "500 keys/s on cuda:0, 75.0 % of a large copy [2]")));
}

TEST(Performance, TheFirstTableLeavesOutMachinesWithoutItsWork) {
  Results other = made_up_machine("other");
  other.measurements = {made_up("joins-uts", "tbb", "auto", 20, 1)};
  const Document document = performance_of(merged({sorts("lab"), other}), {});
  const Table table = blocks<Table>(section(document, "Summary")).at(0);
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[1].name, "lab");
  EXPECT_EQ(section(document, "other").title, "other");
}

TEST(Performance, HasMachineRatesAndRuns) {
  Results results = sorts("lab");
  results.build.commit = "0123456789abcdef0123-changed";
  results.build.compiler = "gcc 14";
  results.build.toolkits = {{"cuda", "13.0"}};
  for (DeviceRecord& device : results.devices) device.driver = "580";
  const Document document = performance_of(merged({results}), {});
  const std::vector<Table> tables = blocks<Table>(section(document, "lab"));
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_THAT(tables[0].rows, testing::Contains(ElementsAre("Device", "cuda:0: ")));
  EXPECT_THAT(
      tables[1].rows[1],
      ElementsAre("Sort of u32 keys (sort-keys), zipf, in device memory (slowest input), "
                  "cuda:0",
                  "20", "auto, device", "200 keys/s", "198 to 202", "", "1.00 times CUB", "[1]"));
  EXPECT_EQ(document.sections.back().title, "Runs");
  EXPECT_THAT(run_rows(document),
              ElementsAre(ElementsAre("[1]", "lab", "2026-11-22", "0123456789ab-changed",
                                      "gcc 14, cuda 13.0", "580", "millrace bench sort")));
}

// Returns the measured tables of the section and of its own sections, also those behind charts.
std::vector<Table> measured_tables(const Section& section) {
  std::vector<Table> tables;
  for (const Table& table : blocks<Table>(section)) {
    if (table.caption != "Machine") tables.push_back(table);
  }
  for (const Figure& figure : blocks<Figure>(section)) tables.push_back(figure.table);
  for (const Section& each : section.sections) {
    for (const Table& table : measured_tables(each)) tables.push_back(table);
  }
  return tables;
}

TEST(Performance, EachRowNamesItsRunAndEachRunIsListed) {
  Results old_ones = sorts("lab");
  old_ones.started = "2026-11-20T10:00:00Z";
  old_ones.command = "millrace bench joins-metg rd";
  Measurement metg = made_up("joins-metg", "cuda:0", "persistent", 100, 2e-6);
  Measurement encode = made_up("rd", "tbb", "", 24, 1);
  encode.values = {{"kbit/s, QP 32", 1000.25}};
  old_ones.measurements = {metg, encode, sort("uniform", 40, "device", "", 4),
                           sort("uniform", 40, "device", "CUB", 4)};
  old_ones.measurements[2].limit = "copy";
  old_ones.measurements[2].limit_fraction = 0.5;
  old_ones.limits = {{"cuda:0", "copy", 1e9, "B/s"}};
  Results unused = made_up_machine("lab");
  unused.started = "2026-11-19T10:00:00Z";
  unused.measurements = {made_up("auto-sort", "cuda:0", "auto", 10, 1)};
  const Document document = performance_of(merged({sorts("lab"), old_ones, unused}), {});
  std::set<std::string> runs;
  for (const std::vector<std::string>& row : run_rows(document)) runs.insert(row[0]);
  EXPECT_THAT(runs, ElementsAre("[1]", "[2]"));
  std::set<std::string> named;
  int tables = 0;
  for (const Section& each : document.sections) {
    if (each.title == "Runs") continue;
    for (const Table& table : measured_tables(each)) {
      ++tables;
      const bool is_headline = table.columns.back().name != "From run";
      EXPECT_EQ(is_headline, tables == 1) << table.caption;
      for (const std::vector<std::string>& row : table.rows) {
        ASSERT_EQ(row.size(), table.columns.size()) << table.caption;
        for (std::size_t i = is_headline ? 1 : row.size() - 1; i < row.size(); ++i) {
          const std::string run = row[i].substr(std::min(row[i].find('['), row[i].size()));
          EXPECT_TRUE(runs.contains(run)) << table.caption << ": " << row[0] << ": " << row[i];
          named.insert(run);
        }
      }
    }
  }
  EXPECT_EQ(tables, 7);
  EXPECT_EQ(named, runs);
  const auto rate_rows = blocks<Table>(section(document, "lab")).at(1).rows;
  EXPECT_THAT(rate_rows,
              testing::Contains(testing::AllOf(testing::Contains("40"),
                                               testing::Contains("50.0 % of a large copy"))));
  EXPECT_THAT(run_rows(document),
              testing::Contains(testing::Contains("millrace bench joins-metg rd")));
}

TEST(Performance, ComparesAutoAndItsFirstRunsWithTheBestPolicy) {
  Results results = sorts("lab");
  const auto add = [&](const std::string& workload, double seconds, double first) {
    results.measurements.push_back(made_up(workload, "tbb", "persistent", 10, 2));
    results.measurements.push_back(made_up(workload, "tbb", "auto", 10, seconds));
    if (first > 0) results.measurements.back().values["first run s"] = first;
  };
  add("auto-tree", 2, 3);
  add("auto-geo", 2.4, 7);
  add("tasks-tree", 20, 0);  // Not timed behind runs of its own policy.
  const Document document = performance_of(merged({results}), {});
  const auto tables = blocks<Table>(section(document, "lab"));
  const auto found = std::ranges::find(
      tables, "Time under auto to the time under the best fixed policy", &Table::caption);
  ASSERT_NE(found, tables.end());
  EXPECT_THAT(found->rows,
              ElementsAre(ElementsAre("tbb", "auto", "2", "1.10", "50.0 %", "100 %", "1.20", "[1]"),
                          ElementsAre("tbb", "auto's first run", "2", "2.50", "0 %", "50.0 %",
                                      "3.50", "[1]")));
}

TEST(Performance, SaysWhatAShareAbove100PercentMeans) {
  Results results = sorts("lab");
  Measurement calls = made_up("tasks-calls", "cuda:0", "persistent", 40, 1);
  calls.limit = "tasks";
  calls.limit_fraction = 1.45;
  Measurement copy = made_up("idct-host", "tbb", "auto", 40, 1);
  copy.limit = "copy";
  copy.limit_fraction = 1.03;
  results.measurements = {calls, copy};
  results.limits = {{"tbb", "copy", 1e9, "B/s"}, {"cuda:0", "tasks", 1e9, "op/s"}};
  const auto is_of_copy = testing::AllOf(HasSubstr("above 100 %"), HasSubstr("A large copy is"),
                                         testing::Not(HasSubstr("A flat queue is")));
  const Document document = performance_of(merged({results}), {});
  const Section& summary = section(document, "Summary");
  EXPECT_THAT(blocks<Paragraph>(summary), ElementsAre(is_of_copy));
  const Figure limits = blocks<Figure>(summary).at(0);
  EXPECT_THAT(limits.caption, is_of_copy);
  EXPECT_EQ(limits.table.rows[0][1], "103");
  EXPECT_THAT(
      blocks<Paragraph>(section(document, "lab")),
      ElementsAre(testing::AllOf(HasSubstr("A large copy is"), HasSubstr("A flat queue is"))));
  for (Measurement& each : results.measurements) each.limit_fraction = 1;
  const Document below = performance_of(merged({results}), {});
  EXPECT_THAT(blocks<Paragraph>(section(below, "Summary")), testing::IsEmpty());
  EXPECT_EQ(blocks<Figure>(section(below, "Summary")).at(0).caption, "");
  EXPECT_THAT(blocks<Paragraph>(section(below, "lab")), testing::IsEmpty());
}

TEST(LimitShare, IsOfTheFasterCopyForSmallArrays) {
  Results run = made_up_machine("lab");
  Measurement small = made_up("tasks-flat", "tbb", "auto", 10, 1);
  EXPECT_FALSE(limit_share(small, run));
  small.limit = "copy in cache";
  small.limit_fraction = 1.2;
  run.limits = {{"tbb", "copy", 2e9, "B/s"}, {"tbb", "copy in cache", 1e9, "B/s"}};
  const auto of_large = limit_share(small, run);
  ASSERT_TRUE(of_large);
  EXPECT_TRUE(of_large->is_of_bytes);
  EXPECT_EQ(share_text(*of_large), "60.0 % of a large copy");
  run.limits[0].value = 1e9;
  EXPECT_EQ(share_text(*limit_share(small, run)), "120 % of a small copy");
  Measurement large = small;
  large.limit = "copy";
  EXPECT_EQ(share_text(*limit_share(large, run)), "120 % of a large copy");
}

TEST(WorkTitles, AreWordsForEachWorkloadOfThePage) {
  for (const char* const name :
       {"idct", "motion-half", "rd", "features", "h264-streams", "sort-keys", "tasks-geo",
        "joins-uts", "three-star-count", "micro-upload", "group-calls"}) {
    EXPECT_NE(title_of_workload(name), name);
  }
  EXPECT_EQ(named_title_of_workload("sort-keys"), "Sort of u32 keys (sort-keys)");
  EXPECT_EQ(named_title_of_workload("sort-made-up"), "sort-made-up");
  EXPECT_EQ(work_text("Sort", "zipf", "pinned"), "Sort, zipf, from pinned host memory");
}

TEST(Performance, HasFiguresOfPeersLimitsAndSizes) {
  Results results = sorts("lab");
  results.measurements[2].limit = "copy";
  results.measurements[2].limit_fraction = 0.5;
  results.measurements[4].limit = "launch";
  results.measurements[4].limit_fraction = 0.25;
  results.limits = {{"cuda:0", "copy", 1e9, "B/s"}, {"cuda:0", "launch", 1e-6, "s"}};
  const Document document = performance_of(merged({results}), {});
  const std::vector<Figure> figures = blocks<Figure>(section(document, "Summary"));
  ASSERT_EQ(figures.size(), 2U);
  const auto& peers = std::get<BarChart>(figures[0].chart);
  ASSERT_EQ(peers.bars.size(), 3U);
  EXPECT_EQ(peers.bars[0].name,
            "Sort of u32 keys, uniform, in device memory, size 20, cuda:0, over CUB");
  EXPECT_THAT(peers.bars[0].figures, ElementsAre(1.5));
  const auto& limits = std::get<BarChart>(figures[1].chart);
  ASSERT_EQ(limits.bars.size(), 1U);
  EXPECT_THAT(limits.bars[0].figures, ElementsAre(50));
  EXPECT_NEAR(limits.bars[0].low, 50 / 1.01, 1e-9);
  const std::vector<Figure> sizes =
      blocks<Figure>(inner_section(section(document, "lab"), "Rates over sizes"));
  ASSERT_EQ(sizes.size(), 1U);
  const auto& lines = std::get<LineChart>(sizes[0].chart).lines;
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].name, "Millrace");
  EXPECT_EQ(lines[1].name, "CUB, device");
}

TEST(Performance, HasRatesAndBitRatesOfEncodesBesideThePeer) {
  Results results = made_up_machine("lab");
  const auto add = [&](const std::string& strategy, const std::string& peer, double seconds,
                       std::map<std::string, double> values) {
    Measurement each = made_up("rd", "tbb", "", 24, seconds);
    each.input = "film.y4m";
    each.item_name = "pictures";
    each.items = 24;
    each.strategy = strategy;
    each.peer = peer;
    each.values = std::move(values);
    results.measurements.push_back(each);
  };
  add("paper", "", 2, {{"kbit/s, QP 32", 1000.25}, {"PSNR YUV, QP 32", 40.5}});
  add("rd-high", "", 8,
      {{"kbit/s, QP 32", 800}, {"PSNR YUV, QP 32", 41}, {"BD-rate YUV %", -21.5}});
  add("", "x264 fast", 0.5,
      {{"kbit/s, QP 32", 1200}, {"PSNR YUV, QP 32", 40}, {"BD-rate YUV %", 30}});
  const Document document = performance_of(merged({results}), {});
  EXPECT_THAT(blocks<Table>(section(document, "Summary")).at(0).rows,
              ElementsAre(ElementsAre("H.264 encoding, from pictures in memory",
                                      "12.0 pictures/s on tbb, 0.25 times x264 fast [1]")));
  const Figure figure = blocks<Figure>(section(document, "Summary")).at(0);
  const auto& peers = std::get<BarChart>(figure.chart);
  ASSERT_EQ(peers.bars.size(), 1U);
  EXPECT_EQ(peers.bars[0].name,
            "H.264 encoding, from pictures in memory, film.y4m, size 24, tbb, over x264 fast");
  const std::vector<Table> tables = blocks<Table>(section(document, "lab"));
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_THAT(tables[1].rows,
              ElementsAre(ElementsAre("H.264 encoding, from pictures in memory (rd), film.y4m, tbb",
                                      "24", "paper", "12.0 pictures/s", "11.9 to 12.1", "",
                                      "0.25 times x264 fast", "[1]")));
  EXPECT_THAT(
      tables[2].rows,
      ElementsAre(ElementsAre("tbb", "paper", "12.0", "1000.2", "40.50", "", "[1]"),
                  ElementsAre("tbb", "rd-high", "3.00", "800.0", "41.00", "-21.50", "[1]"),
                  ElementsAre("tbb", "x264 fast", "48.0", "1200.0", "40.00", "+30.00", "[1]")));
  // The same by way of a file.
  const std::string path = testing::TempDir() + "/rd.json";
  std::ofstream(path) << results_text(results);
  std::ostringstream page;
  write_markdown(page, performance_of(merge_results({path}), {}), "performance",
                 [](const std::string&, const std::string&) {});
  EXPECT_THAT(page.str(), HasSubstr("(rd), film.y4m, tbb | 24 | paper | 12.0 pictures/s |"));
  EXPECT_THAT(page.str(), HasSubstr("| tbb | rd-high | 3.00 | 800.0 | 41.00 | -21.50 | \\[1\\] |"));
}

TEST(Performance, TakesTheNewestResultsOfALabel) {
  Results old_ones = sorts("lab");
  old_ones.started = "2026-11-20T10:00:00Z";
  old_ones.build.commit = "old";
  for (const auto& all : {merged({old_ones, sorts("lab")}), merged({sorts("lab"), old_ones})}) {
    const Document document = performance_of(all, {});
    EXPECT_THAT(document.subtitle, HasSubstr("lab on 2026-11-22"));
    EXPECT_THAT(document.subtitle, testing::Not(HasSubstr("2026-11-20")));
    EXPECT_THAT(run_rows(document), ElementsAre(testing::Contains("abcdef")));
  }
}

TEST(Performance, TakesFromOlderResultsWhatNewerOnesDoNotHave) {
  Results old_ones = sorts("lab");
  old_ones.started = "2026-11-20T10:00:00Z";
  old_ones.build.commit = "old";
  for (Measurement& each : old_ones.measurements) each.median_seconds *= 10;
  Measurement other_size = old_ones.measurements[0];
  other_size.size = 77;
  old_ones.measurements.push_back(other_size);
  old_ones.measurements.push_back(made_up("tasks-tree", "cuda:0", "persistent", 10, 2));
  old_ones.limits = {{"cuda:0", "copy", 5e9, "B/s"}, {"cuda:0", "tasks", 1e9, "op/s"}};
  Results new_ones = sorts("lab");
  new_ones.limits = {{"cuda:0", "copy", 4e9, "B/s"}};
  Results oldest = sorts("lab");
  oldest.started = "2026-11-19T10:00:00Z";
  oldest.build.commit = "oldest";
  const MergedResults all = merged({old_ones, oldest, new_ones, sorts("office")});
  const std::vector<NewestResults> newest = newest_results(all);
  ASSERT_EQ(newest.size(), 2U);
  EXPECT_THAT(newest[0].runs, ElementsAre(&all.machines[2].results, &all.machines[0].results));
  const Results& lab = newest[0].machine().results;
  EXPECT_EQ(&newest[0].run_of(lab.measurements.front()), newest[0].runs[0]);
  EXPECT_EQ(&newest[0].run_of(lab.measurements.back()), newest[0].runs[1]);
  ASSERT_EQ(lab.measurements.size(), new_ones.measurements.size() + 2);
  EXPECT_EQ(lab.measurements[0].median_seconds, new_ones.measurements[0].median_seconds);
  EXPECT_EQ(lab.measurements[new_ones.measurements.size()].size, 77U);
  EXPECT_EQ(lab.measurements.back().workload, "tasks-tree");
  ASSERT_EQ(lab.limits.size(), 2U);
  EXPECT_EQ(lab.limits[0].value, 4e9);
  EXPECT_EQ(lab.limits[1].name, "tasks");
  const Document document = performance_of(all, {});
  EXPECT_THAT(document.subtitle, HasSubstr("lab from 2026-11-20 to 2026-11-22; office on 2026"));
  EXPECT_THAT(run_rows(document),
              testing::UnorderedElementsAre(testing::Contains("abcdef"), testing::Contains("old"),
                                            testing::Contains("office")));
}

TEST(Performance, DrawsNoBarOverOneThread) {
  Results results = sorts("lab");
  Measurement one = made_up("joins-uts", "cuda:0", "", 10, 900);
  one.peer = "one thread";
  results.measurements.push_back(made_up("joins-uts", "cuda:0", "persistent", 10, 1));
  results.measurements.push_back(one);
  const Document document = performance_of(merged({results}), {});
  const Figure figure = blocks<Figure>(section(document, "Summary")).at(0);
  for (const auto& bar : std::get<BarChart>(figure.chart).bars) {
    EXPECT_THAT(bar.name, testing::Not(HasSubstr("UTS")));
  }
  const Table table = blocks<Table>(section(document, "lab")).at(1);
  EXPECT_THAT(table.rows.back(), testing::Contains(HasSubstr("times one thread")));
}

TEST(Performance, HasATableOfMetg) {
  Results results = sorts("lab");
  Measurement metg = made_up("joins-metg", "cuda:0", "persistent", 100, 2e-6);
  metg.input = "fft";
  results.measurements.push_back(metg);
  const Document document = performance_of(merged({results}), {});
  const Table table = blocks<Table>(inner_section(section(document, "lab"), "METG")).at(0);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][0], "fft");
  EXPECT_EQ(table.rows[0][4], "2.00 µs");
}

TEST(Performance, SaysIfARunIsNotFinished) {
  Results unfinished = sorts("lab");
  unfinished.is_complete = false;
  Results whole = sorts("lab");
  whole.started = "2026-11-20T10:00:00Z";
  whole.command = "millrace bench tasks";
  whole.measurements = {made_up("tasks-tree", "cuda:0", "persistent", 10, 2)};
  const Document document = performance_of(merged({unfinished, whole}), {});
  EXPECT_THAT(run_rows(document),
              testing::UnorderedElementsAre(
                  testing::Contains("millrace bench sort (not finished: it measured a part)"),
                  testing::Contains("millrace bench tasks")));
}

TEST(Performance, OfNothingSaysSo) {
  const Document document = performance_of(merged({made_up_machine("idle")}), {});
  EXPECT_THAT(blocks<Paragraph>(section(document, "Summary")), ElementsAre(HasSubstr("Nothing")));
}

}  // namespace
}  // namespace millrace::tools
