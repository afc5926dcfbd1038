// Large copies of pageable memory, which go through pinned slots and host threads.
#include <millrace/backends/gpu/gpu_test.h>

#include <algorithm>
#include <deque>
#include <random>
#include <thread>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using Bytes = std::vector<std::uint8_t>;
using DeviceBytes = Buffer<std::uint8_t>;

constexpr std::size_t kKilobyte = 1024;
constexpr std::size_t kMegabyte = 1024 * kKilobyte;

// Larger than a ring of slots on machines with few cores, so that slots are used again.
constexpr std::size_t kLarge = 9 * kMegabyte + 77;

BufferSpan<std::uint8_t> span_of(Bytes& bytes) {
  return BufferSpan<std::uint8_t>(std::span(bytes));
}

BufferSpan<std::uint8_t> part_of(Bytes& bytes, std::size_t offset, std::size_t count) {
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
  std::size_t ring_bytes() { return device->pool(MemorySpace::kPinned)->statistics().bytes_in_use; }

  // Where a copy goes up and comes back.
  Bytes round_trip(Queue& through, Bytes values) {
    DeviceBytes there(device, MemorySpace::kDevice, values.size());
    copy(through, there.span(), span_of(values));
    Bytes back(values.size());
    copy(through, span_of(back), there.span());
    through.wait();
    return back;
  }
};

TEST_F(StagedCopiesTest, BringEveryByteThereAndBack) {
  for (const std::size_t count :
       {512 * kKilobyte, 512 * kKilobyte + 1, kMegabyte - 1, 3 * kMegabyte + 5, kLarge}) {
    const Bytes values = random_bytes(count, 1);
    EXPECT_TRUE(round_trip(*queue, values) == values) << count << " bytes";
  }
  EXPECT_GT(ring_bytes(), 0u);
}

TEST_F(StagedCopiesTest, TouchNothingElse) {
  constexpr std::size_t kCount = 2 * kMegabyte + 3;
  Bytes source = random_bytes(kCount, 2);
  DeviceBytes there(device, MemorySpace::kDevice, kCount);
  fill_bytes(*queue, there.span(), std::byte{0xee});
  copy(*queue, there.span(13, kCount - 20), part_of(source, 5, kCount - 20));
  Bytes back(kCount, 0x11);
  copy(*queue, part_of(back, 1, kCount - 2), there.span(1, kCount - 2));
  queue->wait();
  Bytes expected(kCount, 0xee);
  std::copy_n(source.begin() + 5, kCount - 20, expected.begin() + 13);
  expected.front() = expected.back() = 0x11;
  EXPECT_TRUE(back == expected);
}

TEST_F(StagedCopiesTest, HappenInTheOrderOfTheQueue) {
  constexpr std::size_t kCount = 2 * kMegabyte;
  DeviceBytes there(device, MemorySpace::kDevice, kCount);
  Bytes first(kCount, 1);
  Bytes second(kCount, 2);
  Bytes results[4];
  for (Bytes& result : results) result.resize(kCount);
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
  EXPECT_TRUE(results[3] == Bytes(kCount, 3));
}

TEST_F(StagedCopiesTest, HappenInTheOrderOfEvents) {
  const auto other = make_gpu_queue(*device);
  Bytes values = random_bytes(kLarge, 3);
  DeviceBytes there(device, MemorySpace::kDevice, kLarge);
  Bytes back(kLarge);
  StreamGate gate(*queue);
  copy(*queue, there.span(), span_of(values));
  other->wait_for(queue->record());
  copy(*other, span_of(back), there.span());
  gate.open();
  other->wait();
  EXPECT_TRUE(back == values);
}

TEST_F(StagedCopiesTest, ReturnBeforeTheStreamComesToThem) {
  Bytes values(kLarge, 7);
  Bytes back(kLarge);
  DeviceBytes there(device, MemorySpace::kDevice, kLarge);
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
    explicit Held(const std::shared_ptr<GpuDevice>& device)
        : queue(make_gpu_queue(*device)), there(device, MemorySpace::kDevice, kLarge) {}
    ~Held() { queue->wait(); }

    std::unique_ptr<GpuQueue> queue;
    Bytes values = Bytes(kLarge);
    DeviceBytes there;
    StreamGate gate{*queue};
  };
  std::deque<Held> held;
  for (int i = 0; i < 4; ++i) {
    Held& one = held.emplace_back(device);
    copy(*one.queue, one.there.span(), span_of(one.values));
    copy(*one.queue, span_of(one.values), one.there.span());
  }
  const Bytes values = random_bytes(kLarge, 4);
  EXPECT_TRUE(round_trip(*queue, values) == values);
  for (Held& one : held) {
    EXPECT_FALSE(one.queue->record().ready());
    one.gate.open();
  }
}

TEST_F(StagedCopiesTest, KeepMemoryUntilTheyAreDone) {
  auto owner = std::make_shared<Bytes>(kLarge, std::uint8_t{9});
  const std::weak_ptr<Bytes> watched = owner;
  Bytes back(kLarge);
  StreamGate gate(*queue);
  {
    DeviceBytes there(device, MemorySpace::kDevice, kLarge);
    queue->copy(there.data(), owner->data(), kLarge, there.span().owner(), owner);
    owner.reset();
    copy(*queue, span_of(back), there.span());
  }
  EXPECT_FALSE(watched.expired());
  gate.open();
  queue->wait();
  EXPECT_TRUE(back == Bytes(kLarge, 9));
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
        const Bytes values = random_bytes(512 * kKilobyte + random() % (4 * kMegabyte), seed);
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
      const Bytes values = random_bytes(2 * kMegabyte + seed, seed);
      wrong += round_trip(*queue, values) != values;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(StagedCopiesTest, OfTheHostAloneFollowTheStream) {
  Bytes values = random_bytes(kLarge, 5);
  DeviceBytes there(device, MemorySpace::kDevice, kLarge);
  DeviceBytes pinned(device, MemorySpace::kPinned, kLarge);
  Bytes back(kLarge);
  copy(*queue, there.span(), span_of(values));
  StreamGate gate(*queue);
  copy(*queue, pinned.span(), there.span());
  copy(*queue, span_of(back), pinned.span());
  gate.open();
  queue->wait();
  EXPECT_TRUE(back == values);
}

TEST_F(StagedCopiesTest, GiveTheirSlotsBackWithTheQueue) {
  const Bytes values(kLarge, 1);
  round_trip(*queue, values);
  EXPECT_GT(ring_bytes(), 0u);
  queue.reset();
  EXPECT_EQ(ring_bytes(), 0u);
  round_trip(*make_gpu_queue(*device), values);
  EXPECT_EQ(device->pool(MemorySpace::kPinned)->statistics().reuses, 1u);
}

TEST_F(StagedCopiesTest, AreTheVendorsWhereTheQueueIsToldSo) {
  const auto plain = make_gpu_queue(*device, {.stages_pageable_copies = false});
  const Bytes values = random_bytes(kLarge, 6);
  EXPECT_TRUE(round_trip(*plain, values) == values);
  EXPECT_EQ(ring_bytes(), 0u);
}

TEST_F(StagedCopiesTest, AreTheVendorsWhereTheyAreSmallOrPinned) {
  DeviceBytes pinned(device, MemorySpace::kPinned, kLarge);
  DeviceBytes there(device, MemorySpace::kDevice, kLarge);
  copy(*queue, there.span(), pinned.span());
  copy(*queue, pinned.span(), there.span());
  round_trip(*queue, Bytes(512 * kKilobyte - 1));
  EXPECT_EQ(ring_bytes(), 0u);
}

TEST_F(StagedCopiesTest, OnALostDeviceAreAnErrorOfTheQueue) {
  Bytes values(kLarge);
  DeviceBytes there(device, MemorySpace::kDevice, kLarge);
  device->mark_lost("it fell out");
  copy(*queue, there.span(), span_of(values));
  EXPECT_THROW(queue->wait(), Error);
  copy(*queue, span_of(values), there.span());
  EXPECT_THROW(queue->wait(), Error);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
