// SPDX-License-Identifier: Apache-2.0

// Tests the files that `millrace report` writes for other programs, and its run rules, on results
// that were really measured.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/report/sample_reports_test.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kStored = "docs/results/h200.json";
constexpr const char* kPage = "docs/guide/laboratories.md";
constexpr const char* kCompare = "/usr/share/benchmark/compare.py";  // From libbenchmark-tools.

// Runs a script by the first Python that has NumPy.
constexpr const char* kPython = R"(
for python in python3 /usr/bin/python3; do "$python" -c 'import numpy' 2>/dev/null && break; python=; done; $python )";

std::ptrdiff_t lines_in(const std::string& text) { return std::ranges::count(text, '\n'); }

class ReportExportsTest : public SampleReportsTest {
 protected:
  void SetUp() override {
    SampleReportsTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    std::filesystem::copy_file(kStored, path("server.json"));
    before_ = names();
  }

  // The measurements of a file, and of them those that have times.
  json measurements(const std::string& name) const {
    return json::parse(bytes(name))["measurements"];
  }
  std::ptrdiff_t runs_in(const std::string& name) const {
    std::ptrdiff_t runs = 0;
    for (const json& each : measurements(name)) {
      if (each["status"] == "ok") runs += static_cast<std::ptrdiff_t>(each["seconds"].size());
    }
    return runs;
  }

  // Puts a file of the sample with changes.
  template <class Change>
  void put_changed(const std::string& name, const Change& change) const {
    json results = json::parse(bytes("server.json"));
    change(results);
    put(name, results.dump());
  }
};

TEST_F(ReportExportsTest, WriteAllFormsAndNoPage) {
  const Finished finished = report({"server.json", samples_[0], "--csv", "all.csv",
                                    "--google-benchmark", "gb.json", "--p3", "p3.csv"});
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  const auto count = static_cast<std::ptrdiff_t>(measurements("server.json").size() +
                                                 measurements(samples_[0]).size());
  EXPECT_EQ(lines_in(bytes("all.csv")), 1 + count);
  EXPECT_THAT(bytes("all.csv"), StartsWith("machine,device,vendor,"));
  EXPECT_THAT(finished.out, HasSubstr("all.csv: " + std::to_string(count) + " measurements\n"));
  const json benchmarks = json::parse(bytes("gb.json"))["benchmarks"];
  EXPECT_EQ(static_cast<std::ptrdiff_t>(benchmarks.size()),
            runs_in("server.json") + runs_in(samples_[0]));
  EXPECT_THAT(bytes("p3.csv"), StartsWith("date,problem,application,platform,fom,app eff,"));
  EXPECT_GT(lines_in(bytes("p3.csv")), 1);
  EXPECT_FALSE(names().contains("report.html"));
}

TEST_F(ReportExportsTest, MakeAPageToo) {
  EXPECT_EQ(report({"server.json", "--csv", "all.csv", "-o", "page.html"}).exit_status, 0);
  EXPECT_TRUE(names().contains("page.html"));
}

TEST_F(ReportExportsTest, GoToStandardOutput) {
  const Finished table = report({"server.json", "--csv", "-"});
  EXPECT_EQ(table.exit_status, 0) << table.err;
  EXPECT_THAT(table.out, StartsWith("machine,device,"));
  EXPECT_EQ(lines_in(table.out),
            1 + static_cast<std::ptrdiff_t>(measurements("server.json").size()));
  const Finished lines = report({"server.json", "--fom", "--p3", "p3.csv"});
  EXPECT_EQ(lines.exit_status, 0) << lines.err;
  EXPECT_THAT(lines.out, StartsWith("FOM "));
  EXPECT_EQ(lines_in(lines.out), static_cast<std::ptrdiff_t>(measurements("server.json").size()));
  EXPECT_TRUE(names().contains("p3.csv"));
}

TEST_F(ReportExportsTest, KeepFilesUnlessForced) {
  put("all.csv", "mine");
  before_.insert("all.csv");
  expect_nothing_made({"server.json", "--csv", "all.csv", "--p3", "p3.csv"},
                      "all.csv: exists already (--force replaces it)");
  EXPECT_EQ(bytes("all.csv"), "mine");
  EXPECT_EQ(report({"server.json", "--csv", "all.csv", "--force"}).exit_status, 0);
  EXPECT_NE(bytes("all.csv"), "mine");
}

TEST_F(ReportExportsTest, RejectWhatCannotBeMeant) {
  expect_nothing_made({"server.json", "--csv", "server.json"}, "--csv is server.json");
  expect_nothing_made({"server.json", "--csv", "x", "--p3", "x"}, "--p3 is x, which the run needs");
  expect_nothing_made({"server.json", "--csv", "-", "--fom"},
                      "--csv and --fom are both standard output");
  expect_nothing_made({"--csv", "x"}, "no results file is given");
  expect_nothing_made({"--compare", "server.json", samples_[0], "--fom"},
                      "--compare is given with options of a report");
  expect_nothing_made({"server.json", "--compliance", "--csv", "x"},
                      "--compliance is given with options of a report");
  expect_nothing_made({"--compliance"}, "no results file is given");
  expect_nothing_made({"none.json", "--compliance"}, "none.json: cannot be read");
}

// Runs the regular expressions of the page's samples, as ReFrame and Ramble do, on each line.
TEST_F(ReportExportsTest, AreFoundByTheRegularExpressionsOfThePage) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "SKIPPED: no python3";
  put_changed("wrong.json", [](json& results) {
    results["measurements"][0]["status"] = "wrong";
    results["measurements"][0]["message"] = "differs";
  });
  put("right.txt", report({"server.json", "--fom"}).out);
  put("wrong.txt", report({"wrong.json", "--fom"}).out);
  std::filesystem::copy_file(kPage, path("page.md"));
  put("check.py", R"(
import json, re
page = open("page.md").read()
samples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
assert len(samples) == 2, samples
patterns = {name: re.findall("r[\"'](\\^?FOM .*?)[\"'][,)]?", text) for name, text in zip(["reframe", "ramble"], samples)}
assert [len(patterns[name]) for name in ("reframe", "ramble")] == [2, 3], patterns
right, wrong = (open(name + ".txt").read().splitlines() for name in ("right", "wrong"))
expected = {}
for each in json.load(open("server.json"))["measurements"]:
    if each["status"] == "ok":
        contender = ",_".join(each[name] for name in ("peer", "policy", "strategy") if each.get(name)).replace(" ", "_")
        name = "/".join([each["device"], each["workload"], each.get("input") or "-", str(each["size"]), contender or "Millrace"])
        expected[name] = each["items"] / each["median_seconds"]

def close(text, number):
    return abs(float(text) / number - 1) < 1e-5

failure, rate = patterns["reframe"]
assert not any(re.search(failure, line) for line in right)
assert sum(bool(re.search(failure, line)) for line in wrong) == 1
found = [match for line in right if (match := re.search(rate, line))]
assert len(found) == 1, found
assert close(found[0]["figure"], expected["cuda:0/sort-keys/uniform/10000000/auto,_pinned"])
context, figure, success = patterns["ramble"]
found = [match for line in right if (match := re.match(figure, line))]
assert {match["name"] for match in found} == set(expected)
assert all(close(match["figure"], expected[match["name"]]) for match in found)
assert sum(bool(re.match(context, line)) for line in right) == len(expected)
assert any(re.match(success, line) for line in right)
)");
  const Finished finished = run_shell(folder_, "python3 check.py");
  EXPECT_EQ(finished.exit_status, 0) << finished.out << finished.err;
}

// The two functions of SciPy that compare.py calls, for machines without it: it is larger than all
// else that tests want.
constexpr const char* kSciPy = R"(
import types
import numpy
def gmean(values): return numpy.exp(numpy.log(numpy.array(values)).mean(axis=0))
def mannwhitneyu(a, b, alternative): return types.SimpleNamespace(pvalue=0.5)
)";

TEST_F(ReportExportsTest, AreComparedByTheScriptOfGoogleBenchmark) {
  if (!std::filesystem::exists(kCompare)) {
    GTEST_SKIP() << "SKIPPED: no compare.py (Debian's package libbenchmark-tools)";
  }
  if (run_shell(folder_, kPython + std::string("-c ''")).exit_status != 0) {
    GTEST_SKIP() << "SKIPPED: no python3 has NumPy";
  }
  std::string twice;  // The measurement that takes twice as long in the second file.
  put_changed("slow.json", [&](json& results) {
    json& all = results["measurements"];
    json& each = *std::ranges::find(all, "ok", [](const json& any) { return any["status"]; });
    twice = each["workload"];
    for (json& seconds : each["seconds"]) seconds = 2 * seconds.get<double>();
    for (const char* const name : {"median_seconds", "low_seconds", "high_seconds"}) {
      each[name] = 2 * each[name].get<double>();
    }
  });
  ASSERT_EQ(report({"server.json", "--google-benchmark", "before_gb.json"}).exit_status, 0);
  ASSERT_EQ(report({"slow.json", "--google-benchmark", "after_gb.json"}).exit_status, 0);
  if (run_shell(folder_, kPython + std::string("-c 'import scipy.stats'")).exit_status != 0) {
    std::filesystem::create_directories(path("scipy"));
    put("scipy/__init__.py", "");
    put("scipy/stats.py", kSciPy);
  }
  put("check.py", R"(
import json, subprocess, sys
command = [sys.executable, sys.argv[1], "--no-color", "--dump_to_json", "compared.json", "benchmarks", "before_gb.json", "after_gb.json"]
said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
compared = {each["name"]: [run["time"] for run in each["measurements"]] for each in json.load(open("compared.json"))}
del compared["OVERALL_GEOMEAN"]
measurements = json.load(open("server.json"))["measurements"]
runs = sorted(len(each["seconds"]) for each in measurements if each["status"] == "ok")
assert sorted(map(len, compared.values())) == runs, (compared.keys(), runs)
changed = [name for name, times in compared.items() if any(abs(time) > 1e-9 for time in times)]
assert len(changed) == 1 and "/" + sys.argv[2] + "/" in changed[0], changed
times = compared[changed[0]]
assert all(abs(time - 1) < 1e-9 for time in times), times  # Relative to the first file's.
assert f"{changed[0]}_pvalue" in said and f"Repetitions: {len(times)} vs {len(times)}" in said, said[:2000]
)");
  const Finished finished = run_shell(folder_, "export PYTHONPATH=.; " + std::string(kPython) +
                                                   "check.py " + kCompare + " '" + twice + "'");
  EXPECT_EQ(finished.exit_status, 0) << finished.out << finished.err;
}

TEST_F(ReportExportsTest, OfRulesThatAreKeptEndWell) {
  const Finished finished = report({"server.json", "--compliance"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith("server.json: keeps the base rules\n"));
  EXPECT_EQ(names(), before_);
}

TEST_F(ReportExportsTest, OfRulesThatAreBrokenNameEachAndEndWithOne) {
  put_changed("bad.json", [](json& results) {
    results["build"]["commit"] = "0123abc-changed";
    results["measurements"][0]["after"]["is_throttled"] = true;
    results["measurements"][1]["is_checked"] = false;
    results["measurements"][2]["status"] = "wrong";
  });
  const Finished finished = report({"server.json", "bad.json", "--compliance"});
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_EQ(finished.err, "");
  EXPECT_THAT(finished.out, HasSubstr("server.json: keeps the base rules\n"));
  EXPECT_THAT(finished.out, HasSubstr("bad.json: breaks the base rules\n"));
  EXPECT_THAT(finished.out, HasSubstr("breaks: the commit is 0123abc-changed"));
  const json first = measurements("bad.json");
  const auto name = [&](int i) {
    return first[i]["workload"].get<std::string>() + ", " + first[i]["input"].get<std::string>() +
           ", size " + std::to_string(first[i]["size"].get<int>()) + ", ";
  };
  EXPECT_THAT(finished.out, testing::ContainsRegex(name(0) + "[^\n]*: the clock was throttled\n"));
  EXPECT_THAT(finished.out, testing::ContainsRegex(name(1) + "[^\n]*: the result was not checked"));
  EXPECT_THAT(finished.out, testing::ContainsRegex(name(2) + "[^\n]*: the result is wrong"));
}

}  // namespace
}  // namespace millrace::end_to_end
