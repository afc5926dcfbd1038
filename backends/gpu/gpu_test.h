// SPDX-License-Identifier: Apache-2.0

// Fixtures for tests of the parts of GPU backends: a device, a queue, and work that waits for the
// test.
#ifndef MILLRACE_BACKENDS_GPU_GPU_TEST_H_
#define MILLRACE_BACKENDS_GPU_GPU_TEST_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_device.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#ifdef __HIP__
// clang 15 crashes on GoogleTest's map of these types unless the trait has been instantiated
// before.
static_assert(
    !std::is_copy_assignable_v<std::pair<const std::string, testing::internal::CodeLocation>>);
#endif

namespace millrace::MILLRACE_GPU {

inline std::shared_ptr<GpuDevice> open_gpu(int index) {
  return std::static_pointer_cast<GpuDevice>(
      open_device(std::string(kBackend) + ":" + std::to_string(index)));
}

inline std::unique_ptr<GpuQueue> make_gpu_queue(Device& device, const QueueOptions& options = {}) {
  return std::unique_ptr<GpuQueue>(static_cast<GpuQueue*>(device.make_queue(options).release()));
}

// Skips the test if the machine has no such device.
class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (count_devices() == 0) GTEST_SKIP() << why_no_device();
    device = open_gpu(0);
    queue = make_gpu_queue(*device);
  }

  std::shared_ptr<GpuDevice> device;
  std::unique_ptr<GpuQueue> queue;
};

static MILLRACE_KERNEL void wait_for_host(const std::uint32_t* is_open) {
  while (atomic_load<gpu::Scope::kSystem, gpu::Order::kAcquire>(is_open) == 0) pause(1000);
}

// Blocks a stream until open() or the destructor is called.
class StreamGate {
 public:
  explicit StreamGate(GpuQueue& queue)
      : is_open_(queue.device().shared_from_this(), MemorySpace::kPinned, 1) {
    *is_open_.data() = 0;
    const std::uint32_t* const is_open = is_open_.data();
    queue.enqueue(
        [&queue, is_open] {
          const gpu::LaunchShape one_warp = {.blocks = 1,
                                             .threads = queue.gpu_device().properties().warp_width};
          launch(wait_for_host, one_warp, queue.stream(), is_open);
        },
        GpuQueue::Start::kInline);
    event_ = queue.record();
  }
  ~StreamGate() {
    open();
    event_.wait();
  }

  void open() { std::atomic_ref(*is_open_.data()).store(1, std::memory_order_release); }

 private:
  Buffer<std::uint32_t> is_open_;
  Event event_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_GPU_TEST_H_
