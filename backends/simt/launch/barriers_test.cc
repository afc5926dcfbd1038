// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/simt_test.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::simt_backend {
namespace {

class BarriersTest : public SimtTest {};
INSTANTIATE_TEST_SUITE_P(Devices, BarriersTest, testing::Values(0, 1), device_name);

// Each thread passes its value to the next one, so that each value goes around the block once.
void pass_around(int* results) {
  int* slots = reinterpret_cast<int*>(shared_memory());
  const int next = (thread_index() + 1) % block_threads();
  int own = thread_index();
  for (int i = 0; i < block_threads(); ++i) {
    slots[next] = own;
    sync_block();
    own = slots[thread_index()];
    sync_block();
  }
  results[block_index() * block_threads() + thread_index()] = own;
}

TEST_P(BarriersTest, SyncBlockOrdersSharedMemory) {
  constexpr int kBlocks = 5;
  SimulatedArray<int> results(kBlocks * 128);
  launch(&pass_around, LaunchShape{kBlocks, 128, 128 * sizeof(int)}, stream, results.data());
  synchronize(stream);
  for (int i = 0; i < kBlocks * 128; ++i) EXPECT_EQ(results.values()[i], i % 128);
}

void pass_around_warp(int* results) {
  int* slots = reinterpret_cast<int*>(shared_memory()) + thread_index() - lane_index();
  int own = thread_index();
  for (int i = 0; i < warp_width(); ++i) {
    slots[(lane_index() + 1) % warp_width()] = own;
    sync_warp();
    own = slots[lane_index()];
    sync_warp();
  }
  results[thread_index()] = own;
}

TEST_P(BarriersTest, SyncWarpOrdersSharedMemory) {
  SimulatedArray<int> results(128);
  launch(&pass_around_warp, LaunchShape{1, 128, 128 * sizeof(int)}, stream, results.data());
  synchronize(stream);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(results.values()[i], i);
}

// Every third thread exits before the first barrier, and the ones after these before the second.
void exit_by_and_by(int* results) {
  if (thread_index() % 3 == 0) exit_thread();
  sync_block();
  if (thread_index() % 3 == 1) exit_thread();
  sync_block();
  results[thread_index()] = 1;
}

TEST_P(BarriersTest, GoOnWithoutThreadsThatExited) {
  SimulatedArray<int> results(128);
  launch(&exit_by_and_by, LaunchShape{1, 128}, stream, results.data());
  synchronize(stream);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(results.values()[i], i % 3 == 2 ? 1 : 0);
}

void wait_here() { sync_block(); }
void wait_there() { sync_block(); }

void wait_at_two_barriers() {
  if (thread_index() == 3) {
    wait_here();
  } else {
    wait_there();
  }
}

TEST_P(BarriersTest, TwoBarriersInABlockAreAnError) {
  launch(&wait_at_two_barriers, LaunchShape{3, 128}, stream);
  const std::string what = error();
  EXPECT_NE(what.find("calls sync_block at"), std::string::npos) << what;
  EXPECT_NE(what.find("barriers_test.cc:"), std::string::npos) << what;
  EXPECT_NE(what.find("kernel of 3 blocks of 128 threads"), std::string::npos) << what;
  EXPECT_NE(what.find("MILLRACE_SIMT_SEED="), std::string::npos) << what;
}

void return_early() {
  if (thread_index() == 7) return;
  sync_block();
}

TEST_P(BarriersTest, AThreadThatReturnsWhileOthersWaitIsAnError) {
  launch(&return_early, LaunchShape{1, 128}, stream);
  const std::string what = error();
  EXPECT_NE(what.find("thread 7"), std::string::npos) << what;
  EXPECT_NE(what.find("from the kernel"), std::string::npos) << what;
}

void return_before_collective() {
  if (lane_index() == 2) return;
  ballot(true);
}

TEST_P(BarriersTest, ALaneThatReturnsWhileItsWarpGoesOnIsAnError) {
  launch(&return_before_collective, LaunchShape{1, 128}, stream);
  const std::string what = error();
  EXPECT_NE(what.find("from the kernel"), std::string::npos) << what;
  EXPECT_NE(what.find("ballot at"), std::string::npos) << what;
}

void disagree_on_collective() {
  if (lane_index() == 0) {
    ballot(true);
  } else {
    shuffle(1, 0);
  }
}

TEST_P(BarriersTest, LanesInDifferentCollectivesAreAnError) {
  launch(&disagree_on_collective, LaunchShape{1, 128}, stream);
  const std::string what = error();
  EXPECT_NE(what.find("ballot at"), std::string::npos) << what;
  EXPECT_NE(what.find("shuffle at"), std::string::npos) << what;
}

void disagree_on_barrier() {
  if (lane_index() == 0) {
    sync_warp();
  } else {
    sync_block();
  }
}

TEST_P(BarriersTest, LanesAtABlockAndAWarpBarrierAreAnError) {
  launch(&disagree_on_barrier, LaunchShape{1, 128}, stream);
  const std::string what = error();
  EXPECT_NE(what.find("sync_warp at"), std::string::npos) << what;
  EXPECT_NE(what.find("sync_block at"), std::string::npos) << what;
}

void warps_at_their_own_barriers() {
  if (thread_index() / warp_width() == 0) sync_warp();
  for (int i = 0; i < thread_index() / warp_width(); ++i) sync_warp();
}

TEST_P(BarriersTest, WarpsMayBeAtDifferentBarriers) {
  launch(&warps_at_their_own_barriers, LaunchShape{1, 128}, stream);
  EXPECT_EQ(error(), "");
}

void read_lane(int lane) { shuffle(1, lane); }

TEST_P(BarriersTest, ShuffleFromALaneThatIsNotThereIsAnError) {
  launch(&read_lane, LaunchShape{1, 64}, stream, width());
  const std::string what = error();
  EXPECT_NE(what.find("reads lane " + std::to_string(width()) + " in shuffle at"),
            std::string::npos)
      << what;
}

void read_exited_lane() {
  if (lane_index() == 4) exit_thread();
  shuffle(1, 4);
}

TEST_P(BarriersTest, ShuffleFromALaneThatExitedIsAnError) {
  launch(&read_exited_lane, LaunchShape{1, 64}, stream);
  const std::string what = error();
  EXPECT_NE(what.find("reads lane 4, which has exited"), std::string::npos) << what;
}

// The first lane of the second warp stores `flag`. Each lane of the first warp loads it into its
// element of `found`, and those that find 0 call another collective than the others. With `votes`,
// all lanes branch by whether any of them has found the store.
void branch_on_flag(unsigned* flag, unsigned* found, bool votes) {
  if (thread_index() == warp_width()) atomic_store<Scope::kDevice, Order::kRelaxed>(flag, 1);
  if (thread_index() >= warp_width()) return;
  const unsigned own = atomic_load<Scope::kDevice, Order::kRelaxed>(flag);
  found[lane_index()] = own;
  const bool leaves = votes ? ballot(own != 0) != 0 : own != 0;
  if (leaves) {
    shuffle(own, 0);
  } else {
    ballot(true);
  }
}

class DivergenceTest : public BarriersTest {
 protected:
  struct Launches {
    int failed = 0;  // Launches that were stopped, with lanes in different collectives.
    int mixed = 0;   // Launches in which lanes have found different values.
  };

  Launches launch_with_seeds(bool votes) {
    Launches launches;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      simt::set_seed(seed);
      const Stream own = create_stream();
      SimulatedArray<unsigned> flag(1);
      SimulatedArray<unsigned> found(static_cast<std::size_t>(width()));
      launch(&branch_on_flag, LaunchShape{1, 2 * width()}, own, flag.data(), found.data(), votes);
      std::string what;
      try {
        synchronize(own);
      } catch (const Error& error) {
        what = error.what();
      }
      destroy_stream(own);
      const auto values = found.values();
      launches.mixed += std::ranges::count(values, 0u) % width() == 0 ? 0 : 1;
      if (what.empty()) continue;
      ++launches.failed;
      EXPECT_NE(what.find("ballot at"), std::string::npos) << what;
      EXPECT_NE(what.find("shuffle at"), std::string::npos) << what;
    }
    return launches;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, DivergenceTest, testing::Values(0, 1), device_name);

TEST_P(DivergenceTest, LanesThatBranchOnTheirOwnLoadsAreFoundAtACollective) {
  EXPECT_GT(launch_with_seeds(/*votes=*/false).failed, 0);
}

TEST_P(DivergenceTest, LanesThatVoteOnTheirLoadsAgree) {
  const Launches launches = launch_with_seeds(/*votes=*/true);
  EXPECT_EQ(launches.failed, 0);
  EXPECT_GT(launches.mixed, 0);
}

void throw_in_kernel() {
  if (thread_index() == 9) throw Error(ErrorCode::kUnsupported, "thrown by a kernel");
  sync_block();
}

TEST_P(BarriersTest, WhatAKernelThrowsIsTheStreamsError) {
  launch(&throw_in_kernel, LaunchShape{2, 128}, stream);
  EXPECT_EQ(error(), "thrown by a kernel");
}

void raise(int* values) { values[block_index() * block_threads() + thread_index()] += 1; }

TEST_P(BarriersTest, AnErrorSkipsWhatIsEnqueuedAndThenTheStreamWorksOn) {
  SimulatedArray<int> values(128);
  launch(&wait_at_two_barriers, LaunchShape{1, 128}, stream);
  launch(&raise, LaunchShape{1, 128}, stream, values.data());
  EXPECT_NE(error(), "");
  EXPECT_EQ(values.values(), std::vector<int>(128, 0));
  launch(&raise, LaunchShape{1, 128}, stream, values.data());
  EXPECT_EQ(error(), "");
  EXPECT_EQ(values.values(), std::vector<int>(128, 1));
}

}  // namespace
}  // namespace millrace::simt_backend
