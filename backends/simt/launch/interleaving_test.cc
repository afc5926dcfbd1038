// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/simt_test.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace millrace::simt_backend {
namespace {

class InterleavingTest : public SimtTest {
 protected:
  InterleavingTest() : limit_(simt::progress_limit()) {}
  ~InterleavingTest() override { simt::set_progress_limit(limit_); }

 private:
  std::uint64_t limit_;
};
INSTANTIATE_TEST_SUITE_P(Devices, InterleavingTest, testing::Values(0, 1), device_name);

void take_tickets(unsigned* counter, unsigned* tickets) {
  for (int i = 0; i < 4; ++i) {
    const unsigned ticket = atomic_add<Scope::kDevice, Order::kRelaxed>(counter, 1);
    tickets[ticket] = static_cast<unsigned>(block_index() * block_threads() + thread_index());
  }
}

// Returns the threads in the order in which they took their tickets, with this seed.
std::vector<unsigned> order_of(std::uint64_t seed, int blocks) {
  simt::set_seed(seed);
  const Stream stream = create_stream();
  const auto count = static_cast<std::size_t>(blocks) * 128;
  SimulatedArray<unsigned> counter(1);
  SimulatedArray<unsigned> tickets(count * 4);
  launch(&take_tickets, LaunchShape{blocks, 128}, stream, counter.data(), tickets.data());
  synchronize(stream);
  destroy_stream(stream);
  return tickets.values();
}

TEST_P(InterleavingTest, TheSameSeedGivesTheSameOrder) {
  EXPECT_EQ(order_of(5, 8), order_of(5, 8));
}

TEST_P(InterleavingTest, SeedsGiveDifferentOrders) {
  std::set<std::vector<unsigned>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) orders.insert(order_of(seed, 2));
  EXPECT_EQ(orders.size(), 20u);
}

TEST_P(InterleavingTest, LaunchesOfAStreamDiffer) {
  std::set<std::vector<unsigned>> orders;
  for (int i = 0; i < 10; ++i) {
    SimulatedArray<unsigned> counter(1);
    SimulatedArray<unsigned> tickets(128 * 4);
    launch(&take_tickets, LaunchShape{1, 128}, stream, counter.data(), tickets.data());
    synchronize(stream);
    orders.insert(tickets.values());
  }
  EXPECT_EQ(orders.size(), 10u);
}

TEST_P(InterleavingTest, SomeBlockStartsBeforeAnEarlierOneAndSomeSeedRunsThemOneByOne) {
  bool is_reordered = false;
  bool is_one_by_one = false;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::vector<unsigned> blocks = order_of(seed, 6);
    for (unsigned& thread : blocks) thread /= 128;
    is_reordered = is_reordered || blocks.front() != 0;
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    is_one_by_one = is_one_by_one || blocks.size() == 6;
  }
  EXPECT_TRUE(is_reordered);
  EXPECT_TRUE(is_one_by_one);
}

// The last thread stores the flag. The others load it twice, and count in *changes if the store
// came in between.
void load_twice(unsigned* flag, unsigned* changes) {
  if (thread_index() == block_threads() - 1) {
    atomic_store<Scope::kDevice, Order::kRelaxed>(flag, 1);
    return;
  }
  const unsigned first = atomic_load<Scope::kDevice, Order::kRelaxed>(flag);
  const unsigned second = atomic_load<Scope::kDevice, Order::kRelaxed>(flag);
  if (first != second) atomic_add<Scope::kDevice, Order::kRelaxed>(changes, 1);
}

TEST_P(InterleavingTest, ThreadsMayBeInterruptedBetweenTwoLoads) {
  unsigned launches = 0;
  for (int i = 0; i < 50; ++i) {
    SimulatedArray<unsigned> flag(1);
    SimulatedArray<unsigned> changes(1);
    launch(&load_twice, LaunchShape{1, 128}, stream, flag.data(), changes.data());
    synchronize(stream);
    launches += changes.values()[0] > 0 ? 1 : 0;
  }
  EXPECT_GT(launches, 0u);
}

// All other blocks wait for the last one.
void wait_for_last_block(unsigned* flag) {
  if (block_index() == grid_blocks() - 1) {
    atomic_store<Scope::kDevice, Order::kRelease>(flag, 1);
  } else {
    while (atomic_load<Scope::kDevice, Order::kAcquire>(flag) == 0) pause(100);
  }
}

TEST_P(InterleavingTest, ACooperativeLaunchHasAllBlocksAtOnce) {
  const int blocks =
      properties(GetParam()).multiprocessors * resident_blocks(&wait_for_last_block, 64, 0);
  for (int i = 0; i < 20; ++i) {
    SimulatedArray<unsigned> flag(1);
    launch(&wait_for_last_block, LaunchShape{blocks, 64, 0, true}, stream, flag.data());
    EXPECT_EQ(error(), "");
  }
}

TEST_P(InterleavingTest, WaitingForABlockThatIsNotResidentIsFound) {
  simt::set_progress_limit(50'000);
  SimulatedArray<unsigned> flag(1);
  std::string what;
  for (int i = 0; i < 20 && what.empty(); ++i) {
    *flag.data() = 0;
    launch(&wait_for_last_block, LaunchShape{20, 64}, stream, flag.data());
    what = error();
  }
  EXPECT_NE(what.find("make no progress"), std::string::npos) << what;
}

TEST_P(InterleavingTest, ACooperativeLaunchOfMoreBlocksThanFitIsRejected) {
  SimulatedArray<unsigned> flag(1);
  EXPECT_THROW(launch(&wait_for_last_block, LaunchShape{100, 64, 0, true}, stream, flag.data()),
               Error);
}

// Thread 0 works while the others poll.
void work_or_poll(unsigned* work, unsigned* polls, unsigned* is_done) {
  if (thread_index() == 0) {
    for (int i = 0; i < 5000; ++i) atomic_add<Scope::kDevice, Order::kRelaxed>(work, 1);
    atomic_store<Scope::kDevice, Order::kRelease>(is_done, 1);
    return;
  }
  while (atomic_load<Scope::kDevice, Order::kAcquire>(is_done) == 0) {
    atomic_add<Scope::kDevice, Order::kRelaxed>(polls, 1);
    pause(100);
  }
}

TEST_P(InterleavingTest, ThreadsThatPauseLeaveTheTimeToOthers) {
  SimulatedArray<unsigned> counts(3);
  launch(&work_or_poll, LaunchShape{1, 128}, stream, counts.data(), counts.data() + 1,
         counts.data() + 2);
  synchronize(stream);
  EXPECT_EQ(counts.values()[0], 5000u);
  EXPECT_LT(counts.values()[1], 5000u);
}

void poll_nothing(const unsigned* flag) {
  while (atomic_load<Scope::kDevice, Order::kAcquire>(flag) == 0) ballot(true);
}

TEST_P(InterleavingTest, CollectivesAloneAreNoProgressInTheEnd) {
  simt::set_progress_limit(10'000);
  SimulatedArray<unsigned> flag(1);
  launch(&poll_nothing, LaunchShape{1, 64}, stream, flag.data());
  EXPECT_NE(error().find("make no progress"), std::string::npos);
}

void poll_host(const unsigned* flag) {
  for (int i = 0; i < 10'000; ++i) {
    atomic_load<Scope::kSystem, Order::kAcquire>(flag);
    pause(100);
  }
}

TEST_P(InterleavingTest, AKernelMayWaitForTheHostForLonger) {
  simt::set_progress_limit(2'000);
  SimulatedArray<unsigned> flag(1);
  launch(&poll_host, LaunchShape{1, 64}, stream, flag.data());
  EXPECT_EQ(error(), "");
}

void wait_for_host(const unsigned* go, unsigned* arrived) {
  atomic_store<Scope::kSystem, Order::kRelease>(arrived, 1);
  while (atomic_load<Scope::kSystem, Order::kAcquire>(go) == 0) pause(100);
}

TEST_P(InterleavingTest, HostAndKernelSeeEachOthersWrites) {
  auto* flags = static_cast<unsigned*>(allocate_pinned(2 * sizeof(unsigned)));
  flags[0] = flags[1] = 0;
  launch(&wait_for_host, LaunchShape{1, 64}, stream, flags, flags + 1);
  while (std::atomic_ref(flags[1]).load(std::memory_order_acquire) == 0) std::this_thread::yield();
  EXPECT_FALSE(is_idle(stream));
  std::atomic_ref(flags[0]).store(1, std::memory_order_release);
  EXPECT_EQ(error(), "");
  free_pinned(flags);
}

}  // namespace
}  // namespace millrace::simt_backend
