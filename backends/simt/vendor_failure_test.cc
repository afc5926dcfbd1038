// SPDX-License-Identifier: Apache-2.0

// Tests of calls that a vendor's library rejects.
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/gpu/host/owners_in_flight.h>
#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/backends/simt/host/simulated_memory.h>
#include <millrace/backends/simt/launch/settings.h>

#include <atomic>

namespace millrace::MILLRACE_GPU {
namespace {

class VendorFailureTest : public GpuTest {
 protected:
  ~VendorFailureTest() override {
    simt::let_events_fail(false);
    simt::set_on_wait({});
    simt::set_features({});
  }
};

TEST_F(VendorFailureTest, WithoutAnEventMemoryIsKeptUntilTheStreamHasPassedIt) {
  std::atomic<bool> is_open = false;
  bool went_early = false;
  MemoryOwner owner(new int(1), [&](const int* memory) {
    went_early = !is_open;
    delete memory;
  });
  OwnersInFlight owners(device);
  StreamGate gate(*queue);
  simt::let_events_fail(true);
  simt::set_on_wait([&] {
    is_open = true;
    gate.open();
  });
  EXPECT_THROW(owners.keep(std::move(owner), {}, queue->stream()), Error);
  simt::let_events_fail(false);
  owners.release();
  EXPECT_TRUE(is_open);
  EXPECT_FALSE(went_early);
}

// Growing memory requests more than it needs, if that is available.
TEST_F(VendorFailureTest, MemoryThatFitsExactlyIsTaken) {
  constexpr std::size_t kFree = 100'000;
  const std::size_t used = simt::SimulatedMemory::get().used(0);
  const Buffer<char> rest(device, MemorySpace::kDevice, device->info().memory_bytes - used - kFree);
  GrowingMemory memory(device, MemorySpace::kDevice);
  EXPECT_NE(memory.at_least(kFree), nullptr);
  EXPECT_EQ(memory.size(), kFree);
  EXPECT_THROW(memory.at_least(kFree + 1), Error);
}

TEST_F(VendorFailureTest, ACooperativeLaunchWithoutSupportIsRejected) {
  EXPECT_TRUE(device->properties().has_cooperative_launch);
  simt::set_features({.has_cooperative_launch = false});
  queue.reset();
  device.reset();
  device = open_gpu(0);
  queue = make_gpu_queue(*device);
  EXPECT_FALSE(device->properties().has_cooperative_launch);
  EXPECT_TRUE(device->properties().has_textures);
  const std::uint32_t is_open = 1;
  const auto launch_it = [&](bool cooperative) {
    queue->enqueue(
        [&] {
          launch(wait_for_host,
                 {.blocks = 1, .threads = 32, .shared_bytes = 0, .cooperative = cooperative},
                 queue->stream(), &is_open);
        },
        GpuQueue::Start::kInline);
    queue->wait();
  };
  EXPECT_NO_THROW(launch_it(false));
  EXPECT_THROW(launch_it(true), Error);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
