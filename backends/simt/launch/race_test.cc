// SPDX-License-Identifier: Apache-2.0

// Tests that ThreadSanitizer accepts correct transfers of data between threads, and reports wrong
// ones.
#include <millrace/backends/simt/launch/sanitizers.h>
#include <millrace/backends/simt/simt_test.h>

#include <cstdlib>
#include <numeric>

namespace millrace::simt_backend {
namespace {

class RaceTest : public SimtTest {
 protected:
  RaceTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  // Runs the kernel, and expects a report of ThreadSanitizer to end the process, at once or at its
  // end.
  template <class... P>
  void expect_race(void (*kernel)(P...), const LaunchShape& shape, P... arguments) {
    if (!simt::has_thread_sanitizer()) GTEST_SKIP() << "built without ThreadSanitizer";
    constexpr int kExitCodeOfThreadSanitizer = 66;
    EXPECT_EXIT(
        {
          launch(kernel, shape, stream, arguments...);
          synchronize(stream);
          std::exit(0);
        },
        testing::ExitedWithCode(kExitCodeOfThreadSanitizer), "data race");
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, RaceTest, testing::Values(0, 1), device_name);

// The first thread of each block passes a value to all threads of the next one.
void hand_over(int* values, unsigned* flags) {
  const int own = block_index();
  if (own > 0) {
    while (atomic_load<Scope::kDevice, Order::kAcquire>(flags + own - 1) == 0) pause(100);
    if (values[own - 1] != own * 10) exit_thread();
    sync_block();
  }
  if (thread_index() != 0) return;
  values[own] = (own + 1) * 10;
  atomic_store<Scope::kDevice, Order::kRelease>(flags + own, 1);
}

TEST_P(RaceTest, ReleaseAndAcquireHandOver) {
  // Under sanitizers a device holds no more blocks at once.
  SimulatedArray<int> values(simt::kMultiprocessors);
  SimulatedArray<unsigned> flags(simt::kMultiprocessors);
  launch(&hand_over, LaunchShape{simt::kMultiprocessors, 128, 0, true}, stream, values.data(),
         flags.data());
  synchronize(stream);
  EXPECT_EQ(values.values(), (std::vector<int>{10, 20, 30}));
}

// Threads that exit leave their values to the last one.
void leave_values(int* values, int* sum) {
  auto* slots = reinterpret_cast<int*>(shared_memory());
  values[thread_index()] = slots[thread_index()] = thread_index();
  if (thread_index() < block_threads() - 1) exit_thread();
  sync_block();
  for (int i = 0; i < block_threads(); ++i) *sum += values[i] + slots[i];
}

TEST_P(RaceTest, BarriersOrderThreadsThatExit) {
  SimulatedArray<int> values(128);
  SimulatedArray<int> sum(1);
  launch(&leave_values, LaunchShape{1, 128, 512}, stream, values.data(), sum.data());
  synchronize(stream);
  EXPECT_EQ(sum.values()[0], 127 * 128);
}

void hand_over_by_fences(int* values, unsigned* flag) {
  if (block_index() == 0) {
    if (thread_index() != 0) return;
    values[0] = 5;
    fence<Scope::kDevice>();
    atomic_store<Scope::kDevice, Order::kRelaxed>(flag, 1);
  } else {
    while (atomic_load<Scope::kDevice, Order::kRelaxed>(flag) == 0) pause(100);
    fence<Scope::kDevice>();
    values[1 + thread_index()] = values[0];
  }
}

TEST_P(RaceTest, FencesHandOver) {
  SimulatedArray<int> values(129);
  SimulatedArray<unsigned> flag(1);
  launch(&hand_over_by_fences, LaunchShape{2, 128, 0, true}, stream, values.data(), flag.data());
  synchronize(stream);
  EXPECT_EQ(values.values(), std::vector<int>(129, 5));
}

void raise_all(int* values) { values[block_index() * block_threads() + thread_index()] += 1; }

TEST_P(RaceTest, LaunchesOfAStreamAreOrdered) {
  SimulatedArray<int> values(4 * 128);
  for (int i = 0; i < 10; ++i) launch(&raise_all, LaunchShape{4, 128}, stream, values.data());
  synchronize(stream);
  EXPECT_EQ(values.values(), std::vector<int>(4 * 128, 10));
}

void raise_one(int* value) { *value += 1; }

TEST_P(RaceTest, TwoThreadsWritingOneWordAreReported) {
  SimulatedArray<int> value(1);
  expect_race(&raise_one, LaunchShape{1, 64}, value.data());
}

void hand_over_relaxed(int* values, unsigned* flag) {
  if (thread_index() == 0) {
    values[0] = 5;
    atomic_store<Scope::kDevice, Order::kRelaxed>(flag, 1);
  } else if (thread_index() >= warp_width()) {
    while (atomic_load<Scope::kDevice, Order::kRelaxed>(flag) == 0) pause(100);
    values[thread_index()] = values[0];
  }
}

TEST_P(RaceTest, AHandOverWithoutOrderIsReported) {
  SimulatedArray<int> values(128);
  SimulatedArray<unsigned> flag(1);
  expect_race(&hand_over_relaxed, LaunchShape{1, 128}, values.data(), flag.data());
}

// The barrier would order these accesses, but it comes too late.
void read_before_barrier(int* values) {
  auto* slots = reinterpret_cast<int*>(shared_memory());
  slots[thread_index()] = thread_index();
  values[thread_index()] = slots[block_threads() - 1 - thread_index()];
  sync_block();
}

TEST_P(RaceTest, AMissingBarrierIsReported) {
  SimulatedArray<int> values(128);
  expect_race(&read_before_barrier, LaunchShape{1, 128, 512}, values.data());
}

// A collective transfers its values, and orders no memory.
void rely_on_shuffle() {
  auto* slot = reinterpret_cast<int*>(shared_memory());
  if (lane_index() == 0) *slot = 1;
  shuffle(0, 0);
  if (lane_index() == 1) *slot = 2;
}

TEST_P(RaceTest, RelyingOnAShuffleForOrderIsReported) {
  expect_race(&rely_on_shuffle, LaunchShape{1, 64, 4});
}

}  // namespace
}  // namespace millrace::simt_backend
