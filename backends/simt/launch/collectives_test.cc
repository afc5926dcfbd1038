// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/simt_test.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace millrace::simt_backend {
namespace {

class CollectivesTest : public SimtTest {};
INSTANTIATE_TEST_SUITE_P(Devices, CollectivesTest, testing::Values(0, 1), device_name);

void rotate(std::uint64_t* results) {
  const std::uint64_t own = (std::uint64_t{1} << 40) + static_cast<std::uint64_t>(thread_index());
  results[thread_index()] = shuffle(own, (lane_index() + 1) % warp_width());
}

TEST_P(CollectivesTest, ShuffleReadsTheNamedLaneOfTheOwnWarp) {
  SimulatedArray<std::uint64_t> results(128);
  launch(&rotate, LaunchShape{1, 128}, stream, results.data());
  synchronize(stream);
  const int lanes = width();
  for (int i = 0; i < 128; ++i) {
    const int source = i / lanes * lanes + (i % lanes + 1) % lanes;
    EXPECT_EQ(results.values()[i], (std::uint64_t{1} << 40) + source) << "thread " << i;
  }
}

void sum_warp(int* sums) {
  int sum = thread_index();
  for (int delta = warp_width() / 2; delta > 0; delta /= 2) sum += shuffle_down(sum, delta);
  if (lane_index() == 0) sums[thread_index() / warp_width()] = sum;
}

TEST_P(CollectivesTest, ShuffleDownSumsAWarpIntoLaneZero) {
  const int lanes = width();
  const int warps = 128 / lanes;
  SimulatedArray<int> sums(warps);
  launch(&sum_warp, LaunchShape{1, 128}, stream, sums.data());
  synchronize(stream);
  for (int w = 0; w < warps; ++w) {
    EXPECT_EQ(sums.values()[w], w * lanes * lanes + lanes * (lanes - 1) / 2) << "warp " << w;
  }
}

void shift_floats(float* results) {
  results[thread_index()] = shuffle_down(static_cast<float>(thread_index()), 3);
}

TEST_P(CollectivesTest, ShuffleDownLeavesTheLastLanesTheirOwnValue) {
  const int lanes = width();
  SimulatedArray<float> results(lanes);
  launch(&shift_floats, LaunchShape{1, lanes}, stream, results.data());
  synchronize(stream);
  for (int lane = 0; lane < lanes; ++lane) {
    EXPECT_EQ(results.values()[lane], lane + 3 < lanes ? lane + 3 : lane);
  }
}

void max_warp(int* results) {
  int max = (thread_index() * 37) % 101;
  for (int mask = warp_width() / 2; mask > 0; mask /= 2) {
    const int other = shuffle_xor(max, mask);
    max = other > max ? other : max;
  }
  results[thread_index()] = max;
}

TEST_P(CollectivesTest, ShuffleXorGivesAllLanesTheMaximum) {
  const int lanes = width();
  SimulatedArray<int> results(lanes);
  launch(&max_warp, LaunchShape{1, lanes}, stream, results.data());
  synchronize(stream);
  int max = 0;
  for (int i = 0; i < lanes; ++i) max = std::max(max, (i * 37) % 101);
  EXPECT_EQ(results.values(), std::vector<int>(lanes, max));
}

void vote(gpu::LaneMask* votes) { votes[thread_index()] = ballot(lane_index() % 3 == 0); }

TEST_P(CollectivesTest, BallotHasABitForEachLane) {
  const int lanes = width();
  SimulatedArray<gpu::LaneMask> votes(lanes);
  launch(&vote, LaunchShape{1, lanes}, stream, votes.data());
  synchronize(stream);
  gpu::LaneMask expected = 0;
  for (int lane = 0; lane < lanes; lane += 3) expected |= gpu::LaneMask{1} << lane;
  EXPECT_EQ(votes.values(), std::vector<gpu::LaneMask>(lanes, expected));
}

void count_votes(int* results) {
  int count = 0;
  for (int round = 0; round < 200; ++round) {
    const gpu::LaneMask mask = ballot(lane_index() <= round);
    const int last = shuffle(lane_index() * round, warp_width() - 1);
    if ((mask >> lane_index() & 1) == (lane_index() <= round) &&
        last == (warp_width() - 1) * round) {
      ++count;
    }
  }
  results[thread_index()] = count;
}

TEST_P(CollectivesTest, ResultsOfOneRoundAreNotMixedWithTheNext) {
  SimulatedArray<int> results(128);
  launch(&count_votes, LaunchShape{1, 128}, stream, results.data());
  synchronize(stream);
  EXPECT_EQ(results.values(), std::vector<int>(128, 200));
}

void leave_early(gpu::LaneMask* votes) {
  if (lane_index() == 5) exit_thread();
  votes[thread_index()] = ballot(true);
}

TEST_P(CollectivesTest, GoOnWithoutALaneThatExited) {
  const int lanes = width();
  SimulatedArray<gpu::LaneMask> votes(lanes);
  launch(&leave_early, LaunchShape{1, lanes}, stream, votes.data());
  synchronize(stream);
  const gpu::LaneMask all = ~gpu::LaneMask{0} >> (64 - lanes);
  EXPECT_EQ(votes.values()[5], 0u);
  EXPECT_EQ(votes.values()[6], all & ~(gpu::LaneMask{1} << 5));
}

}  // namespace
}  // namespace millrace::simt_backend
