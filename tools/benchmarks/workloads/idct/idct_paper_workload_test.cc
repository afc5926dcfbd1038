// SPDX-License-Identifier: Apache-2.0

// Fig. 5 on a small number of macroblocks. Every result is checked where it is measured.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_paper_workload.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using idct::Access;
using idct::PaperAlgorithm;
using testing::HasSubstr;

std::vector<WorkRun> runs_on(const std::string& device) {
  return idct_paper_workload().prepare(open_device(device), kIdctPaperInput, 10).runs;
}

const WorkRun& run_of(const std::vector<WorkRun>& runs, PaperAlgorithm algorithm, Access access) {
  for (const WorkRun& run : runs) {
    if (run.strategy == idct_paper_strategy(algorithm, access)) return run;
  }
  throw Error(ErrorCode::kNotFound, "no such run");
}

TEST(IdctPaperWorkload, HasTheStepsOfThePapersAlgorithms) {
  const std::vector<WorkRun> runs = runs_on("simt:0");
  for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
    for (const Access access : {Access::kGlobal, Access::kShared}) {
      const RunAmount amount = run_of(runs, algorithm, access).check();
      EXPECT_EQ(amount.items, 10);
      EXPECT_EQ(amount.values.size(), std::size(kIdctPhases));
      EXPECT_GT(amount.values.at(kIdctKernelSeconds), 0);
      EXPECT_GT(amount.values.at("upload seconds"), 0);
    }
  }
}

TEST(IdctPaperWorkload, SaysWhyACpuHasNoKernels) {
  const std::vector<WorkRun> runs = runs_on("tbb");
  for (const WorkRun& run : runs) {
    if (run.strategy == kIdctPaperTasks) {
      EXPECT_EQ(run.check().items, 10) << run.policy;
      continue;
    }
    try {
      run.check();
      ADD_FAILURE() << run.strategy;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
      EXPECT_THAT(error.what(), HasSubstr("kernels of GPUs, and tbb is none"));
    }
  }
}

TEST(IdctPaperWorkload, HasTheFirstMacroblocksOfAStream) {
  // 12 frames of 64x64.
  const std::string stream = "tests/test_data/streams/testsrc2_64x64.264";
  const auto items_of = [&](std::uint64_t size) {
    const PreparedWork work = idct_paper_workload().prepare(open_device("tbb"), stream, size);
    EXPECT_EQ(work.runs.at(0).strategy, kIdctPaperTasks);
    const RunAmount amount = work.runs.at(0).check();
    for (const char* const name : {kIdctCodedFraction, kIdct8x8Fraction}) {
      EXPECT_GT(amount.values.at(name), 0) << name;
      EXPECT_LE(amount.values.at(name), 1) << name;
    }
    return amount.items;
  };
  EXPECT_EQ(items_of(100), 100);
  EXPECT_EQ(items_of(0), 12 * 16);
  EXPECT_EQ(items_of(1'000), 12 * 16);
}

}  // namespace
}  // namespace millrace::tools
