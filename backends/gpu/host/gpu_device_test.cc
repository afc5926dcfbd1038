// SPDX-License-Identifier: Apache-2.0

// Tests of out-of-memory errors, lost devices, and the lifetimes of devices, queues and memory.
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/gpu/host/streams/handle_cache.h>

#include <optional>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

class GpuDeviceTest : public GpuTest {
 protected:
  // Returns the error that `use` throws; fails the test if it throws none.
  template <class Use>
  static Error error_of(const Use& use) {
    try {
      use();
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "no error was thrown";
    return Error(ErrorCode::kInternal, "");
  }

  void lose(const std::string& reason) {
    queue->enqueue([&reason] { throw Error(ErrorCode::kDeviceLost, reason); },
                   GpuQueue::Start::kInline);
    EXPECT_EQ(error_of([this] { queue->wait(); }).code(), ErrorCode::kDeviceLost);
  }
};

TEST_F(GpuDeviceTest, SaysWhatItIs) {
  const DeviceInfo& info = device->info();
  EXPECT_EQ(info.backend, kBackend);
  EXPECT_EQ(info.name, std::string(kBackend) + ":0");
  EXPECT_FALSE(info.description.empty());
  EXPECT_GT(info.compute_units, 0);
  EXPECT_EQ(info.warp_width, device->properties().warp_width);
  EXPECT_EQ(info.memory_bytes, device->properties().memory_bytes);
  EXPECT_FALSE(info.shares_host_memory);
  EXPECT_EQ(info.is_simulated, device->properties().is_simulated);
}

TEST_F(GpuDeviceTest, AnUnknownNumberIsRejectedWithTheDevicesThereAre) {
  const Error error = error_of([] { open_gpu(99); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_NE(std::string(error.what()).find(device->info().name), std::string::npos);
}

TEST_F(GpuDeviceTest, MemoryRunsOutWithWhatWasRequestedAndWhatIsFree) {
  const std::size_t too_much = device->info().memory_bytes + 1;
  const Error error = error_of([&] { device->allocate(MemorySpace::kDevice, too_much); });
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  const std::string text = error.what();
  EXPECT_NE(text.find(std::to_string(too_much) + " bytes of device memory"), text.npos) << text;
  EXPECT_NE(text.find("of " + std::to_string(device->info().memory_bytes) + " bytes are free"),
            text.npos)
      << text;
}

TEST_F(GpuDeviceTest, GoesOnWhenItsMemoryHasRunOut) {
  std::vector<Buffer<char>> all;
  std::size_t piece = device->info().memory_bytes;
  while (piece > device->info().memory_bytes / 64) {
    try {
      all.emplace_back(device, MemorySpace::kDevice, piece);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kOutOfMemory);
      piece /= 2;
    }
  }
  ASSERT_FALSE(all.empty());
  all.clear();
  Buffer<char> small(device, MemorySpace::kDevice, 100);
  fill_bytes(*queue, small.span(), std::byte{1});
  EXPECT_NO_THROW(queue->wait());
}

TEST_F(GpuDeviceTest, ALostDeviceSaysSoWithTheFirstReason) {
  lose("it fell out");
  lose("the fan stopped");
  for (const Error& error : {error_of([this] { device->make_queue({}); }),
                             error_of([this] { device->allocate(MemorySpace::kDevice, 1); }),
                             error_of([this] { device->allocate(MemorySpace::kHost, 1); })}) {
    EXPECT_EQ(error.code(), ErrorCode::kDeviceLost);
    EXPECT_NE(std::string(error.what()).find("is lost: it fell out"), std::string::npos);
  }
}

TEST_F(GpuDeviceTest, MemoryAndQueuesOfALostDeviceMayGo) {
  Buffer<char> pinned(device, MemorySpace::kPinned, 100);
  Buffer<char> on_device(device, MemorySpace::kDevice, 100);
  fill_bytes(*queue, on_device.span(), std::byte{1});
  lose("it fell out");
  const Event event = queue->record();
  event.wait();
  EXPECT_TRUE(event.ready());
}

TEST_F(GpuDeviceTest, AnotherDeviceGoesOnWhenOneIsLost) {
  if (count_devices() < 2) GTEST_SKIP() << "there is one device";
  lose("it fell out");
  const auto other = open_gpu(1);
  Buffer<char> buffer(other, MemorySpace::kDevice, 100);
  const auto other_queue = make_gpu_queue(*other);
  fill_bytes(*other_queue, buffer.span(), std::byte{1});
  EXPECT_NO_THROW(other_queue->wait());
}

TEST_F(GpuDeviceTest, AFunctionsOwnErrorDoesNotMakeItLost) {
  queue->call([] { throw Error(ErrorCode::kDeviceLost, "another one"); });
  EXPECT_EQ(error_of([this] { queue->wait(); }).code(), ErrorCode::kDeviceLost);
  EXPECT_NO_THROW(device->make_queue({}));
}

TEST_F(GpuDeviceTest, IsClosedWithTheLastOfWhatWasMadeFromIt) {
  const std::weak_ptr<Device> watched = device;
  Buffer<char> buffer(device, MemorySpace::kDevice, 100);
  Event event = queue->record();
  queue->wait();
  device.reset();
  EXPECT_FALSE(watched.expired());
  queue.reset();
  EXPECT_FALSE(watched.expired());
  buffer = {};
  EXPECT_FALSE(watched.expired());
  event = {};
  EXPECT_TRUE(watched.expired());
}

TEST_F(GpuDeviceTest, ABufferMayGoLast) {
  Buffer<char> buffer(device, MemorySpace::kDevice, 100);
  fill_bytes(*queue, buffer.span(), std::byte{1});
  queue.reset();
  device.reset();
}

TEST_F(GpuDeviceTest, AnEventMayGoLast) {
  const Event event = queue->record();
  event.when_ready([] {});
  queue.reset();
  device.reset();
}

TEST(HandleCache, HasTheHandlesKeptLastUpToItsCapacity) {
  HandleCache<int> cache(2);
  EXPECT_EQ(cache.take(), std::nullopt);
  EXPECT_TRUE(cache.keep(1));
  EXPECT_TRUE(cache.keep(2));
  EXPECT_FALSE(cache.keep(3));
  EXPECT_EQ(cache.take(), 2);
  EXPECT_EQ(cache.take(), 1);
  EXPECT_EQ(cache.take(), std::nullopt);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
