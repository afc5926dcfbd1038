// SPDX-License-Identifier: Apache-2.0

// Tests that wrong sorts are detected.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/sort/cpu_sort_workload.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;

class CpuSortWorkloadTest : public testing::Test {
 protected:
  const std::unique_ptr<Queue> queue_ = open_device("tbb")->make_queue();
  CpuSortWorkload work_{*queue_, KeyDistribution::kFewDistinct, 1000};
};

TEST_F(CpuSortWorkloadTest, OursAndAllPeersAreRight) {
  for (const Policy policy : kConcretePolicies) {
    EXPECT_NO_THROW(work_.check_keys(policy)) << to_string(policy);
    EXPECT_NO_THROW(work_.check_pairs(policy)) << to_string(policy);
  }
  for (const SortPeer& peer : sort_peers()) {
    EXPECT_NO_THROW(work_.check_keys(peer)) << peer.name;
    try {
      work_.check_pairs(peer);
    } catch (const Error& error) {
      EXPECT_STREQ(peer.name, "vqsort") << error.what();
      EXPECT_EQ(error.code(), ErrorCode::kUnsupported) << error.what();
    }
  }
}

TEST_F(CpuSortWorkloadTest, APeerThatDoesNothingIsWrong) {
  const SortPeer idle = {"idle", [](auto) {}, [](auto) {}};
  EXPECT_THROW(work_.check_keys(idle), Error);
  EXPECT_THROW(work_.check_pairs(idle), Error);
}

TEST_F(CpuSortWorkloadTest, APeerThatLosesARecordIsWrong) {
  const SortPeer lossy = {"lossy",
                          [](auto keys) {
                            std::ranges::sort(keys);
                            keys[1] = keys[0];
                            keys[keys.size() / 2] = keys[keys.size() / 2 - 1];
                            keys.back() = keys.front();
                          },
                          [](auto pairs) {
                            std::ranges::sort(pairs, {}, &KeyValue::key);
                            pairs[1] = pairs[0];
                          }};
  EXPECT_THROW(work_.check_keys(lossy), Error);
  EXPECT_THROW(work_.check_pairs(lossy), Error);
}

}  // namespace
}  // namespace millrace::tools
