// SPDX-License-Identifier: Apache-2.0

// Figures 9 to 11 on a small number of points. Every set is compared with the sequential code's
// where it is measured.
#include <millrace/runtime/core/backend.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_paper_workload.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::ElementsAre;

PreparedWork searches_on(const std::string& device) {
  return three_star_paper_workload().prepare(open_device(device), kThreeStarPaperInput, 300);
}

std::vector<std::string> strategies(const PreparedWork& work) {
  std::vector<std::string> all;
  for (const WorkRun& run : work.runs) all.push_back(run.strategy);
  return all;
}

TEST(ThreeStarPaperWorkload, ExchangesTablesAndArithmetic) {
  EXPECT_THAT(strategies(searches_on("tbb")),
              ElementsAre("baseline", "streaming", "compression", "both", kBothByTables,
                          kThreeStarCount, kThreeStarCountOneThread, kThreeStarVisitOneThread));
  EXPECT_THAT(strategies(searches_on("simt:1")),
              ElementsAre("baseline", "streaming", "compression", "both", kBothByArithmetic,
                          kThreeStarCount, kThreeStarCountOneThread, kThreeStarVisitOneThread));
}

TEST(ThreeStarPaperWorkload, HasTheStepsOfItsVariants) {
  for (const char* const device : {"tbb", "simt:1"}) {
    const PreparedWork work = searches_on(device);
    for (const WorkRun& run : work.runs) {
      const RunAmount amount = run.check();
      EXPECT_GT(amount.items, 0) << run.strategy;
      EXPECT_GT(amount.values.at(kSequentialSeconds), 0) << run.strategy;
    }
    const RunAmount baseline = work.runs[0].check();
    for (const ThreeStarPaperStep& step : kThreeStarPaperSteps) {
      EXPECT_GE(baseline.values.at(step.name), 0) << step.name;
    }
    EXPECT_GT(baseline.values.at("COMP"), 0);
  }
}

}  // namespace
}  // namespace millrace::tools
