// SPDX-License-Identifier: Apache-2.0

// The order of work in a queue, events between queues, and errors.
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>

namespace millrace::conformance {
namespace {

using QueueTest = ConformanceTest;

TEST_P(QueueTest, RunsInOrder) {
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i) queue->call([&order, i] { order.push_back(i); });
  queue->wait();
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[i], i);
}

TEST_P(QueueTest, AnIdleQueueWaitsForNothing) {
  EXPECT_NO_THROW(queue->wait());
  EXPECT_NO_THROW(queue->wait());
}

TEST_P(QueueTest, RunsWithoutAnyoneWaiting) {
  std::atomic<bool> ran = false;
  queue->call([&ran] { ran = true; });
  while (!ran) std::this_thread::yield();
}

TEST_P(QueueTest, KnowsItsDevice) { EXPECT_EQ(&queue->device(), device.get()); }

TEST_P(QueueTest, KeepsItsDeviceOpen) {
  device.reset();
  bool ran = false;
  queue->call([&ran] { ran = true; });
  queue->wait();
  EXPECT_TRUE(ran);
}

TEST_P(QueueTest, DestructionWaits) {
  std::atomic<int> calls = 0;
  for (int i = 0; i < 100; ++i) queue->call([&calls] { ++calls; });
  queue.reset();
  EXPECT_EQ(calls, 100);
}

TEST_P(QueueTest, DestructionWaitsForCopiesToo) {
  std::vector<int> result(1000);
  Buffer<int> buffer(device, MemorySpace::kDevice, result.size());
  fill_bytes(*queue, buffer.span(), std::byte{0x22});
  copy(*queue, BufferSpan<int>(std::span(result)), buffer.span());
  queue.reset();
  EXPECT_EQ(result, std::vector<int>(result.size(), 0x22222222));
}

TEST_P(QueueTest, RejectsANegativeConcurrency) {
  EXPECT_THROW(device->make_queue({.concurrency = -1}), Error);
}

TEST_P(QueueTest, AnEventIsReadyOnceTheWorkBeforeItIsDone) {
  std::atomic<bool> open = false;
  std::atomic<bool> done = false;
  queue->call([&] {
    while (!open) std::this_thread::yield();
    done = true;
  });
  const Event event = queue->record();
  EXPECT_FALSE(event.ready());
  open = true;
  event.wait();
  EXPECT_TRUE(done);
  EXPECT_TRUE(event.ready());
  queue->wait();
}

TEST_P(QueueTest, AnEventNeverRecordedIsReady) {
  const Event event;
  EXPECT_TRUE(event.ready());
  event.wait();
  queue->wait_for(event);
  EXPECT_NO_THROW(queue->wait());
}

TEST_P(QueueTest, AnEventIsReachedAfterTheCopiesBeforeIt) {
  std::vector<int> result(1000);
  Buffer<int> buffer(device, MemorySpace::kDevice, result.size());
  for (int round = 1; round < 20; ++round) {
    fill_bytes(*queue, buffer.span(), std::byte(round));
    copy(*queue, BufferSpan<int>(std::span(result)), buffer.span());
    queue->record().wait();
    ASSERT_EQ(result, std::vector<int>(result.size(), round * 0x01010101));
  }
}

TEST_P(QueueTest, CallsBackWhenAnEventIsReached) {
  std::atomic<int> calls = 0;
  const Event event = queue->record();
  event.when_ready([&calls] { ++calls; });
  queue->wait();
  event.when_ready([&calls] { ++calls; });
  while (calls != 2) std::this_thread::yield();
}

TEST_P(QueueTest, ReportsWhenAnEventWasReached) {
  // The clock of a device is related to ours by a round trip, which takes longer on a busy machine;
  // then more is done between the events.
  for (std::int64_t yields = 10'000;; yields *= 2) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point call_begin;
    Clock::time_point call_end;
    const auto begin = Clock::now();
    const Event first = queue->record();
    queue->call([&] {
      call_begin = Clock::now();
      for (std::int64_t i = 0; i < yields; ++i) std::this_thread::yield();
      call_end = Clock::now();
    });
    const Event second = queue->record();
    queue->wait();
    const auto end = Clock::now();
    EXPECT_LE(first.reached_at(), second.reached_at());
    const auto slack = (call_end - call_begin) / 4;
    if (begin <= first.reached_at() + slack && first.reached_at() <= call_begin + slack &&
        call_end <= second.reached_at() + slack && second.reached_at() <= end + slack) {
      break;
    }
  }
}

TEST_P(QueueTest, KnowsOfAFailureBeforeItIsThrown) {
  queue->call([] { throw std::runtime_error("spilt"); });
  queue->record().wait();
  EXPECT_TRUE(queue->has_failed());
  EXPECT_THROW(queue->wait(), std::runtime_error);
  EXPECT_FALSE(queue->has_failed());
}

TEST_P(QueueTest, WaitsForAnotherQueue) {
  const auto other = device->make_queue();
  std::atomic<bool> open = false;
  std::vector<int> order;
  queue->call([&] {
    while (!open) std::this_thread::yield();
    order.push_back(1);
  });
  other->wait_for(queue->record());
  other->call([&order] { order.push_back(2); });
  open = true;
  other->wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

// Queues of all devices, whatever their backend.
std::vector<std::unique_ptr<Queue>> queues_everywhere() {
  std::vector<std::unique_ptr<Queue>> queues;
  for (const std::string& name : device_names()) queues.push_back(open_device(name)->make_queue());
  return queues;
}

TEST_P(QueueTest, WaitsForQueuesOfOtherDevices) {
  for (const auto& other : queues_everywhere()) {
    std::atomic<bool> open = false;
    std::vector<int> order;
    other->call([&] {
      while (!open) std::this_thread::yield();
      order.push_back(1);
    });
    queue->wait_for(other->record());
    queue->call([&order] { order.push_back(2); });
    open = true;
    queue->wait();
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
  }
}

TEST_P(QueueTest, IsWaitedForByQueuesOfOtherDevicesWithNobodyWaiting) {
  for (const auto& other : queues_everywhere()) {
    Buffer<int> buffer(device, MemorySpace::kDevice, 1000);
    std::vector<int> result(buffer.size());
    std::atomic<bool> called = false;
    fill_bytes(*queue, buffer.span(), std::byte{0x11});
    copy(*queue, BufferSpan<int>(std::span(result)), buffer.span());
    other->wait_for(queue->record());
    int seen = 0;
    other->call([&] {
      seen = result.back();
      called = true;
    });
    while (!called) std::this_thread::yield();
    EXPECT_EQ(seen, 0x11111111);
  }
}

TEST_P(QueueTest, HandsWorkRoundAllDevices) {
  const auto queues = queues_everywhere();
  int value = 0;
  for (int i = 0; i < 50; ++i) {
    for (const auto& other : queues) {
      queue->call([&value] { ++value; });
      other->wait_for(queue->record());
      other->call([&value] { ++value; });
      queue->wait_for(other->record());
    }
  }
  queue->wait();
  EXPECT_EQ(value, 100 * static_cast<int>(queues.size()));
}

TEST_P(QueueTest, HandsWorkToAndFroBetweenQueues) {
  const auto other = device->make_queue();
  int value = 0;
  for (int i = 0; i < 500; ++i) {
    queue->call([&value] { value += 3; });
    other->wait_for(queue->record());
    other->call([&value] {
      value *= 2;
      value %= 1'000'003;
    });
    queue->wait_for(other->record());
  }
  queue->wait();
  int expected = 0;
  for (int i = 0; i < 500; ++i) expected = (expected + 3) * 2 % 1'000'003;
  EXPECT_EQ(value, expected);
}

TEST_P(QueueTest, TheFirstErrorIsThrownAndTheRestSkipped) {
  bool ran_after = false;
  queue->call([] { throw std::runtime_error("first"); });
  queue->call([&ran_after] { ran_after = true; });
  queue->call([] { throw std::runtime_error("second"); });
  const Event event = queue->record();
  event.wait();
  try {
    queue->wait();
    FAIL() << "no error was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  EXPECT_FALSE(ran_after);
}

TEST_P(QueueTest, IsUsableAfterAnError) {
  queue->call([] { throw std::runtime_error("once"); });
  EXPECT_THROW(queue->wait(), std::runtime_error);
  bool ran = false;
  queue->call([&ran] { ran = true; });
  EXPECT_NO_THROW(queue->wait());
  EXPECT_TRUE(ran);
}

TEST_P(QueueTest, AFailedQueueDoesNotHoldUpAnother) {
  const auto other = device->make_queue();
  queue->call([] { throw std::runtime_error("lost"); });
  other->wait_for(queue->record());
  bool ran = false;
  other->call([&ran] { ran = true; });
  EXPECT_NO_THROW(other->wait());
  EXPECT_TRUE(ran);
  EXPECT_THROW(queue->wait(), std::runtime_error);
}

TEST_P(QueueTest, TakesWorkFromManyThreads) {
  std::atomic<int> calls = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) queue->call([&calls] { ++calls; });
      queue->wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, 2000);
}

INSTANTIATE_TEST_SUITE_P(Conformance, QueueTest, testing::ValuesIn(device_names()),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
