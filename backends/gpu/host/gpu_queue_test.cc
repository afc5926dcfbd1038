// SPDX-License-Identifier: Apache-2.0

// Tests of the behaviour that only queues on streams have; tests/conformance has the tests of all
// queues.
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/gpu/host/side_streams.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using GpuQueueTest = GpuTest;
using Bytes = Buffer<std::uint8_t>;

constexpr std::size_t kBytes = 1000;

TEST_F(GpuQueueTest, CopiesReturnBeforeTheStreamComesToThem) {
  Bytes source(device, MemorySpace::kPinned, kBytes);
  Bytes target(device, MemorySpace::kDevice, kBytes);
  StreamGate gate(*queue);
  copy(*queue, target.span(), source.span());
  const Event copied = queue->record();
  EXPECT_FALSE(copied.ready());
  gate.open();
  copied.wait();
  EXPECT_TRUE(copied.ready());
}

TEST_F(GpuQueueTest, WorksInACallersStream) {
  const Stream stream = device->with([] { return create_stream(); });
  Bytes on_device(device, MemorySpace::kDevice, kBytes);
  Bytes target(device, MemorySpace::kPinned, kBytes);
  const auto fill_with = [&](std::byte value) {
    device->with([&] { MILLRACE_GPU::fill(on_device.data(), value, kBytes, stream); });
  };
  {
    const auto own = make_gpu_queue(*device, {.stream = stream});
    EXPECT_EQ(own->stream(), stream);
    fill_with(std::byte{1});  // The caller's work runs before the queue's.
    copy(*own, target.span(), on_device.span());
    own->wait();
    EXPECT_EQ(std::vector<std::uint8_t>(target.data(), target.data() + kBytes),
              std::vector<std::uint8_t>(kBytes, 1));
  }
  EXPECT_NE(make_gpu_queue(*device)->stream(), stream);
  fill_with(std::byte{2});  // The stream still exists.
  device->with([stream] {
    synchronize(stream);
    destroy_stream(stream);
  });
}

TEST_F(GpuQueueTest, WaitsForWhatOthersGaveItsStream) {
  constexpr std::size_t kMany = std::size_t{1} << 22;
  Bytes target(device, MemorySpace::kDevice, kMany);
  const auto stream = static_cast<Stream>(*queue->native_stream());
  queue->wait();
  device->with([&] {
    for (int i = 0; i < 100; ++i) {
      MILLRACE_GPU::fill(target.data(), std::byte{1}, kMany, stream);
    }
  });
  queue->wait();
  EXPECT_TRUE(device->with([stream] { return is_idle(stream); }));
}

TEST_F(GpuQueueTest, RejectsAStreamOfAnotherDevice) {
  if (kBackend == std::string("hip")) GTEST_SKIP() << "HIP 5.2 gives no device of a stream";
  if (count_devices() < 2) GTEST_SKIP() << "there is one device";
  const auto other = open_gpu(1);
  const Stream stream = other->with([] { return create_stream(); });
  try {
    make_gpu_queue(*device, {.stream = stream});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  }
  other->with([stream] { destroy_stream(stream); });
}

TEST_F(GpuQueueTest, AnOperationThatFailsLeavesNothingInStreamsBesideItsOwn) {
  constexpr std::size_t kMany = std::size_t{1} << 22;
  Bytes target(device, MemorySpace::kDevice, kMany);
  Stream side{};
  queue->enqueue(
      [&] {
        side = queue->side_streams().fork(2)[1];
        for (int i = 0; i < 100; ++i) {
          MILLRACE_GPU::fill(target.data(), std::byte{1}, kMany, side);
        }
        throw Error(ErrorCode::kInternal, "before they are joined");
      },
      GpuQueue::Start::kInline);
  EXPECT_THROW(queue->wait(), Error);
  EXPECT_TRUE(device->with([side] { return is_idle(side); }));
}

TEST_F(GpuQueueTest, KeepsMemoryUntilTheStreamHasPassedIt) {
  Bytes source(device, MemorySpace::kDevice, kBytes);
  Bytes target(device, MemorySpace::kDevice, kBytes);
  auto owner = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = owner;
  StreamGate gate(*queue);
  queue->copy(target.data(), source.data(), kBytes, owner, {});
  queue->copy(target.data(), source.data(), kBytes, {}, owner);
  queue->fill(target.data(), std::byte{1}, kBytes, owner);
  owner.reset();
  EXPECT_FALSE(watched.expired());
  gate.open();
  queue->wait();
  EXPECT_TRUE(watched.expired());
}

TEST_F(GpuQueueTest, PoolsGetMemoryBackOnceTheStreamHasPassedIt) {
  const auto pool = device->pool(MemorySpace::kDevice);
  const std::uint8_t* first = nullptr;
  StreamGate gate(*queue);
  {
    Bytes target(pool, kBytes);
    first = target.data();
    fill_bytes(*queue, target.span(), std::byte{1});
  }
  EXPECT_NE(Bytes(pool, kBytes).data(), first);
  EXPECT_EQ(pool->statistics().bytes_in_use, 1024u);
  gate.open();
  queue->wait();
  EXPECT_EQ(Bytes(pool, kBytes).data(), first);
}

TEST_F(GpuQueueTest, LetsMemoryGoWithLaterOperations) {
  Bytes target(device, MemorySpace::kDevice, kBytes);
  auto owner = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = owner;
  queue->fill(target.data(), std::byte{1}, kBytes, std::move(owner));
  while (!watched.expired()) queue->fill(target.data(), std::byte{2}, 1, {});
  queue->wait();
}

TEST_F(GpuQueueTest, KeepsMemoryBehindAGateOfTheHost) {
  Bytes target(device, MemorySpace::kDevice, kBytes);
  auto owner = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = owner;
  std::atomic<bool> open = false;
  queue->call([&open] {
    while (!open) std::this_thread::yield();
  });
  queue->fill(target.data(), std::byte{1}, kBytes, std::move(owner));
  EXPECT_FALSE(watched.expired());
  open = true;
  queue->wait();
  EXPECT_TRUE(watched.expired());
}

TEST_F(GpuQueueTest, LetsMemoryGoWhenItIsDestroyed) {
  Bytes target(device, MemorySpace::kDevice, kBytes);
  auto owner = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = owner;
  queue->fill(target.data(), std::byte{1}, kBytes, std::move(owner));
  queue.reset();
  EXPECT_TRUE(watched.expired());
}

TEST_F(GpuQueueTest, CallsFollowTheStream) {
  const auto other = make_gpu_queue(*device);
  Bytes source(device, MemorySpace::kDevice, kBytes);
  Bytes target(device, MemorySpace::kPinned, kBytes);
  fill_bytes(*other, source.span(), std::byte{7});
  fill_bytes(*other, target.span(), std::byte{0});
  other->wait();
  int seen = -1;
  StreamGate gate(*queue);
  copy(*queue, target.span(), source.span());
  queue->call([&] { seen = target.data()[kBytes - 1]; });
  gate.open();
  queue->wait();
  EXPECT_EQ(seen, 7);
}

TEST_F(GpuQueueTest, OtherQueuesGoOnWhileOneIsHeldUp) {
  const auto other = make_gpu_queue(*device);
  Bytes target(device, MemorySpace::kDevice, kBytes);
  StreamGate gate(*queue);
  fill_bytes(*other, target.span(), std::byte{1});
  other->wait();
  EXPECT_FALSE(queue->record().ready());
}

TEST_F(GpuQueueTest, GivesBackWhatItWasMadeWith) {
  const auto made = make_gpu_queue(*device, {.concurrency = 3, .task_memory_bytes = 65536});
  EXPECT_EQ(made->options().concurrency, 3);
  EXPECT_EQ(made->options().task_memory_bytes, 65536u);
}

TEST_F(GpuQueueTest, KeepsWhatOneOperationLeavesForTheNext) {
  auto state = std::make_shared<int>(5);
  const std::weak_ptr<int> watched = state;
  queue->enqueue([this, &state] { queue->runner_state() = std::move(state); },
                 GpuQueue::Start::kNow);
  int found = 0;
  queue->enqueue([this, &found] { found = *static_cast<int*>(queue->runner_state().get()); },
                 GpuQueue::Start::kAtWait);
  queue->wait();
  EXPECT_EQ(found, 5);
  queue.reset();
  EXPECT_TRUE(watched.expired());
}

TEST_F(GpuQueueTest, AnOperationsErrorIsTheQueues) {
  queue->enqueue([] { throw std::runtime_error("lost"); }, GpuQueue::Start::kNow);
  bool ran = false;
  Bytes mark(device, MemorySpace::kPinned, 1);
  *mark.data() = {};
  queue->enqueue([&ran] { ran = true; }, GpuQueue::Start::kNow);
  fill_bytes(*queue, mark.span(), std::byte{1});
  EXPECT_THROW(queue->wait(), std::runtime_error);
  EXPECT_FALSE(ran);
  EXPECT_EQ(*mark.data(), 0);
  EXPECT_NO_THROW(queue->wait());
}

TEST_F(GpuQueueTest, ADestroyedQueueDropsItsErrors) {
  queue->enqueue([] { throw std::runtime_error("lost"); }, GpuQueue::Start::kNow);
  EXPECT_NO_THROW(queue.reset());
}

TEST_F(GpuQueueTest, ManyQueuesWorkAtOnce) {
  constexpr int kQueues = 32;
  std::vector<std::unique_ptr<Queue>> queues;
  std::vector<Bytes> buffers;
  for (int i = 0; i < kQueues; ++i) {
    queues.push_back(device->make_queue({}));
    buffers.emplace_back(device, MemorySpace::kDevice, kBytes);
  }
  fill_bytes(*queues[0], buffers[0].span(), std::byte{42});
  for (int i = 1; i < kQueues; ++i) {
    queues[i]->wait_for(queues[i - 1]->record());
    copy(*queues[i], buffers[i].span(), buffers[i - 1].span());
  }
  std::vector<std::uint8_t> last(kBytes);
  copy(*queues.back(), BufferSpan<std::uint8_t>(std::span(last)), buffers.back().span());
  queues.back()->wait();
  EXPECT_EQ(last, std::vector<std::uint8_t>(kBytes, 42));
}

TEST_F(GpuQueueTest, ManyThreadsCopyThroughOneQueue) {
  constexpr int kThreads = 4;
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        Bytes there(device, MemorySpace::kDevice, kBytes);
        std::vector<std::uint8_t> back(kBytes);
        fill_bytes(*queue, there.span(), std::byte(t + 1));
        copy(*queue, BufferSpan<std::uint8_t>(std::span(back)), there.span());
        queue->record().wait();
        wrong += back != std::vector<std::uint8_t>(kBytes, static_cast<std::uint8_t>(t + 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
