// SPDX-License-Identifier: Apache-2.0

// Large copies of pageable memory, which go through pinned buffers and host threads.
#include <millrace/backends/gpu/gpu_test.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using Bytes = std::vector<std::uint8_t>;
using DeviceBytes = Buffer<std::uint8_t>;

BufferSpan<std::uint8_t> span_of(Bytes& bytes) {
  return BufferSpan<std::uint8_t>(std::span(bytes));
}

BufferSpan<std::uint8_t> span_of(Bytes& bytes, std::size_t offset, std::size_t count) {
  return BufferSpan<std::uint8_t>(std::span(bytes).subspan(offset, count));
}

Bytes random_bytes(std::size_t count, unsigned seed) {
  Bytes bytes(count);
  std::mt19937 random(seed);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < count; ++i) {
    word = i % 4 == 0 ? static_cast<std::uint32_t>(random()) : word >> 8;
    bytes[i] = static_cast<std::uint8_t>(word);
  }
  return bytes;
}

class StagedCopiesTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (device == nullptr) return;
    // Real devices stage copies of at least 48 times as many bytes.
    kilobyte = device->info().is_simulated ? 1024 : 48 * 1024;
    megabyte = 1024 * kilobyte;
    large = 9 * megabyte + 77;
  }

  std::size_t ring_bytes() { return device->pool(MemorySpace::kPinned)->statistics().bytes_in_use; }

  // Uploads the values, downloads them again, and returns them.
  Bytes round_trip(Queue& through, Bytes values) {
    DeviceBytes there(device, MemorySpace::kDevice, values.size());
    copy(through, there.span(), span_of(values));
    Bytes back(values.size());
    copy(through, span_of(back), there.span());
    through.wait();
    return back;
  }

  std::size_t kilobyte = 0;
  std::size_t megabyte = 0;
  std::size_t large = 0;  // Larger than a ring of buffers, unless there are many cores.
};

TEST_F(StagedCopiesTest, BringEveryByteThereAndBack) {
  for (const std::size_t count :
       {512 * kilobyte, 512 * kilobyte + 1, megabyte - 1, 3 * megabyte + 5, large}) {
    const Bytes values = random_bytes(count, 1);
    EXPECT_TRUE(round_trip(*queue, values) == values) << count << " bytes";
  }
  EXPECT_GT(ring_bytes(), 0u);
}

TEST_F(StagedCopiesTest, TouchNothingElse) {
  const std::size_t count = 2 * megabyte + 3;
  Bytes source = random_bytes(count, 2);
  DeviceBytes there(device, MemorySpace::kDevice, count);
  fill_bytes(*queue, there.span(), std::byte{0xee});
  copy(*queue, there.span(13, count - 20), span_of(source, 5, count - 20));
  Bytes back(count, 0x11);
  copy(*queue, span_of(back, 1, count - 2), there.span(1, count - 2));
  queue->wait();
  Bytes expected(count, 0xee);
  std::copy_n(source.begin() + 5, count - 20, expected.begin() + 13);
  expected.front() = expected.back() = 0x11;
  EXPECT_TRUE(back == expected);
}

TEST_F(StagedCopiesTest, HappenInTheOrderOfTheQueue) {
  const std::size_t count = 2 * megabyte;
  DeviceBytes there(device, MemorySpace::kDevice, count);
  Bytes first(count, 1);
  Bytes second(count, 2);
  Bytes results[4];
  for (Bytes& result : results) result.resize(count);
  copy(*queue, there.span(), span_of(first));
  copy(*queue, span_of(results[0]), there.span());
  copy(*queue, there.span(), span_of(second));
  copy(*queue, span_of(results[1]), there.span());
  copy(*queue, there.span(), span_of(results[0]));
  copy(*queue, span_of(results[2]), there.span());
  fill_bytes(*queue, there.span(), std::byte{3});
  copy(*queue, span_of(results[3]), there.span());
  queue->wait();
  EXPECT_TRUE(results[0] == first);
  EXPECT_TRUE(results[1] == second);
  EXPECT_TRUE(results[2] == first);
  EXPECT_TRUE(results[3] == Bytes(count, 3));
}

TEST_F(StagedCopiesTest, HappenInTheOrderOfEvents) {
  const auto other = make_gpu_queue(*device);
  Bytes values = random_bytes(large, 3);
  DeviceBytes there(device, MemorySpace::kDevice, large);
  Bytes back(large);
  StreamGate gate(*queue);
  copy(*queue, there.span(), span_of(values));
  other->wait_for(queue->record());
  copy(*other, span_of(back), there.span());
  gate.open();
  other->wait();
  EXPECT_TRUE(back == values);
}

TEST_F(StagedCopiesTest, ReturnBeforeTheStreamComesToThem) {
  Bytes values(large, 7);
  Bytes back(large);
  DeviceBytes there(device, MemorySpace::kDevice, large);
  StreamGate gate(*queue);
  copy(*queue, there.span(), span_of(values));
  copy(*queue, span_of(back), there.span());
  const Event copied = queue->record();
  EXPECT_FALSE(copied.ready());
  gate.open();
  copied.wait();
  EXPECT_TRUE(back == values);
}

TEST_F(StagedCopiesTest, OfAQueueThatIsHeldUpHoldUpNoOther) {
  struct Held {
    Held(const std::shared_ptr<GpuDevice>& device, std::size_t bytes)
        : queue(make_gpu_queue(*device)),
          values(bytes),
          there(device, MemorySpace::kDevice, bytes) {}
    ~Held() { queue->wait(); }

    void copy_both_ways() {
      copy(*queue, there.span(), span_of(values));
      copy(*queue, span_of(values), there.span());
    }

    std::unique_ptr<GpuQueue> queue;
    Bytes values;
    DeviceBytes there;
    std::optional<StreamGate> gate;
  };
  // Vendors may make allocations wait for kernels, so all memory is allocated before the first
  // gate.
  Bytes values = random_bytes(large, 4);
  Bytes back(large);
  DeviceBytes there(device, MemorySpace::kDevice, large);
  round_trip(*queue, values);
  std::deque<Held> held;
  for (int i = 0; i < 4; ++i) {
    held.emplace_back(device, large).copy_both_ways();
    held.back().queue->wait();
  }
  for (Held& one : held) {
    one.gate.emplace(*one.queue);
    one.copy_both_ways();
  }
  copy(*queue, there.span(), span_of(values));
  copy(*queue, span_of(back), there.span());
  queue->wait();
  EXPECT_TRUE(back == values);
  for (Held& one : held) {
    EXPECT_FALSE(one.queue->record().ready());
    one.gate->open();
  }
}

TEST_F(StagedCopiesTest, KeepMemoryUntilTheyAreDone) {
  auto owner = std::make_shared<Bytes>(large, std::uint8_t{9});
  const std::weak_ptr<Bytes> watched = owner;
  Bytes back(large);
  std::optional<DeviceBytes> there(std::in_place, device, MemorySpace::kDevice, large);
  StreamGate gate(*queue);
  queue->copy(there->data(), owner->data(), large, there->span().owner(), owner);
  owner.reset();
  copy(*queue, span_of(back), there->span());
  there.reset();
  EXPECT_FALSE(watched.expired());
  gate.open();
  queue->wait();
  EXPECT_TRUE(back == Bytes(large, 9));
  EXPECT_TRUE(watched.expired());
}

TEST_F(StagedCopiesTest, OfManyQueuesAtOnceShareTheHostThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      const auto own = make_gpu_queue(*device);
      std::minstd_rand random(seed + 1);
      for (int i = 0; i < 3; ++i) {
        const Bytes values = random_bytes(512 * kilobyte + random() % (4 * megabyte), seed);
        wrong += round_trip(*own, values) != values;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(StagedCopiesTest, OfSeveralThreadsMayUseOneQueue) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (unsigned seed = 0; seed < 3; ++seed) {
    threads.emplace_back([&, seed] {
      const Bytes values = random_bytes(2 * megabyte + seed, seed);
      wrong += round_trip(*queue, values) != values;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(StagedCopiesTest, OfTheHostAloneFollowTheStream) {
  Bytes values = random_bytes(large, 5);
  DeviceBytes there(device, MemorySpace::kDevice, large);
  DeviceBytes pinned(device, MemorySpace::kPinned, large);
  Bytes back(large);
  copy(*queue, there.span(), span_of(values));
  StreamGate gate(*queue);
  copy(*queue, pinned.span(), there.span());
  copy(*queue, span_of(back), pinned.span());
  gate.open();
  queue->wait();
  EXPECT_TRUE(back == values);
}

TEST_F(StagedCopiesTest, GiveTheirBuffersBackWithTheQueue) {
  const Bytes values(large, 1);
  round_trip(*queue, values);
  EXPECT_GT(ring_bytes(), 0u);
  queue.reset();
  EXPECT_EQ(ring_bytes(), 0u);
  round_trip(*make_gpu_queue(*device), values);
  EXPECT_EQ(device->pool(MemorySpace::kPinned)->statistics().reuses, 1u);
}

TEST_F(StagedCopiesTest, AreTheVendorsWhereTheQueueRequestsIt) {
  const auto plain = make_gpu_queue(*device, {.stages_pageable_copies = false});
  const Bytes values = random_bytes(large, 6);
  EXPECT_TRUE(round_trip(*plain, values) == values);
  EXPECT_EQ(ring_bytes(), 0u);
}

TEST_F(StagedCopiesTest, AreTheVendorsWhereTheyAreSmallOrPinned) {
  DeviceBytes pinned(device, MemorySpace::kPinned, large);
  DeviceBytes there(device, MemorySpace::kDevice, large);
  copy(*queue, there.span(), pinned.span());
  copy(*queue, pinned.span(), there.span());
  round_trip(*queue, Bytes(512 * kilobyte - 1));
  EXPECT_EQ(ring_bytes(), 0u);
}

TEST_F(StagedCopiesTest, OnALostDeviceAreAnErrorOfTheQueue) {
  Bytes values(large);
  DeviceBytes there(device, MemorySpace::kDevice, large);
  device->mark_lost("it fell out");
  copy(*queue, there.span(), span_of(values));
  EXPECT_THROW(queue->wait(), Error);
  copy(*queue, span_of(values), there.span());
  EXPECT_THROW(queue->wait(), Error);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
