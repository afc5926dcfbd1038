// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/efficiency/portability.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace millrace::tools {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Eq;
using testing::Optional;

const PortableApplication& application(const PortabilityProblem& problem, const std::string& name) {
  const auto found = std::ranges::find(problem.applications, name, &PortableApplication::name);
  if (found == problem.applications.end()) throw std::runtime_error("no application " + name);
  return *found;
}

// Rates of `persistent` are 1000/s on both devices, of `uberkernel` 500/s and 4000/s.
Results two_policies() {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("tree", "tbb", "persistent", 10, 1),
                          made_up("tree", "tbb", "uberkernel", 10, 2),
                          made_up("tree", "cuda:0", "persistent", 10, 1),
                          made_up("tree", "cuda:0", "uberkernel", 10, 0.25)};
  return results;
}

std::vector<PortabilityProblem> problems(const MergedResults& all) {
  return portability_of(all, groups_of(all));
}

TEST(PerformancePortability, IsTheHarmonicMean) {
  EXPECT_DOUBLE_EQ(performance_portability({0.25, 1}), 2 / (4.0 + 1.0));
  EXPECT_DOUBLE_EQ(performance_portability({0.5, 0.5, 0.5}), 0.5);
  EXPECT_DOUBLE_EQ(performance_portability({0.75}), 0.75);
}

TEST(PerformancePortability, IsZeroWhereAPlatformIsNotSupported) {
  EXPECT_EQ(performance_portability({1, 1, 0}), 0);
  EXPECT_EQ(performance_portability({}), 0);
}

TEST(Portability, IsRelativeToTheBestOnEachPlatform) {
  const MergedResults all = merged({two_policies()});
  const std::vector<PortabilityProblem> found = problems(all);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "tree");
  EXPECT_THAT(found[0].platforms, ElementsAre(Platform{0, "tbb"}, Platform{0, "cuda:0"}));
  const PortableApplication& persistent = application(found[0], "persistent");
  EXPECT_THAT(persistent.platforms[0].application, DoubleEq(1));
  EXPECT_THAT(persistent.platforms[1].application, DoubleEq(0.25));
  EXPECT_THAT(persistent.application_pp, DoubleEq(2 / (1 + 4.0)));
  EXPECT_THAT(application(found[0], "uberkernel").application_pp, DoubleEq(2 / (2 + 1.0)));
  EXPECT_THAT(application(found[0], kBestOfMillrace).application_pp, DoubleEq(1));
  EXPECT_THAT(cascade_of(persistent, EfficiencyKind::kApplication), ElementsAre(1, 0.25));
}

TEST(Portability, HasArchitecturalEfficiencyWhereAllLimitsAreKnown) {
  Results results = two_policies();
  results.measurements[0].limit_fraction = 0.5;
  results.measurements[2].limit_fraction = 1.5;  // A limit that was measured too low.
  results.measurements[3].limit_fraction = 0.75;
  const MergedResults all = merged({results});
  const PortabilityProblem problem = problems(all).at(0);
  const PortableApplication& persistent = application(problem, "persistent");
  EXPECT_THAT(persistent.platforms[0].architectural, Optional(0.5));
  EXPECT_THAT(persistent.platforms[1].architectural, Optional(1.0));
  EXPECT_THAT(persistent.architectural_pp, Optional(DoubleEq(2 / (2 + 1.0))));
  EXPECT_THAT(cascade_of(persistent, EfficiencyKind::kArchitectural), ElementsAre(1, 0.5));
  EXPECT_THAT(application(problem, "uberkernel").architectural_pp, Eq(std::nullopt));
}

TEST(Portability, IsZeroForAnApplicationThatAPlatformDoesNotSupport) {
  Results results = two_policies();
  results.measurements[2].status = MeasurementStatus::kUnsupported;
  const MergedResults all = merged({results});
  const PortabilityProblem problem = problems(all).at(0);
  const PortableApplication& persistent = application(problem, "persistent");
  EXPECT_EQ(persistent.platforms[1].measurement, nullptr);
  EXPECT_EQ(persistent.platforms[1].application, 0);
  EXPECT_EQ(persistent.application_pp, 0);
  EXPECT_THAT(persistent.architectural_pp, Optional(0.0));
  EXPECT_THAT(application(problem, kBestOfMillrace).application_pp, DoubleEq(1));
}

TEST(Portability, CountsAPlatformOnWhichNothingWorked) {
  Results results = two_policies();
  results.measurements[2].status = MeasurementStatus::kWrong;
  results.measurements[3].status = MeasurementStatus::kFailed;
  const MergedResults all = merged({results});
  const PortabilityProblem problem = problems(all).at(0);
  EXPECT_EQ(problem.platforms.size(), 2U);
  for (const PortableApplication& each : problem.applications) EXPECT_EQ(each.application_pp, 0);
}

TEST(Portability, TakesTheLargestSizeThatAllPlatformsHave) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("tree", "tbb", "a", 10, 1), made_up("tree", "tbb", "a", 20, 1),
                          made_up("tree", "cuda:0", "a", 10, 1),
                          made_up("tree", "cuda:0", "a", 40, 1)};
  const MergedResults all = merged({results});
  const PortabilityProblem common = problems(all).at(0);
  for (const PlatformEfficiency& each : common.applications.front().platforms) {
    EXPECT_EQ(each.measurement->size, 10U);
  }
  results.measurements.erase(results.measurements.begin());
  const MergedResults without_common = merged({results});
  const PortabilityProblem own = problems(without_common).at(0);
  EXPECT_EQ(own.applications.front().platforms[0].measurement->size, 20U);
  EXPECT_EQ(own.applications.front().platforms[1].measurement->size, 40U);
}

TEST(Portability, HasAProblemForEachStrategyOfAPeer) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("sort", "cuda:0", "a", 10, 1),
                          made_up("sort", "cuda:0", "", 10, 2)};
  results.measurements[0].strategy = "pinned";
  results.measurements[1].strategy = "pinned";
  results.measurements[1].peer = "CUB";
  results.measurements.push_back(made_up("sort", "cuda:0", "a", 10, 0.125));
  results.measurements.back().strategy = "streamed";
  const MergedResults all = merged({results});
  const std::vector<PortabilityProblem> found = problems(all);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "sort, pinned");
  EXPECT_THAT(application(found[0], "CUB, pinned").application_pp, DoubleEq(0.5));
  EXPECT_EQ(found[1].name, "sort");
}

TEST(Portability, PrefersLessTimeOfMetg) {
  Results results = made_up_machine("lab");
  results.measurements = {made_up("joins-metg", "tbb", "fine", 10, 1e-6),
                          made_up("joins-metg", "tbb", "coarse", 10, 4e-6)};
  for (Measurement& each : results.measurements) each.items = 1;
  const MergedResults all = merged({results});
  const PortabilityProblem problem = problems(all).at(0);
  EXPECT_THAT(application(problem, "fine").application_pp, DoubleEq(1));
  EXPECT_THAT(application(problem, "coarse").application_pp, DoubleNear(0.25, 1e-12));
}

TEST(Portability, LeavesOutSimulatedDevicesAndGroups) {
  Results results = two_policies();
  results.devices[0].is_simulated = true;
  DeviceRecord group;
  group.name = "cuda:0,tbb";
  group.members = {"cuda:0", "tbb"};
  results.devices.push_back(group);
  results.measurements.push_back(made_up("tree", "cuda:0,tbb", "persistent", 10, 0.5));
  const MergedResults all = merged({results});
  EXPECT_THAT(problems(all).at(0).platforms, ElementsAre(Platform{0, "tbb"}));
}

}  // namespace
}  // namespace millrace::tools
