// SPDX-License-Identifier: Apache-2.0

// Fig. 5 measured on few macroblocks. Every result is checked where it is measured.
#include <millrace/tools/benchmarks/workloads/idct/idct_paper_runs.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <millrace/runtime/core/backend.h>

namespace millrace::tools {
namespace {

using idct::Access;
using idct::PaperAlgorithm;

bool has(const std::vector<IdctPaperLine>& lines, const IdctVariant& variant) {
  return std::ranges::any_of(lines, [&](const IdctPaperLine& line) {
    return line.variant.name() == variant.name() && line.count == 10 && line.seconds > 0;
  });
}

TEST(IdctPaperRuns, AreAllOfThemOnAGpu) {
  const auto device = open_device("simt:0");
  const IdctPaperLimits limits = idct_paper_limits(*device->make_queue());
  EXPECT_EQ(limits.paper, "");
  const auto lines = measure_idct_paper(device, limits, 10, 1e-3, 1);
  for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
    for (const Access access : {Access::kGlobal, Access::kShared}) {
      EXPECT_TRUE(has(lines, paper_variant(algorithm, access))) << to_string(algorithm);
    }
    EXPECT_EQ(has(lines, paper_variant(algorithm, Access::kSharedTexture)),
              limits.textures.empty());
  }
  for (const Policy policy : kConcretePolicies) {
    EXPECT_TRUE(has(lines, policy_variant("host", policy)));
    EXPECT_TRUE(has(lines, policy_variant("device", policy)));
  }
  const auto kernels = series_of(lines, paper_variant(PaperAlgorithm::kUberkernel, Access::kShared),
                                 [](const IdctPaperLine& line) { return line.phases.kernel; });
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_GT(kernels.at(10), 0);
}

TEST(IdctPaperRuns, AreThePoliciesOnACpuWhichSaysWhy) {
  const auto device = open_device("tbb");
  const IdctPaperLimits limits = idct_paper_limits(*device->make_queue());
  EXPECT_NE(limits.paper, "");
  EXPECT_NE(limits.textures, "");
  const auto lines = measure_idct_paper(device, limits, 10, 1e-3, 1);
  EXPECT_EQ(lines.size(), 2 * std::size(kConcretePolicies));
  EXPECT_TRUE(has(lines, policy_variant("host", Policy::kPersistentThreads)));
}

}  // namespace
}  // namespace millrace::tools
