// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/compliance/compliance.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Results compliant_results() {
  Results results = made_up_machine("lab");
  results.build.commit = "0123abc";
  results.measurements = {made_up("tree", "tbb", "auto", 10, 1)};
  results.measurements[0].is_checked = true;
  results.measurements[0].before.is_throttled = false;
  results.measurements[0].after.is_throttled = false;
  return results;
}

std::vector<std::string> violations_of(const Results& results) {
  return compliance_of(results).violations;
}

TEST(Compliance, TakesAFileThatKeepsTheRules) {
  const Compliance compliance = compliance_of(compliant_results());
  EXPECT_TRUE(compliance.is_compliant());
  EXPECT_FALSE(compliance.is_peak);
  EXPECT_THAT(compliance.notes, IsEmpty());
}

TEST(Compliance, RejectsACommitThatIsDirtyOrNotKnown) {
  Results results = compliant_results();
  results.build.commit = "0123abc-changed";
  EXPECT_THAT(violations_of(results),
              ElementsAre("the commit is 0123abc-changed, of sources that were changed; commit "
                          "them and measure again"));
  results.build.commit = "";
  EXPECT_THAT(violations_of(results), ElementsAre(HasSubstr("the commit is not known")));
}

TEST(Compliance, RejectsThrottledClocks) {
  for (ConditionRecord Measurement::*condition : {&Measurement::before, &Measurement::after}) {
    Results results = compliant_results();
    (results.measurements[0].*condition).is_throttled = true;
    EXPECT_THAT(violations_of(results),
                ElementsAre("tree, size 10, tbb, auto: the clock was throttled"));
  }
}

TEST(Compliance, RejectsResultsThatAreWrongOrWereNotChecked) {
  Results results = compliant_results();
  results.measurements[0].is_checked = false;
  EXPECT_THAT(violations_of(results),
              ElementsAre("tree, size 10, tbb, auto: the result was not checked"));
  results.measurements[0].status = MeasurementStatus::kWrong;
  results.measurements[0].message = "differs at 3";
  EXPECT_THAT(violations_of(results),
              ElementsAre("tree, size 10, tbb, auto: the result is wrong: differs at 3"));
  results.measurements[0].status = MeasurementStatus::kFailed;
  EXPECT_THAT(violations_of(results), ElementsAre(HasSubstr("the run failed: differs at 3")));
  results.measurements[0].status = MeasurementStatus::kUnsupported;
  EXPECT_THAT(violations_of(results), IsEmpty());
}

TEST(Compliance, NotesAPeerThatWasNotChecked) {
  Results results = compliant_results();
  results.measurements[0].is_checked = false;
  results.measurements[0].peer = "x264";
  const Compliance compliance = compliance_of(results);
  EXPECT_TRUE(compliance.is_compliant());
  EXPECT_THAT(compliance.notes, ElementsAre(HasSubstr("x264, auto: the result of this peer")));
}

TEST(Compliance, RejectsARunThatWasNotFinished) {
  Results results = compliant_results();
  results.is_complete = false;
  EXPECT_THAT(violations_of(results), ElementsAre(HasSubstr("was not finished")));
}

TEST(Compliance, NamesEachViolation) {
  Results results = compliant_results();
  results.build.commit = "";
  results.measurements.push_back(results.measurements[0]);
  for (Measurement& each : results.measurements) each.after.is_throttled = true;
  EXPECT_EQ(violations_of(results).size(), 3U);
}

TEST(Compliance, NotesWhatIsNotKnown) {
  Results results = compliant_results();
  results.measurements[0].before.is_throttled.reset();
  results.measurements[0].after.is_throttled.reset();
  results.measurements[0].seconds.resize(5);
  const Compliance compliance = compliance_of(results);
  EXPECT_TRUE(compliance.is_compliant());
  EXPECT_THAT(compliance.notes, ElementsAre(HasSubstr("tbb: it is not known if clocks"),
                                            HasSubstr("tbb has intervals of fewer than six")));
}

TEST(Compliance, OfTunedCostsIsByPeakRules) {
  Results results = compliant_results();
  results.devices[1].is_tuned = true;
  const Compliance compliance = compliance_of(results);
  EXPECT_TRUE(compliance.is_compliant());
  EXPECT_TRUE(compliance.is_peak);
  EXPECT_THAT(compliance.notes, ElementsAre(HasSubstr("tbb used costs that")));
}

TEST(Compliance, IsPrintedWithEachViolation) {
  Results results = compliant_results();
  std::ostringstream good;
  print_compliance(good, "lab.json", compliance_of(results));
  EXPECT_EQ(good.str(), "lab.json: keeps the base rules\n");
  results.is_complete = false;
  std::ostringstream bad;
  print_compliance(bad, "lab.json", compliance_of(results));
  EXPECT_EQ(bad.str(),
            "lab.json: breaks the base rules\n"
            "  breaks: the run was not finished; --resume finishes it\n");
}

}  // namespace
}  // namespace millrace::tools
