// SPDX-License-Identifier: Apache-2.0

// Tables, JSON and lines for other programs, of results made up by hand.
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/export/csv_row.h>
#include <millrace/tools/report/export/fom_lines.h>
#include <millrace/tools/report/export/google_benchmark.h>
#include <millrace/tools/report/export/measurement_csv.h>
#include <millrace/tools/report/export/p3_csv.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>

namespace millrace::tools {
namespace {

using nlohmann::json;
using testing::HasSubstr;

template <class Writer>
std::string written(const Writer& writer, const MergedResults& all) {
  std::ostringstream out;
  writer(out, all);
  return out.str();
}

// 1000 keys in 0.5 s (0.25 to 1 s) on a GPU, half of its limit, beside a peer that is wrong.
Results sort_results() {
  Results results = made_up_machine("lab 1");
  results.started = "2026-11-22T15:00:00Z";
  results.build.commit = "abc";
  results.build.compiler = "gcc 12.2";
  results.build.flags = "-O2, \"fast\"";
  results.devices[0].backend = "cuda";
  results.devices[0].description = "NVIDIA H200";
  results.devices[0].driver = "580.1";
  Measurement own = made_up("sort keys", "cuda:0", "auto", 1000, 0.5);
  own.seconds = {0.25, 1, 0.5};
  own.low_seconds = 0.25;
  own.high_seconds = 1;
  own.item_name = "keys";
  own.bytes = 8000;
  own.input = "uniform";
  own.strategy = "pinned";
  own.limit = "copy";
  own.limit_fraction = 0.5;
  own.joules = 2;
  Measurement peer = own;
  peer.policy = "";
  peer.peer = "CUB";
  peer.status = MeasurementStatus::kWrong;
  peer.seconds.clear();
  peer.limit_fraction.reset();
  peer.joules.reset();
  results.measurements = {own, peer};
  return results;
}

TEST(CsvRow, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_row({"a", "", "b c"}), "a,,b c\n");
  EXPECT_EQ(csv_row({"a,b", "say \"hi\"", "two\nlines"}),
            "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\n");
}

TEST(CsvRow, KeepsEveryBitOfANumber) {
  for (const double number : {0.1 + 0.2, 1.0 / 3, 6.8e9, 1e-18}) {
    EXPECT_EQ(std::stod(exact_text(number)), number);
  }
  EXPECT_EQ(exact_text(std::optional<double>()), "");
}

TEST(MeasurementCsv, HasARowForEachMeasurement) {
  EXPECT_EQ(written(write_measurement_csv, merged({sort_results()})),
            "machine,device,vendor,backend,workload,input,size,contender,policy,strategy,peer,"
            "status,runs,median,low,high,unit,seconds,items,bytes,limit,fraction,joules,commit,"
            "compiler,flags,driver,started\n"
            "lab 1,cuda:0,NVIDIA,cuda,sort keys,uniform,1000,\"auto, pinned\",auto,pinned,,ok,3,"
            "2000,1000,4000,keys/s,0.5,1000,8000,copy,0.5,2,abc,gcc 12.2,\"-O2, \"\"fast\"\"\","
            "580.1,2026-11-22T15:00:00Z\n"
            "lab 1,cuda:0,NVIDIA,cuda,sort keys,uniform,1000,\"CUB, pinned\",,pinned,CUB,wrong,0,"
            ",,,,,1000,8000,copy,,,abc,gcc 12.2,\"-O2, \"\"fast\"\"\",580.1,"
            "2026-11-22T15:00:00Z\n");
}

TEST(MeasurementCsv, HasTimesOfMetg) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("joins-metg", "tbb", "auto", 1000, 0.5, 0)};
  EXPECT_THAT(written(write_measurement_csv, merged({results})), HasSubstr(",ok,6,0.5,0.5,0.5,s,"));
}

TEST(GoogleBenchmark, HasARepetitionForEachRun) {
  const json all = json::parse(written(write_google_benchmark, merged({sort_results()})));
  EXPECT_EQ(all["context"]["json_schema_version"], 1);
  EXPECT_EQ(all["context"]["date"], "2026-11-22T15:00:00Z");
  EXPECT_EQ(all["context"]["commit"], "abc");
  ASSERT_EQ(all["benchmarks"].size(), 3U);
  const json& last = all["benchmarks"][2];
  EXPECT_EQ(last["name"], "cuda:0/sort_keys/uniform/1000/auto,_pinned");
  EXPECT_EQ(last["run_name"], last["name"]);
  EXPECT_EQ(last["run_type"], "iteration");
  EXPECT_EQ(last["repetitions"], 3);
  EXPECT_EQ(last["repetition_index"], 2);
  EXPECT_EQ(last["real_time"], 0.5e9);
  EXPECT_EQ(last["cpu_time"], 0.5e9);
  EXPECT_EQ(last["time_unit"], "ns");
  EXPECT_EQ(last["items_per_second"], 2000);
  EXPECT_EQ(last["bytes_per_second"], 16000);
}

TEST(GoogleBenchmark, NamesMachinesWhereThereAreSeveral) {
  Results other = sort_results();
  other.machine.label = "b/2";
  const json all = json::parse(written(write_google_benchmark, merged({sort_results(), other})));
  EXPECT_EQ(all["benchmarks"][0]["name"], "lab_1/cuda:0/sort_keys/uniform/1000/auto,_pinned");
  EXPECT_EQ(all["benchmarks"][3]["name"], "b_2/cuda:0/sort_keys/uniform/1000/auto,_pinned");
  EXPECT_FALSE(all["context"].contains("date"));
}

TEST(FomLines, HaveANameAFigureAndItsInterval) {
  EXPECT_EQ(written(write_fom_lines, merged({sort_results()})),
            "FOM cuda:0/sort_keys/uniform/1000/auto,_pinned: 2000 keys/s (1000 to 4000)\n"
            "FOM cuda:0/sort_keys/uniform/1000/CUB,_pinned: wrong\n");
}

TEST(FomLines, HaveNoEmptySegmentOfANameAndNoSpaceInAUnit) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("tree", "tbb", "", 10, 1, 0)};
  results.measurements[0].item_name = "small tasks";
  EXPECT_EQ(written(write_fom_lines, merged({results})),
            "FOM tbb/tree/-/10/Millrace: 1000 small_tasks/s (1000 to 1000)\n");
}

TEST(P3Csv, HasTheColumnsOfTheLibrary) {
  EXPECT_EQ(written(write_p3_csv, merged({sort_results()})),
            "date,problem,application,platform,fom,app eff,arch eff,unit,size\n"
            "2026-11-22T15:00:00Z,\"sort keys, uniform\",\"Millrace, best\",cuda:0 (lab 1),2000,1,"
            "0.5,keys/s,1000\n"
            "2026-11-22T15:00:00Z,\"sort keys, uniform\",\"auto, pinned\",cuda:0 (lab 1),2000,1,"
            "0.5,keys/s,1000\n");
}

TEST(P3Csv, HasEfficienciesOfZeroWhereAPlatformIsNotSupported) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("tree", "tbb", "a", 10, 1),
                          made_up("tree", "cuda:0", "a", 10, 1)};
  results.measurements[1].status = MeasurementStatus::kUnsupported;
  EXPECT_THAT(written(write_p3_csv, merged({results})), HasSubstr("tree,a,cuda:0 (lab),,0,0,,\n"));
}

TEST(P3Csv, LeavesTheEfficiencyOpenWhereNoLimitIsKnown) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("tree", "tbb", "a", 10, 1), made_up("tree", "tbb", "b", 10, 4)};
  EXPECT_THAT(written(write_p3_csv, merged({results})),
              HasSubstr("tree,b,tbb (lab),250,0.25,,tasks/s,10\n"));
}

}  // namespace
}  // namespace millrace::tools
