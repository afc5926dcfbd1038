// SPDX-License-Identifier: Apache-2.0

// `millrace report` on results that were really measured, and on what is none.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/report/sample_reports_test.h>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;
using testing::HasSubstr;

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

class ReportTest : public SampleReportsTest {
 protected:
  // A failure does not print the page, which is long.
  bool is_on_page(const std::string& text) const {
    return bytes("report.html").find(text) != std::string::npos;
  }
  void expect_on_page(const std::string& text) const { EXPECT_TRUE(is_on_page(text)) << text; }

  json sample() const { return json::parse(bytes(samples_[0])); }

  // The first measurement that has a time.
  static json& timed(json& results) {
    for (json& each : results["measurements"]) {
      if (each["status"] == "ok") return each;
    }
    throw std::runtime_error("nothing was timed");
  }
};

TEST_F(ReportTest, MakesAPageOfSeveralMachines) {
  std::vector<std::string> arguments = samples_;
  arguments.insert(arguments.end(), {"--title", "A <b>title</b>"});
  const Finished finished = report(arguments);
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  expect_on_page("<h1>A &lt;b&gt;title&lt;/b&gt;</h1>");
  EXPECT_FALSE(is_on_page("://"));
  for (const std::string& name : samples_) {
    const json results = json::parse(bytes(name));
    const std::string label = results["machine"]["label"];
    for (const json& device : results["devices"]) {
      expect_on_page(device["name"].get<std::string>() + " (" + label + ")");
    }
    for (const json& each : results["measurements"]) expect_on_page(each["workload"]);
  }
}

TEST_F(ReportTest, MakesMarkdownWithThePicturesOfThePage) {
  const Finished finished =
      report({samples_[0], "-o", "page.html", "--markdown", "lab results.md"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  const std::string text = bytes("lab results.md");
  const int pictures = count(bytes("page.html"), "<svg ");
  EXPECT_GT(pictures, 1);
  EXPECT_EQ(count(text, "!["), pictures);
  for (int i = 1; i <= pictures; ++i) {
    const std::string name = "results-" + std::to_string(i) + ".svg";
    EXPECT_EQ(count(text, "(lab%20" + name + ")"), 1) << name;
    EXPECT_TRUE(bytes("lab " + name).ends_with("</svg>\n")) << name;
  }
}

TEST_F(ReportTest, DrawsATimeline) {
  put("trace.json", R"({"traceEvents": [
      {"ph": "M", "name": "thread_name", "pid": 1, "tid": 0, "args": {"name": "simt:0 compute"}},
      {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "tbb compute"}},
      {"ph": "X", "name": "persistent", "pid": 1, "tid": 0, "ts": 10, "dur": 30},
      {"ph": "X", "name": "persistent", "pid": 1, "tid": 1, "ts": 20, "dur": 20}]})");
  const Finished finished =
      report({"--timeline", "trace.json", "-o", "who.svg", "--title", "Who ran when"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_THAT(finished.out,
              HasSubstr("who.svg: 2 lanes, two or more at work in 20.0 µs of 30.0 µs"));
  const std::string picture = bytes("who.svg");
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  for (const char* const words : {"Who ran when", ">simt:0 compute<", ">tbb compute<"}) {
    EXPECT_GE(count(picture, words), 1) << words;
  }
}

TEST_F(ReportTest, RejectsWhatIsNoTimelineOrHasOtherOptions) {
  put("empty.json", R"({"traceEvents": []})");
  before_ = names();
  expect_nothing_made({"--timeline", "empty.json"}, "the timeline has no spans");
  expect_nothing_made({"--timeline", samples_[0]}, "traceEvents");
  expect_nothing_made({"--timeline", "empty.json", samples_[0]}, "--timeline is given with files");
  expect_nothing_made({"--timeline", "empty.json", "--fom"}, "--timeline is given with files");
}

TEST_F(ReportTest, NeedsNoOpenFileForEachPicture) {
  json results = sample();
  const json one = timed(results);
  results["measurements"] = json::array();
  constexpr int kWorkloads = 100;
  for (int i = 0; i < kWorkloads; ++i) {
    json each = one;
    each["workload"] = "work-" + std::to_string(i);
    each.erase("trace");
    results["measurements"].push_back(each);
  }
  put("many.json", results.dump());
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
  const rlimit lowered = {kWorkloads / 2, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &lowered), 0);
  const Finished finished = report({"many.json", "--markdown", "r.md"});
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_GE(count(bytes("r.md"), "!["), kWorkloads);
}

TEST_F(ReportTest, MakesMarkdownAlone) {
  EXPECT_EQ(report({samples_[0], "--markdown", "r.md"}).exit_status, 0);
  EXPECT_FALSE(names().contains("report.html"));
}

TEST_F(ReportTest, ComparesSpeedWithTheBaselineThatIsChosen) {
  json results = sample();
  const std::string baseline = results["machine"]["label"].get<std::string>() + ":" +
                               timed(results)["device"].get<std::string>();
  EXPECT_EQ(report({samples_[0], "--baseline", baseline}).exit_status, 0);
  expect_on_page("speed-up over ");
  expect_rejected(report({samples_[0], "--baseline", "none:tbb", "--force"}),
                  "--baseline is 'none:tbb'; it is LABEL:DEVICE or LABEL:DEVICE:CONTENDER");
}

TEST_F(ReportTest, MakesAShortPageOfPerformance) {
  const Finished finished = report({samples_[0], "--performance", "--markdown", "short.md"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  const std::string text = bytes("short.md");
  EXPECT_TRUE(text.starts_with("# Performance\n"));
  EXPECT_THAT(text, HasSubstr(sample()["machine"]["label"].get<std::string>()));
  EXPECT_THAT(text, HasSubstr("| Driver | Command |\n"));
  EXPECT_TRUE(bytes("short-1.svg").ends_with("</svg>\n"));
}

TEST_F(ReportTest, ComparesResultsWithTargets) {
  json results = sample();
  json& measured = timed(results);
  const json target = {{"workload", measured["workload"]},
                       {"size", measured["size"]},
                       {"device", measured["device"]},
                       {"figure", "time"},
                       {"at_most", 1e9}};
  put("targets.json", json{{"format", "millrace-benchmark-targets"},
                           {"schema", 1},
                           {"machine", {{"label", results["machine"]["label"]}}},
                           {"targets", {target}}}
                          .dump());
  EXPECT_EQ(report({samples_[0], "--targets", "targets.json"}).exit_status, 0);
  expect_on_page("Targets of targets.json");
  expect_on_page(", targets of targets.json: ");
  EXPECT_EQ(report({samples_[0], "--force"}).exit_status, 0);
  EXPECT_FALSE(is_on_page("argets of "));
}

TEST_F(ReportTest, RejectsTargetsThatAreNone) {
  put("targets.json", R"({"format": "millrace-benchmark-targets", "schema": 1, "machine": {},
                          "targets": []})");
  before_.insert("targets.json");
  expect_nothing_made({samples_[0], "--targets", "targets.json"},
                      "targets.json: machine names none; give it a label, a device or both");
  expect_nothing_made({samples_[0], "--targets", samples_[1]},
                      samples_[1] + ": is no file of benchmark targets");
  expect_nothing_made({samples_[0], "--targets", "targets.json", "-o", "targets.json", "--force"},
                      "-o is targets.json, which the run needs");
}

TEST_F(ReportTest, RejectsFilesThatAreNone) {
  const std::string whole = bytes(samples_[0]);
  json newer = sample();
  newer["schema"] = 99;
  json wrong = sample();
  timed(wrong)["seconds"][0] = "fast";
  const std::pair<std::string, std::string> cases[] = {
      {whole.substr(0, whole.size() / 2), "bad.json: is cut off at line "},
      {"", "bad.json: is empty"},
      {"{\"traceEvents\": []}", "bad.json: is no file of benchmark results"},
      {"key,value\n1,2\n",
       "bad.json: is not JSON at line 1, column 1; give a file that `millrace bench -o` wrote"},
      {newer.dump(), "bad.json: schema is 99; this version of Millrace reads up to 1"},
      {wrong.dump(), ".seconds[0] is of type string; a number is expected"}};
  before_.insert("bad.json");
  for (const auto& [contents, message] : cases) {
    put("bad.json", contents);
    expect_nothing_made({samples_[1], "bad.json"}, message);
    expect_nothing_made({"--compare", samples_[1], "bad.json"}, message);
  }
}

TEST_F(ReportTest, RejectsTimelinesThatAreNone) {
  json results = sample();
  for (json& each : results["measurements"]) each.erase("trace");
  timed(results)["trace"] = "bad.trace";
  put("traced.json", results.dump());
  put("bad.trace", "{\"traceEvents\": [");
  before_.insert({"traced.json", "bad.trace"});
  expect_nothing_made({"traced.json"}, "bad.trace: is cut off at line 1");
}

TEST_F(ReportTest, RejectsWhatCannotBeMeant) {
  const std::string& file = samples_[0];
  expect_nothing_made({}, "no results file is given");
  expect_nothing_made({"none.json"}, "none.json: cannot be read");
  expect_nothing_made({"."}, ".: is a directory, not a file");
  expect_nothing_made({file, "./" + file}, "is given twice");
  expect_nothing_made({file, "-o", file}, "-o is " + file + ", which the run needs");
  expect_nothing_made({file, "-o", "r", "--markdown", "r"}, "--markdown is r, which the run needs");
  expect_nothing_made({file, "-o", "none/r.html"}, "none/r.html: cannot be written");
  expect_nothing_made({file, "--colour"}, "--colour");
  expect_nothing_made({file, "--performance", "--baseline", "x:tbb"},
                      "--performance and --baseline are both given");
  expect_nothing_made({"--compare", file}, "--compare");
  expect_nothing_made({"--compare", file, samples_[1], "-o", "r.html"},
                      "--compare is given with options of a report");
  expect_nothing_made({"--compare", file, samples_[1], "--noise", "-1"},
                      "--noise is '-1'; give a number from 0 to");
  expect_nothing_made({"--compare", file, samples_[1], "--noise", "little"}, "--noise");
}

TEST_F(ReportTest, KeepsFilesUnlessForced) {
  put("report.html", "mine");
  put("r-1.svg", "mine");
  before_.insert({"report.html", "r-1.svg"});
  expect_nothing_made({samples_[0]}, "report.html: exists already (--force replaces it)");
  expect_nothing_made({samples_[0], "--markdown", "r.md"}, "r-1.svg: exists already");
  EXPECT_EQ(bytes("report.html"), "mine");
  EXPECT_EQ(report({samples_[0], "--force"}).exit_status, 0);
  EXPECT_NE(bytes("report.html"), "mine");
}

class ReportCompareTest : public ReportTest {
 protected:
  // Compares the first sample with what `change` makes of it.
  Finished compare(const std::function<void(json&)>& change,
                   const std::vector<std::string>& options = {}) {
    json changed = sample();
    change(changed);
    put("changed.json", changed.dump());
    std::vector<std::string> arguments = {"--compare", samples_[0], "changed.json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return report(arguments);
  }

  static void slow_down(json& measurement, double factor) {
    for (const char* const name : {"median_seconds", "low_seconds", "high_seconds"}) {
      measurement[name] = measurement[name].get<double>() * factor;
    }
  }
};

TEST_F(ReportCompareTest, OfTheSameEndsWell) {
  const Finished finished = compare([](json&) {});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_THAT(finished.out, HasSubstr("0 wrong, 0 slower, 0 faster, "));
}

TEST_F(ReportCompareTest, NamesWhatIsSlowerAndEndsWithOne) {
  const Finished finished = compare([](json& results) { slow_down(timed(results), 100); });
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_EQ(finished.err, "");
  json results = sample();
  EXPECT_THAT(finished.out,
              HasSubstr("Slower:\n  " + timed(results)["workload"].get<std::string>()));
  EXPECT_THAT(finished.out, HasSubstr("100 times as long"));
  EXPECT_THAT(finished.out, HasSubstr("0 wrong, 1 slower, 0 faster, "));
}

TEST_F(ReportCompareTest, LeavesNoiseAlone) {
  const auto change = [](json& results) { slow_down(timed(results), 100); };
  EXPECT_EQ(compare(change, {"--noise", "1000"}).exit_status, 0);
}

TEST_F(ReportCompareTest, NamesWhatBecameWrongAndEndsWithOne) {
  const Finished finished = compare([](json& results) {
    timed(results)["message"] = "differs at 7";
    timed(results)["status"] = "wrong";
  });
  EXPECT_EQ(finished.exit_status, 1);
  EXPECT_THAT(finished.out, HasSubstr("is wrong: differs at 7"));
}

TEST_F(ReportCompareTest, OfFasterNewAndGoneEndsWell) {
  const Finished finished = compare([](json& results) {
    slow_down(timed(results), 0.01);
    json& last = results["measurements"].back();
    last["workload"] = "brand-new";
  });
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_THAT(finished.out, HasSubstr("1 faster"));
  EXPECT_THAT(finished.out, HasSubstr("New:\n  brand-new"));
  EXPECT_THAT(finished.out, HasSubstr("1 new, 1 gone"));
}

}  // namespace
}  // namespace millrace::end_to_end
