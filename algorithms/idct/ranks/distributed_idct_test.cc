// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/random_macroblocks.h>
#include <millrace/algorithms/idct/ranks/distributed_idct.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace millrace::idct {
namespace {

class DistributedIdctTest : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(DistributedIdctTest, RanksTransformTheirOwnMacroblocks) {
  SeededRandom random;
  const auto& [device, size] = GetParam();
  const Macroblocks all = random_macroblocks(50, random);
  const std::vector<std::int16_t> expected = reference_residuals(all);
  run_ranks(size, [&](Communicator& communicator) {
    const auto queue = open_device(device)->make_queue();
    // Rank 0 has none if there are others.
    const auto ranks = static_cast<unsigned>(std::max(size - 1, 1));
    const auto index = static_cast<unsigned>(communicator.rank() - (size > 1 ? 1 : 0));
    const bool has_some = size == 1 || communicator.rank() > 0;
    const std::size_t first = has_some ? even_cut(all.count(), index, ranks) : 0;
    const std::size_t end = has_some ? even_cut(all.count(), index + 1, ranks) : 0;
    std::vector<std::int16_t> residual(kMacroblockSamples * (end - first));
    const RunReport report =
        inverse_transform_host({communicator, *queue},
                               {all.sizes.data() + first,
                                all.coefficients.data() + kMacroblockSamples * first, end - first},
                               residual.data());
    EXPECT_EQ(report.tasks(), all.count());
    EXPECT_NE(report.policy, Policy::kAuto);
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(kMacroblockSamples * first);
    EXPECT_TRUE(std::equal(residual.begin(), residual.end(), begin));
  });
}

INSTANTIATE_TEST_SUITE_P(Devices, DistributedIdctTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::Values(1, 2, 3)));
INSTANTIATE_TEST_SUITE_P(Ranks, DistributedIdctTest,
                         testing::Combine(testing::Values(conformance::some_device_name()),
                                          testing::Values(4, 7)));

TEST(DistributedIdct, ANullArrayOfOneRankIsThrownOnAll) {
  run_ranks(3, [](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    const std::vector<TransformSize> sizes(1);
    const std::vector<std::int16_t> coefficients(kMacroblockSamples);
    std::vector<std::int16_t> residual(kMacroblockSamples);
    try {
      inverse_transform({communicator, *queue}, {sizes.data(), coefficients.data(), 1},
                        communicator.rank() == 1 ? nullptr : residual.data());
      ADD_FAILURE() << "rank " << communicator.rank() << " has thrown nothing";
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("rank 1: ")) << error.what();
    }
  });
}

TEST(DistributedIdct, APolicyThatDiffersIsNamed) {
  run_ranks(2, [](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    try {
      inverse_transform(
          {communicator, *queue}, {}, nullptr,
          {.policy = communicator.rank() == 0 ? Policy::kUberkernel : Policy::kPersistentThreads});
      ADD_FAILURE() << "rank " << communicator.rank() << " has thrown nothing";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(),
                   "rank 1 and rank 0 were given different values of policy (inverse_transform); "
                   "give all ranks the same");
    }
  });
}

TEST(DistributedIdct, RanksRejectKeepUnfinished) {
  run_ranks(2, [](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    try {
      inverse_transform({communicator, *queue}, {}, nullptr, {.keep_unfinished = true});
      ADD_FAILURE() << "rank " << communicator.rank() << " has thrown nothing";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    }
  });
}

}  // namespace
}  // namespace millrace::idct
