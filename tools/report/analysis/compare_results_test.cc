// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/compare_results.h>
#include <millrace/tools/report/analysis/made_up_results.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kNoise = 0.03;

Results with(std::initializer_list<Measurement> measurements) {
  Results results = made_up_machine("lab");
  results.measurements = measurements;
  return results;
}

Measurement taking(double seconds, double spread = 0.01) {
  return made_up("tree", "tbb", "persistent", 10, seconds, spread);
}

Measurement without_time(MeasurementStatus status) {
  Measurement m = taking(1);
  m.status = status;
  m.seconds.clear();
  m.message = "a reason";
  return m;
}

TEST(Compare, OfTheSameFindsNothing) {
  const Results results = made_up_results("lab");
  const Comparison found = compare_results(results, results, 0);
  EXPECT_FALSE(found.is_regression());
  EXPECT_EQ(found.same, results.measurements.size());
  EXPECT_THAT(found.faster, IsEmpty());
  EXPECT_THAT(found.notes, IsEmpty());
}

TEST(Compare, NamesWhatIsSlower) {
  const Comparison found = compare_results(with({taking(1)}), with({taking(1.2)}), kNoise);
  EXPECT_TRUE(found.is_regression());
  EXPECT_THAT(
      found.slower,
      ElementsAre("tree, size 10, tbb, persistent: from 1.00 s (990 ms to 1.01 s) to 1.20 s "
                  "(1.19 s to 1.21 s), 1.20 times as long"));
}

TEST(Compare, TakesDifferencesWithinIntervalsForChance) {
  const Comparison found =
      compare_results(with({taking(1, 0.1)}), with({taking(1.15, 0.1)}), kNoise);
  EXPECT_FALSE(found.is_regression());
  EXPECT_EQ(found.same, 1U);
}

TEST(Compare, TakesSmallDifferencesForNoiseHoweverSure) {
  const Results before = with({taking(1, 0.001)});
  const Results after = with({taking(1.02, 0.001)});
  EXPECT_FALSE(compare_results(before, after, kNoise).is_regression());
  EXPECT_TRUE(compare_results(before, after, 0.01).is_regression());
  EXPECT_THAT(compare_results(after, before, 0.01).faster, testing::SizeIs(1));
}

TEST(Compare, NamesWhatIsFaster) {
  const Comparison found = compare_results(with({taking(1)}), with({taking(0.5)}), kNoise);
  EXPECT_FALSE(found.is_regression());
  EXPECT_THAT(found.faster, ElementsAre(HasSubstr("0.50 times as long")));
}

TEST(Compare, NamesWhatBecameWrongOrHasNoTimeAnyMore) {
  for (const auto status :
       {MeasurementStatus::kWrong, MeasurementStatus::kFailed, MeasurementStatus::kUnsupported}) {
    const Comparison found =
        compare_results(with({taking(1)}), with({without_time(status)}), kNoise);
    EXPECT_TRUE(found.is_regression());
    EXPECT_THAT(found.wrong, ElementsAre(HasSubstr("a reason")));
  }
  const Comparison is_new =
      compare_results(with({}), with({without_time(MeasurementStatus::kWrong)}), kNoise);
  EXPECT_TRUE(is_new.is_regression());
  const Comparison is_old =
      compare_results(with({without_time(MeasurementStatus::kWrong)}),
                      with({without_time(MeasurementStatus::kWrong)}), kNoise);
  EXPECT_FALSE(is_old.is_regression());
}

TEST(Compare, NamesWhatHadNoTimeAndIsWrongNow) {
  for (const auto status : {MeasurementStatus::kFailed, MeasurementStatus::kUnsupported}) {
    const Comparison found = compare_results(
        with({without_time(status)}), with({without_time(MeasurementStatus::kWrong)}), kNoise);
    EXPECT_THAT(found.wrong, ElementsAre("tree, size 10, tbb, persistent is wrong: a reason"));
  }
}

TEST(Compare, NamesAConfigurationNoneOfWhichHasATimeAnyMore) {
  Measurement none = without_time(MeasurementStatus::kFailed);
  none.policy.clear();
  const Measurement other = made_up("tree", "tbb", "persistent", 20, 1);
  const Comparison found = compare_results(
      with({taking(1), made_up("tree", "tbb", "uberkernel", 10, 9), other}), with({none}), kNoise);
  EXPECT_TRUE(found.is_regression());
  EXPECT_THAT(
      found.wrong,
      ElementsAre("tree, size 10, tbb, Millrace failed: a reason (2 contenders had a time)"));
  EXPECT_THAT(found.gone, ElementsAre("tree, size 20, tbb, persistent"));
}

TEST(Compare, TakesNoDifferenceOfFewerThanSixRunsForSure) {
  Measurement five_runs = taking(2);
  five_runs.seconds.resize(5);
  const Comparison slower = compare_results(with({taking(1)}), with({five_runs}), kNoise);
  EXPECT_FALSE(slower.is_regression());
  EXPECT_THAT(slower.unsure, ElementsAre(HasSubstr("2.00 times as long")));
  const Comparison faster = compare_results(with({five_runs}), with({taking(1)}), kNoise);
  EXPECT_THAT(faster.faster, IsEmpty());
  EXPECT_THAT(faster.unsure, ElementsAre(HasSubstr("0.50 times as long")));
}

TEST(Compare, NamesWhatIsNewAndWhatIsGone) {
  const Comparison found =
      compare_results(with({taking(1)}), with({made_up("tree", "tbb", "uberkernel", 10, 9)}), 0);
  EXPECT_FALSE(found.is_regression());
  EXPECT_THAT(found.gone, ElementsAre("tree, size 10, tbb, persistent"));
  EXPECT_THAT(found.added, ElementsAre("tree, size 10, tbb, uberkernel"));
}

TEST(Compare, SaysNothingAboutOtherInputs) {
  Measurement before = taking(1);
  before.input_hash = "fnv1a64:1";
  Measurement after = taking(9);
  after.input_hash = "fnv1a64:2";
  const Comparison found = compare_results(with({before}), with({after}), kNoise);
  EXPECT_FALSE(found.is_regression());
  EXPECT_THAT(found.other, testing::SizeIs(1));
}

TEST(Compare, NotesOtherMachinesAndRunsThatWereNotFinished) {
  Results after = made_up_results("lab");
  after.machine.cpu = "another";
  after.devices[0].driver = "2";
  after.is_complete = false;
  const Comparison found = compare_results(made_up_results("lab"), after, kNoise);
  EXPECT_THAT(found.notes, ElementsAre("the processor was '' and is 'another'",
                                       "the driver of cuda:0 was '' and is '2'",
                                       "the new run was not finished"));
}

TEST(Compare, PrintsItAll) {
  std::ostringstream out;
  print_comparison(out, compare_results(with({taking(1)}), with({taking(2)}), kNoise));
  EXPECT_THAT(out.str(), HasSubstr("Slower:\n  tree, size 10, tbb, persistent: from 1.00 s"));
  EXPECT_THAT(out.str(),
              HasSubstr("\n0 wrong, 1 slower, 0 faster, 0 of fewer than six runs, 0 as before, "
                        "0 not comparable, 0 new, 0 gone\n"));
}

}  // namespace
}  // namespace millrace::tools
