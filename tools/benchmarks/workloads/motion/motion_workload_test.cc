// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_peer.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <vector>

namespace millrace::tools {
namespace {

using motion::MotionVector;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(MotionWorkload, GoesThereAndBack) {
  const MotionWorkload workload(open_device("tbb"), 16, 16, 3);
  const std::size_t expected[] = {0, 1, 2, 1, 0, 1, 2};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(workload.distinct_index(i), expected[i]) << i;
  }
  EXPECT_EQ(MotionWorkload(open_device("tbb"), 16, 16, 1).distinct_index(5), 0u);
}

TEST(MotionWorkload, NoticesAWrongVectorAndAWrongCost) {
  const motion::SearchOptions options{.range = 8, .precision = motion::Precision::kInteger};
  MotionWorkload workload(open_device("tbb"), 48, 32, 2);
  workload.fill_with_texture(1);
  std::vector<MotionVector> vectors(workload.macroblocks() * motion::kPartitions);
  std::vector<std::uint32_t> costs(vectors.size());
  const MotionVector zero;
  motion::search_motion_reference<std::uint8_t>(
      {{workload.picture(1), 48, 48, 32}, {workload.picture(0), 48, 48, 32}, &zero, 0},
      {vectors.data(), costs.data()}, options);
  EXPECT_NO_THROW(workload.check(1, {}, vectors, costs, options));
  ++costs.back();
  EXPECT_THROW(workload.check(1, {}, vectors, costs, options), Error);
  --costs.back();
  ++vectors.front().x;
  EXPECT_THROW(workload.check(1, {}, vectors, costs, options), Error);
}

// It is there everywhere, and takes any arguments.
TEST(MotionPeer, RunsAProgramOnTheClip) {
  MotionWorkload workload(open_device("tbb"), 16, 16, 1);
  workload.fill_with_texture(1);
  const MotionPeer peer("true", workload, 2, 24);
  EXPECT_NO_THROW(peer.run());
  EXPECT_THAT(peer.command(), HasSubstr("true --me esa --merange 24 --subme 5 --partitions all"));
  const auto run = [&](const char* program) { MotionPeer(program, workload, 2, 24).run(); };
  EXPECT_THAT([&] { run("false"); },
              ThrowsMessage<Error>(HasSubstr("false ended with status 1; run `false --me esa ")));
  EXPECT_THAT([&] { run("no-such-program"); },
              ThrowsMessage<Error>(HasSubstr("cannot run no-such-program")));
}

}  // namespace
}  // namespace millrace::tools
