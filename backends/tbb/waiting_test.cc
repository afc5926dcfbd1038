// SPDX-License-Identifier: Apache-2.0

// Tests of waits for queues while every other thread waits too.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/queue.h>

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

namespace millrace::tbb_backend {
namespace {

class WaitingTest : public testing::Test {
 protected:
  std::shared_ptr<Device> device = open_device("tbb");
};

constexpr int kBodies = 64;

TEST_F(WaitingTest, EveryThreadOfAnAlgorithmMayWaitForAnEvent) {
  std::atomic<int> calls = 0;
  tbb::parallel_for(0, kBodies, [&](int) {
    const auto queue = device->make_queue();
    queue->call([&calls] { ++calls; });
    queue->record().wait();
  });
  EXPECT_EQ(calls, kBodies);
}

TEST_F(WaitingTest, EveryThreadOfAnAlgorithmMayWaitForAQueueBehindAnother) {
  std::atomic<int> calls = 0;
  tbb::parallel_for(0, kBodies, [&](int) {
    const auto first = device->make_queue();
    const auto second = device->make_queue();
    first->call([&calls] { ++calls; });
    second->wait_for(first->record());
    second->call([&calls] { ++calls; });
    second->wait();
  });
  EXPECT_EQ(calls, 2 * kBodies);
}

TEST_F(WaitingTest, AnOperationMayWaitForAnotherQueue) {
  constexpr int kQueues = 8;
  std::array<std::unique_ptr<Queue>, kQueues> queues;
  for (auto& queue : queues) queue = device->make_queue();
  std::atomic<int> calls = 0;
  for (int i = kQueues - 1; i >= 0; --i) {
    Queue* const behind = i + 1 < kQueues ? queues[i + 1].get() : nullptr;
    queues[i]->call([&calls, behind] {
      ++calls;
      if (behind != nullptr) behind->wait();
    });
  }
  queues[0]->wait();
  EXPECT_EQ(calls, kQueues);
}

TEST_F(WaitingTest, AnEventIsNoReasonToRunWhatComesAfterIt) {
  const auto queue = device->make_queue();
  std::atomic<bool> open = false;
  std::atomic<bool> done = false;
  const Event event = queue->record();
  queue->call([&] {
    while (!open) std::this_thread::yield();
    done = true;
  });
  event.wait();  // Would never return if it ran the call as well.
  EXPECT_FALSE(done);
  open = true;
  queue->wait();
  EXPECT_TRUE(done);
}

TEST_F(WaitingTest, WhatIsLeftBehindAnEventRunsWithoutAnyoneWaiting) {
  const auto queue = device->make_queue();
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> done = false;
    const Event event = queue->record();
    queue->call([&done] { done = true; });
    event.wait();
    while (!done) std::this_thread::yield();
  }
}

TEST_F(WaitingTest, ClosedGatesOfManyQueuesOpenInAChain) {
  constexpr int kQueues = 50;
  std::array<std::unique_ptr<Queue>, kQueues> queues;
  for (auto& queue : queues) queue = device->make_queue();
  std::atomic<bool> open = false;
  std::atomic<int> last = -1;
  bool in_order = true;
  queues[0]->call([&open] {
    while (!open) std::this_thread::yield();
  });
  for (int i = 1; i < kQueues; ++i) {
    queues[i]->wait_for(queues[i - 1]->record());
    queues[i]->call([&, i] { in_order = in_order && last.exchange(i) < i; });
  }
  open = true;
  while (last != kQueues - 1) std::this_thread::yield();
  for (const auto& queue : queues) queue->wait();
  EXPECT_TRUE(in_order);
}

// Uses the queue in its destructor, as a slot of a pipeline would.
struct CallsBack {
  CallsBack(Queue& queue, std::atomic<int>& calls) : queue(queue), calls(calls) {}
  ~CallsBack() {
    queue.call([&calls = calls] { ++calls; });
  }
  Queue& queue;
  std::atomic<int>& calls;
};

TEST_F(WaitingTest, WhatAnOperationHoldsMayUseTheQueueWhenItGoes) {
  const auto queue = device->make_queue();
  std::atomic<int> calls = 0;
  queue->call([held = std::make_shared<CallsBack>(*queue, calls)] {});
  queue->wait();
  EXPECT_EQ(calls, 1);
}

TEST_F(WaitingTest, SoMayWhatASkippedOperationHolds) {
  const auto queue = device->make_queue();
  std::atomic<int> calls = 0;
  queue->call([] { throw std::runtime_error("lost"); });
  queue->call([held = std::make_shared<CallsBack>(*queue, calls)] {});
  EXPECT_THROW(queue->wait(), std::runtime_error);
  queue->wait();
  EXPECT_LE(calls, 1);  // It is also skipped if it came before the error was thrown.
}

TEST_F(WaitingTest, QueuesComeAndGoWhileTheirThreadIsOnItsWay) {
  std::atomic<int> calls = 0;
  for (int round = 0; round < 1000; ++round) {
    const auto queue = device->make_queue({.concurrency = 1 + round % 3});
    queue->call([&calls] { ++calls; });
  }
  EXPECT_EQ(calls, 1000);
}

}  // namespace
}  // namespace millrace::tbb_backend
