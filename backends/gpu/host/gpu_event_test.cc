// SPDX-License-Identifier: Apache-2.0

// Events of streams: the order of callbacks, and lifetimes.
#include <millrace/backends/gpu/gpu_test.h>

#include <thread>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using GpuEventTest = GpuTest;

TEST_F(GpuEventTest, CallsBackWithNobodyWaiting) {
  StreamGate gate(*queue);
  std::atomic<bool> called = false;
  queue->record().when_ready([&called] { called = true; });
  EXPECT_FALSE(called);
  gate.open();
  while (!called) std::this_thread::yield();
}

TEST_F(GpuEventTest, CallsBackAtOnceWhenItIsReached) {
  const Event event = queue->record();
  event.wait();
  bool called = false;
  event.when_ready([&called] { called = true; });
  EXPECT_TRUE(called);
}

TEST_F(GpuEventTest, CallsBackInTheOrderOfTheStreams) {
  const auto other = make_gpu_queue(*device);
  StreamGate gate(*queue);
  std::atomic<bool> called = false;
  std::atomic<bool> other_called = false;
  queue->record().when_ready([&called] { called = true; });
  other->record().when_ready([&other_called] { other_called = true; });
  while (!other_called) std::this_thread::yield();
  EXPECT_FALSE(called);
  gate.open();
  while (!called) std::this_thread::yield();
}

TEST_F(GpuEventTest, CallsBackAgainAndAgain) {
  std::atomic<int> calls = 0;
  for (int i = 1; i <= 50; ++i) {
    {
      StreamGate gate(*queue);
      for (int k = 0; k < 3; ++k) queue->record().when_ready([&calls] { ++calls; });
    }
    while (calls != 3 * i) std::this_thread::yield();
  }
}

TEST_F(GpuEventTest, HoldsUpAnotherQueueOnTheDevice) {
  const auto other = make_gpu_queue(*device);
  StreamGate gate(*queue);
  other->wait_for(queue->record());
  const Event behind = other->record();
  EXPECT_FALSE(behind.ready());
  gate.open();
  behind.wait();
  EXPECT_TRUE(behind.ready());
}

TEST_F(GpuEventTest, HoldsUpAQueueOfAnotherDevice) {
  if (count_devices() < 2) GTEST_SKIP() << "there is one device";
  const auto other = make_gpu_queue(*open_gpu(1));
  StreamGate gate(*queue);
  other->wait_for(queue->record());
  const Event behind = other->record();
  EXPECT_FALSE(behind.ready());
  gate.open();
  behind.wait();
}

TEST_F(GpuEventTest, IsNotReachedBeforeTheHostHasComeToIt) {
  std::atomic<bool> open = false;
  queue->call([&open] {
    while (!open) std::this_thread::yield();
  });
  const Event event = queue->record();
  const auto other = make_gpu_queue(*device);
  other->wait_for(event);
  const Event behind = other->record();
  EXPECT_FALSE(event.ready());
  EXPECT_FALSE(behind.ready());
  open = true;
  behind.wait();
  EXPECT_TRUE(event.ready());
}

TEST_F(GpuEventTest, IsNotReachedWhereOneBeforeItWas) {
  queue->record().wait();  // Makes the device reuse the vendor's event.
  StreamGate gate(*queue);
  const Event event = queue->record();
  EXPECT_FALSE(event.ready());
  gate.open();
  event.wait();
  EXPECT_TRUE(event.ready());
}

TEST_F(GpuEventTest, OutlivesItsQueueAndItsDevice) {
  const Event event = queue->record();
  queue.reset();
  device.reset();
  EXPECT_TRUE(event.ready());
  event.wait();
}

TEST_F(GpuEventTest, ACallbackMayHoldTheDeviceLast) {
  std::atomic<bool> called = false;
  {
    StreamGate gate(*queue);
    queue->record().when_ready([&called, held = device] { called = true; });
    device.reset();
  }
  queue.reset();
  while (!called) std::this_thread::yield();
}

TEST_F(GpuEventTest, AQueueMayGoWhileAnotherIsToWaitForIt) {
  const auto other = make_gpu_queue(*device);
  {
    StreamGate gate(*queue);
    other->wait_for(queue->record());
  }
  queue.reset();
  EXPECT_NO_THROW(other->wait());
}

TEST_F(GpuEventTest, IsWaitedForByManyThreads) {
  StreamGate gate(*queue);
  const Event event = queue->record();
  std::atomic<int> passed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      event.wait();
      ++passed;
    });
  }
  EXPECT_EQ(passed, 0);
  gate.open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, 4);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
