// SPDX-License-Identifier: Apache-2.0

// `millrace bench` from the beginning to the end, and in two runs.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/report/results/results.h>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace millrace::end_to_end {
namespace {

using testing::HasSubstr;
using testing::Not;
using tools::Measurement;
using tools::MeasurementStatus;
using tools::Results;

std::string key_of(const Measurement& each) {
  return each.workload + '|' + each.input + '|' + std::to_string(each.size) + '|' + each.device +
         '|' + each.policy + '|' + each.strategy + '|' + each.peer;
}

class BenchTest : public EndToEndTest {
 protected:
  Results results(const std::string& name) const { return tools::read_results(path(name)); }

  // By tools/report/results/validate.py, where that is there and can run.
  void expect_valid(const std::string& name) const {
    constexpr int kNoValidator = 3;
    if (!std::filesystem::exists("tools/report/results/validate.py")) return;
    const std::string command =
        "/usr/bin/python3 tools/report/results/validate.py docs/benchmark_results.schema.json '" +
        path(name) + "'";
    const int status = WEXITSTATUS(std::system(command.c_str()));
    if (status != kNoValidator) {
      EXPECT_EQ(status, 0);
    }
  }
};

TEST_F(BenchTest, LeavesAFileWithAllFigures) {
  const Finished finished =
      run({"bench", "sort-keys", "idct", "--device", "tbb", "--size", "1000", "--policy", "auto",
           "--seconds", "0.01", "--label", "the lab's", "-o", "r.json"});
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("idct of mixed, size 1000, on tbb\n"));
  EXPECT_THAT(finished.out, HasSubstr("tbb::parallel_sort"));
  EXPECT_THAT(finished.out, HasSubstr("r.json: "));
  expect_valid("r.json");

  const Results all = results("r.json");
  EXPECT_TRUE(all.is_complete);
  EXPECT_EQ(all.machine.label, "the lab's");
  EXPECT_EQ(all.command,
            "millrace bench sort-keys idct --device tbb --policy auto --size 1000 --seconds 0.01 "
            "--label 'the lab's'");
  ASSERT_EQ(all.devices.size(), 1U);
  EXPECT_GT(all.limits.size(), 2U);
  std::set<std::string> peers;
  for (const Measurement& each : all.measurements) {
    peers.insert(each.peer);
    EXPECT_TRUE(each.policy.empty() || each.policy == "auto");
    EXPECT_THAT(each.input_hash, HasSubstr("fnv1a64:"));
    if (each.strategy == "global") {  // Kernels that a CPU has not.
      EXPECT_EQ(each.status, MeasurementStatus::kUnsupported);
      continue;
    }
    if (each.strategy.starts_with("shared")) continue;
    EXPECT_EQ(each.status, MeasurementStatus::kOk) << key_of(each) << each.message;
    EXPECT_GE(each.seconds.size(), 3U);
    EXPECT_GT(each.items, 0);
    EXPECT_TRUE(each.limit_fraction);
  }
  EXPECT_EQ(peers, (std::set<std::string>{"", "std::sort", "tbb::parallel_sort", "boost spreadsort",
                                          "vqsort"}));
}

TEST_F(BenchTest, MeasuresSimulatedGpusThatAreNamed) {
  const Finished finished =
      run({"bench", "idct", "--device", "simt:0", "--seconds", "0.01", "-o", "r.json"});
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  const Results all = results("r.json");
  EXPECT_TRUE(all.devices[0].is_simulated);
  std::set<std::string> strategies;
  for (const Measurement& each : all.measurements) {
    EXPECT_EQ(each.status, MeasurementStatus::kOk) << key_of(each) << each.message;
    strategies.insert(each.strategy);
  }
  EXPECT_EQ(strategies, (std::set<std::string>{"tasks", "global", "shared", "shared+texture"}));
}

// The label is the machine's: the same targets are another's without it.
TEST_F(BenchTest, ComparesWithTargets) {
  put("targets.json", R"({"format": "millrace-benchmark-targets", "schema": 1,
      "machine": {"label": "lab"}, "targets": [
        {"workload": "sort-keys", "figure": "rate", "at_least": 1, "source": "a guess"},
        {"workload": "sort-keys", "figure": "time", "at_most": 1e-12},
        {"workload": "motion-*", "figure": "rate", "at_least": 1}]})");
  const std::vector<std::string> bench = {"bench",    "sort-keys", "--device",  "tbb",
                                          "--size",   "1000",      "--input",   "uniform",
                                          "--policy", "auto",      "--seconds", "0.01"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = bench;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const Finished own = with({"--label", "lab", "--targets", "targets.json", "-o", "a.json"});
  EXPECT_EQ(own.exit_status, 0) << own.err;
  // A machine that is busy may have fewer than six runs.
  EXPECT_THAT(own.out,
              testing::ContainsRegex("targets of targets.json: [01] met, [01] missed, [0-2] not "
                                     "known, 0 without a figure; 1 not measured"));
  EXPECT_THAT(own.out, HasSubstr("a guess\n"));
  const Finished others = with({"--targets", "targets.json", "-o", "b.json"});
  EXPECT_EQ(others.exit_status, 0) << others.err;
  EXPECT_THAT(others.out, HasSubstr("so nothing is compared\n"));
  const Finished without = with({"-o", "c.json"});
  EXPECT_EQ(without.exit_status, 0) << without.err;
  EXPECT_THAT(without.out, Not(HasSubstr("target")));
}

TEST_F(BenchTest, AGroupIsADeviceOfItsOwn) {
  const std::vector<std::string> words = {"bench",       "group-motion-integer",
                                          "--device",    "tbb,simt:0",
                                          "--device",    "tbb",
                                          "--precision", "0.5",
                                          "--seconds",   "0.01",
                                          "--traces",    "traces",
                                          "-o",          "r.json"};
  const Finished finished = run(words);
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("group-motion-integer of texture, size 4, on tbb,simt:0\n"));
  EXPECT_THAT(finished.out, HasSubstr("fraction of simt:0"));
  EXPECT_THAT(finished.out, HasSubstr("not supported: several devices share it"));
  expect_valid("r.json");
  const Results all = results("r.json");
  ASSERT_EQ(all.devices.size(), 3U);
  EXPECT_EQ(all.devices[2].name, "tbb,simt:0");
  std::set<std::string> strategies;
  for (const Measurement& each : all.measurements) {
    if (each.device == "tbb") {
      EXPECT_EQ(each.status, MeasurementStatus::kUnsupported);
      continue;
    }
    EXPECT_EQ(each.device, "tbb,simt:0");
    EXPECT_EQ(each.status, MeasurementStatus::kOk) << each.message;
    EXPECT_EQ(each.values.size(), each.strategy == "group" ? 2U : 0U);
    EXPECT_TRUE(std::filesystem::exists(path(each.trace))) << each.trace;
    strategies.insert(each.strategy);
  }
  EXPECT_EQ(strategies, (std::set<std::string>{"one", "group"}));

  std::vector<std::string> again = words;
  again.emplace_back("--resume");
  const std::string file = bytes("r.json");
  EXPECT_EQ(run(again).exit_status, 0);
  EXPECT_EQ(bytes("r.json"), file);
}

TEST_F(BenchTest, SaysThatAnInputFailed) {
  put("notes.txt", "this is no clip");
  const Finished finished = run({"bench", "motion-integer", "--device", "tbb", "--input",
                                 "notes.txt", "--seconds", "0.01", "-o", "r.json"});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_EQ(finished.err,
            "millrace: 0 of 1 measurements gave a wrong result and 1 failed; r.json says why\n");
  EXPECT_EQ(results("r.json").measurements.at(0).status, MeasurementStatus::kFailed);
}

TEST_F(BenchTest, SaysThatNothingCouldRun) {
  const Finished finished =
      run({"bench", "micro-upload", "--device", "tbb", "--seconds", "0.01", "-o", "r.json"});
  EXPECT_EQ(finished.exit_status, 2);
  EXPECT_EQ(finished.err, "millrace: no chosen workload can run here; r.json says why\n");
  EXPECT_EQ(results("r.json").measurements.at(0).status, MeasurementStatus::kUnsupported);
}

TEST_F(BenchTest, SaysThatAWorkloadHasNoPolicies) {
  const Finished finished = run({"bench", "micro-copy", "--device", "tbb", "--policy", "persistent",
                                 "--size", "4096", "--seconds", "0.01", "-o", "r.json"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_THAT(finished.out,
              HasSubstr("not supported: there are no policies to choose from here (persistent)"));
}

TEST_F(BenchTest, GoesOnAfterAnInterruptAndMeasuresNothingTwice) {
  const std::vector<std::string> words = {
      "bench",     "sort-keys", "sort-pairs",  "--device", "tbb", "--size", "3000",
      "--seconds", "0.2",       "--precision", "0.0001",   "-o",  "r.json"};
  const auto has_begun = [&] { return bytes("r.json").find("\"workload\"") != std::string::npos; };
  Finished first;
  // On a busy machine the command may end before it gets the signal; it is then started again.
  do {
    std::filesystem::remove(folder_ / "r.json");
    MillraceProcess process(folder_, words);
    process.wait_until(has_begun);
    process.send_signal(SIGINT);
    first = process.wait();
  } while (first.exit_status == 0);
  ASSERT_EQ(first.exit_status, 128 + SIGINT) << first.err;
  EXPECT_THAT(first.err, HasSubstr("millrace: interrupted; r.json has "));
  EXPECT_THAT(first.err, HasSubstr(" of 16 configurations; --resume continues\n"));
  expect_valid("r.json");
  const Results begun = results("r.json");
  EXPECT_FALSE(begun.is_complete);
  ASSERT_FALSE(begun.measurements.empty());

  std::vector<std::string> again = words;
  again.emplace_back("--resume");
  const Finished second = run(again);
  ASSERT_EQ(second.exit_status, 0) << second.err;
  expect_valid("r.json");
  const Results whole = results("r.json");
  EXPECT_TRUE(whole.is_complete);
  EXPECT_EQ(whole.limits.size(), begun.limits.size());
  std::map<std::string, std::vector<double>> times;
  for (const Measurement& each : whole.measurements) {
    EXPECT_TRUE(times.emplace(key_of(each), each.seconds).second) << key_of(each);
  }
  EXPECT_EQ(times.size(), 2U * 8 * (4 + 4));  // Kinds, inputs, policies and peers.
  for (const Measurement& each : begun.measurements) {
    EXPECT_EQ(times.at(key_of(each)), each.seconds) << key_of(each);
  }

  // There is nothing left.
  const std::string file = bytes("r.json");
  EXPECT_EQ(run(again).exit_status, 0);
  EXPECT_EQ(bytes("r.json"), file);
}

TEST_F(BenchTest, TracesWhatStreams) {
  const Finished finished = run({"bench", "idct-host", "--device", "simt:0", "--seconds", "0.01",
                                 "--strategy", "streamed", "--traces", "traces", "-o", "r.json"});
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  int traced = 0;
  for (const Measurement& each : results("r.json").measurements) {
    if (each.trace.empty()) continue;
    ++traced;
    const auto trace = nlohmann::json::parse(bytes(each.trace), nullptr, false);
    EXPECT_FALSE(trace["traceEvents"].empty()) << each.trace;
  }
  EXPECT_EQ(traced, 1);

  // Others' do not replace them, and its own are kept.
  std::vector<std::string> words = {"bench",     "idct-host", "--device",   "simt:0",
                                    "--seconds", "0.01",      "--strategy", "streamed",
                                    "--traces",  "traces",    "-o",         "r2.json"};
  EXPECT_EQ(run(words).exit_status, 0);
  std::filesystem::remove(path("r2.json"));
  const Finished kept = run(words);
  EXPECT_EQ(kept.exit_status, 2);
  EXPECT_THAT(kept.err, HasSubstr("traces/r2-idct-host-synthetic-96-simt_0-streamed.json: exists"));
  EXPECT_FALSE(std::filesystem::exists(path("r2.json")));
}

TEST_F(BenchTest, ListsWorkloadsAndWritesNothing) {
  const Finished finished = run({"bench", "sort", "--list"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_THAT(finished.out, HasSubstr("sort-pairs"));
  EXPECT_THAT(finished.out, HasSubstr("few-distinct"));
  EXPECT_THAT(finished.out, Not(HasSubstr("idct")));
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace millrace::end_to_end
