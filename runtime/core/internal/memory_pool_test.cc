// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/memory_pool.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <random>
#include <thread>
#include <vector>

namespace millrace {
namespace {

// A device with `capacity` bytes of the heap in every space, which counts its blocks.
class SmallDevice final : public Device {
 public:
  explicit SmallDevice(std::size_t capacity) : free_(capacity) {}
  ~SmallDevice() override {
    close_pools();
    EXPECT_EQ(blocks_, 0);
  }

  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Queue> make_queue(const QueueOptions&) override { return nullptr; }
  void deallocate(MemorySpace, void* data, std::size_t bytes) noexcept override {
    ::operator delete(data, kAligned);
    free_ += bytes;
    --blocks_;
  }

  int blocks() const { return blocks_; }

 private:
  static constexpr std::align_val_t kAligned{kAlignment};

  void* try_allocate(MemorySpace, std::size_t bytes) override {
    if (bytes > free_) throw Error(ErrorCode::kOutOfMemory, std::to_string(bytes) + " bytes");
    free_ -= bytes;
    ++blocks_;
    return ::operator new(bytes, kAligned);
  }

  const DeviceInfo info_;
  std::atomic<std::size_t> free_;
  std::atomic<int> blocks_ = 0;
};

class MemoryPoolTest : public testing::Test {
 protected:
  static constexpr std::size_t kCapacity = std::size_t{64} << 20;

  std::shared_ptr<SmallDevice> device = std::make_shared<SmallDevice>(kCapacity);
  std::shared_ptr<MemoryPool> pool = device->pool(MemorySpace::kPinned);
};

TEST_F(MemoryPoolTest, IsTheOneOfItsSpace) {
  EXPECT_EQ(pool, device->pool(MemorySpace::kPinned));
  EXPECT_NE(pool, device->pool(MemorySpace::kDevice));
  EXPECT_EQ(pool->space(), MemorySpace::kPinned);
}

TEST_F(MemoryPoolTest, GivesWhatHasComeBackAgain) {
  void* const first = pool->allocate(1000);
  pool->deallocate(first, 1000);
  EXPECT_EQ(pool->allocate(990), first);
  EXPECT_EQ(device->blocks(), 1);
  pool->deallocate(first, 990);
}

TEST_F(MemoryPoolTest, GivesNothingTwice) {
  void* const first = pool->allocate(1000);
  void* const second = pool->allocate(1000);
  EXPECT_NE(first, second);
  pool->deallocate(first, 1000);
  pool->deallocate(second, 1000);
}

TEST_F(MemoryPoolTest, GivesAtLeastWhatIsRequestedAndLittleMore) {
  for (std::size_t bytes = 1; bytes < kCapacity / 2; bytes = bytes * 9 / 7 + 1) {
    const std::size_t before = pool->statistics().bytes_in_use;
    void* const data = pool->allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % Device::kAlignment, 0u);
    std::memset(data, 1, bytes);
    const std::size_t taken = pool->statistics().bytes_in_use - before;
    EXPECT_GE(taken, bytes);
    EXPECT_LE(taken, bytes + std::max(bytes / 8, Device::kAlignment));
    pool->deallocate(data, bytes);
    pool->trim(0);
  }
}

TEST_F(MemoryPoolTest, HasNothingForNoBytes) {
  EXPECT_EQ(pool->allocate(0), nullptr);
  pool->deallocate(nullptr, 0);
  EXPECT_EQ(pool->statistics().allocations, 0u);
}

TEST_F(MemoryPoolTest, CountsWhatItDoes) {
  void* const first = pool->allocate(1024);
  void* const second = pool->allocate(4096);
  pool->deallocate(first, 1024);
  pool->deallocate(pool->allocate(1024), 1024);
  const MemoryPool::Statistics statistics = pool->statistics();
  EXPECT_EQ(statistics.bytes_in_use, 4096u);
  EXPECT_EQ(statistics.bytes_held, 5120u);
  EXPECT_EQ(statistics.peak_bytes, 5120u);
  EXPECT_EQ(statistics.allocations, 3u);
  EXPECT_EQ(statistics.reuses, 1u);
  pool->deallocate(second, 4096);
}

TEST_F(MemoryPoolTest, TrimsToWhatIsToBeKept) {
  for (const std::size_t bytes : {1024u, 2048u, 4096u}) {
    Buffer<char>(pool, bytes);
  }
  EXPECT_EQ(pool->trim(3072), 4096u);
  EXPECT_EQ(pool->statistics().bytes_held, 3072u);
  EXPECT_EQ(pool->trim(3072), 0u);
  EXPECT_EQ(pool->trim(0), 3072u);
  EXPECT_EQ(device->blocks(), 0);
}

TEST_F(MemoryPoolTest, TrimsNothingThatIsInUse) {
  void* const data = pool->allocate(1024);
  EXPECT_EQ(pool->trim(0), 0u);
  EXPECT_EQ(device->blocks(), 1);
  pool->deallocate(data, 1024);
}

TEST_F(MemoryPoolTest, TrimsItselfWhereTheDeviceHasNoMoreMemory) {
  { const Buffer<char> large(pool, kCapacity / 4 * 3); }
  { const Buffer<char> other_size(pool, kCapacity / 2); }
  EXPECT_EQ(pool->statistics().bytes_held, kCapacity / 2);
}

TEST_F(MemoryPoolTest, GivesItsUnusedMemoryToThoseWhoDoNotUsePools) {
  { const Buffer<char> pooled(pool, kCapacity / 4 * 3); }
  EXPECT_NO_THROW(Buffer<char>(device, MemorySpace::kPinned, kCapacity / 2));
  EXPECT_EQ(pool->statistics().bytes_held, 0u);
}

TEST_F(MemoryPoolTest, ThrowsWhatTheDeviceThrowsAndGoesOn) {
  const Buffer<char> used(pool, kCapacity / 2);
  for (const std::size_t bytes : {kCapacity, std::numeric_limits<std::size_t>::max()}) {
    try {
      pool->allocate(bytes);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    }
  }
  EXPECT_NO_THROW(Buffer<char>(pool, kCapacity / 4));
}

TEST_F(MemoryPoolTest, IsForBuffers) {
  int* first = nullptr;
  {
    Buffer<int> buffer(pool, 100);
    EXPECT_EQ(buffer.size(), 100u);
    EXPECT_EQ(buffer.space(), MemorySpace::kPinned);
    first = buffer.data();
  }
  EXPECT_EQ(Buffer<int>(pool, 100).data(), first);
}

TEST_F(MemoryPoolTest, GetsABufferBackWithTheLastSpanOfIt) {
  Buffer<int> buffer(pool, 100);
  {
    const BufferSpan<int> span = buffer.span();
    buffer = {};
    EXPECT_NE(Buffer<int>(pool, 100).data(), span.data());
  }
  EXPECT_EQ(pool->statistics().bytes_in_use, 0u);
}

TEST_F(MemoryPoolTest, KeepsItsDeviceOpenAndGoesWithIt) {
  const std::weak_ptr<Device> watched = device;
  Buffer<int> buffer(pool, 100);
  device.reset();
  pool.reset();
  EXPECT_FALSE(watched.expired());
  buffer = {};
  EXPECT_TRUE(watched.expired());
}

TEST_F(MemoryPoolTest, HoldsItsMemoryWhileNobodyHoldsThePool) {
  { const Buffer<int> buffer(pool, 100); }
  pool.reset();
  EXPECT_EQ(device->blocks(), 1);
  EXPECT_EQ(device->pool(MemorySpace::kPinned)->statistics().bytes_held, 512u);
}

TEST_F(MemoryPoolTest, ServesManyThreads) {
  constexpr int kThreads = 4;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::minstd_rand random(static_cast<unsigned>(t + 1));
      std::vector<Buffer<int>> held(8);
      for (int i = 0; i < 2000; ++i) {
        Buffer<int>& buffer = held[random() % held.size()];
        wrong += buffer.size() > 0 && buffer.data()[buffer.size() - 1] != t;
        buffer = Buffer<int>(pool, 1 + random() % 5000);
        buffer.data()[buffer.size() - 1] = t;
        if (i % 100 == 0) pool->trim(random() % 100'000);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  const MemoryPool::Statistics statistics = pool->statistics();
  EXPECT_EQ(statistics.allocations, 8000u);
  EXPECT_EQ(statistics.bytes_in_use, 0u);
  EXPECT_GT(statistics.reuses, 0u);
}

}  // namespace
}  // namespace millrace
