// SPDX-License-Identifier: Apache-2.0

// Tests of the faults of real GPUs. No simulated one fails like this.
#include <millrace/backends/gpu/gpu_test.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace millrace::MILLRACE_GPU {
namespace {

MILLRACE_KERNEL void write_word(std::uint32_t* address) { *address = 1; }

class GpuFaultsTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (device->properties().is_simulated) GTEST_SKIP() << "a simulated device has no faults";
  }

  void write_to(std::uint32_t* address) {
    queue->enqueue(
        [this, address] {
          const gpu::LaunchShape one_warp = {.blocks = 1,
                                             .threads = device->properties().warp_width};
          launch(write_word, one_warp, queue->stream(), address);
        },
        GpuQueue::Start::kInline);
  }

  // Returns true if `use` throws an error with that code and those words. Otherwise prints the
  // reason to stderr, since a child process has no other results than that and its status.
  template <class Use>
  static bool fails_with(ErrorCode code, const std::string& words, const Use& use) {
    try {
      use();
      std::fputs("no error was thrown\n", stderr);
    } catch (const Error& error) {
      if (error.code() == code && std::string(error.what()).find(words) != std::string::npos) {
        return true;
      }
      std::fprintf(stderr, "another error: %s\n", error.what());
    }
    return false;
  }
};

// After a fault the process can no longer use the device, so each of these tests has its own
// process.
class GpuFaultsDeathTest : public GpuFaultsTest {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // A fork alone cannot use the parent's GPU.
#ifdef __HIP_PLATFORM_AMD__
    GTEST_SKIP() << "AMD's runtime ends the process at a fault of memory";
#endif
    GpuFaultsTest::SetUp();
  }

  bool loses_device() {
    write_to(reinterpret_cast<std::uint32_t*>(64));
    return fails_with(ErrorCode::kDeviceLost, "illegal memory access", [this] { queue->wait(); });
  }
};

TEST_F(GpuFaultsDeathTest, AnIllegalAddressComesOutOfWaitAndTheDeviceIsLost) {
  const auto check = [this] {
    return loses_device() &&
           fails_with(ErrorCode::kDeviceLost,
                      device->info().name + " is lost: ", [this] { device->make_queue({}); }) &&
           fails_with(ErrorCode::kDeviceLost, "illegal memory access",
                      [this] { device->allocate(MemorySpace::kDevice, 1); });
  };
  EXPECT_EXIT(std::_Exit(check() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST_F(GpuFaultsDeathTest, WhatALostDeviceHadMayGoAndNobodyWaitsForIt) {
  const auto check = [this] {
    const Buffer<char> pinned(device, MemorySpace::kPinned, 100);
    const Buffer<char> on_device(device, MemorySpace::kDevice, 100);
    const bool is_lost = loses_device();
    const Event event = queue->record();
    event.wait();
    queue.reset();
    return is_lost && event.ready();
  };
  EXPECT_EXIT(std::_Exit(check() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST_F(GpuFaultsDeathTest, TheCpuGoesOn) {
  const auto check = [this] {
    const bool is_lost = loses_device();
    const auto cpu = open_device("tbb");
    const auto cpu_queue = cpu->make_queue({});
    Buffer<char> buffer(cpu, MemorySpace::kHost, 100);
    fill_bytes(*cpu_queue, buffer.span(), std::byte{7});
    cpu_queue->wait();
    return is_lost && buffer.data()[99] == 7;
  };
  EXPECT_EXIT(std::_Exit(check() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST_F(GpuFaultsTest, MemoryThatIsNotFreeIsRejectedWithWhatIsAndTheDeviceGoesOn) {
  const std::size_t all = device->info().memory_bytes;
  for (const std::size_t bytes : {all, 10 * all}) {
    EXPECT_TRUE(fails_with(ErrorCode::kOutOfMemory, std::to_string(bytes) + " bytes of device",
                           [&] { device->allocate(MemorySpace::kDevice, bytes); }));
    EXPECT_TRUE(fails_with(ErrorCode::kOutOfMemory,
                           " of " + std::to_string(all) + " bytes are free",
                           [&] { device->allocate(MemorySpace::kDevice, bytes); }));
  }
  Buffer<std::uint32_t> word(device, MemorySpace::kDevice, 1);
  write_to(word.data());
  EXPECT_NO_THROW(queue->wait());
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
