// SPDX-License-Identifier: Apache-2.0

// Kokkos::Cuda and Kokkos::HIP instances as queues of the vendors' backends. Skipped if Kokkos has
// neither.
#include <millrace/backends/kokkos/count_node.h>
#include <millrace/backends/kokkos/interop.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace millrace::kokkos {
namespace {

#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
TEST(StreamTest, IsForKokkosWithCudaOrHip) {
  GTEST_SKIP() << "this Kokkos has no space whose instances are streams";
}
#else

#ifdef KOKKOS_ENABLE_CUDA
using Execution = Kokkos::Cuda;
using Pinned = Kokkos::CudaHostPinnedSpace;
#else
using Execution = Kokkos::HIP;
using Pinned = Kokkos::HIPHostPinnedSpace;
#endif
using Memory = Execution::memory_space;

// Adds 1 to each element.
struct Increment {
  Kokkos::View<std::uint64_t*, Memory> numbers;
  KOKKOS_FUNCTION void operator()(int i) const { numbers(i) += 1; }
};
struct IncrementBuffer {
  BufferView<std::uint64_t, Memory> numbers;
  KOKKOS_FUNCTION void operator()(int i) const { numbers(i) += 1; }
};

class StreamTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      initialize();
      make_queue(Execution());
    } catch (const std::exception& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

TEST_F(StreamTest, AnInstanceIsAQueueUnderEveryPolicy) {
  const Execution instance;
  const auto queue = make_queue(instance);
  const auto device = queue->device().shared_from_this();
  EXPECT_FALSE(device->info().shares_host_memory);
  Buffer<std::uint64_t> nodes(device, MemorySpace::kPinned, 1);
  for (const Policy policy : kConcretePolicies) {
    nodes.data()[0] = 0;
    const TaskList<CountTasks> root(CountNode{nodes.data(), 14});
    run_tasks(*queue, root, {.policy = policy});
    EXPECT_EQ(nodes.data()[0], (1u << 15) - 1) << to_string(policy);
  }
}

// Interleaves launches and copies of one stream, with one wait at the end.
TEST_F(StreamTest, ViewsAndLaunchesOfKokkosAndQueueOperationsAreInOneOrder) {
  constexpr int kCount = 100000;
  const Execution instance;
  const auto queue = make_queue(instance);
  const auto device = queue->device().shared_from_this();
  const Kokkos::View<std::uint64_t*, Memory> numbers("numbers", kCount);
  Buffer<std::uint64_t> host(device, MemorySpace::kPinned, kCount);
  std::iota(host.data(), host.data() + kCount, std::uint64_t{5});
  copy(*queue, span_of(numbers), host.span());
  queue->wait();
  Kokkos::parallel_for(Kokkos::RangePolicy<Execution>(instance, 0, kCount), Increment{numbers});
  copy(*queue, host.span(), span_of(numbers));
  queue->wait();
  for (int i = 0; i < kCount; ++i) ASSERT_EQ(host.data()[i], static_cast<std::uint64_t>(i) + 6);
}

TEST_F(StreamTest, AQueuesStreamIsAnInstance) {
  constexpr int kCount = 1000;
  const auto device = open_device(StreamSpace<Execution>::device_name(Execution()));
  const auto queue = device->make_queue();
  const Execution instance = execution_space<Execution>(*queue);
  EXPECT_EQ(StreamSpace<Execution>::stream(instance), *queue->native_stream());
  Buffer<std::uint64_t> numbers(device, MemorySpace::kDevice, kCount);
  std::vector<std::uint64_t> host(kCount);
  fill_bytes(*queue, numbers.span(), std::byte{0});
  queue->wait();
  Kokkos::parallel_for(Kokkos::RangePolicy<Execution>(instance, 0, kCount),
                       IncrementBuffer{view_of<Memory>(*device, numbers)});
  queue->copy(host.data(), numbers.data(), kCount * sizeof(std::uint64_t));
  queue->wait();
  EXPECT_EQ(host, std::vector<std::uint64_t>(kCount, 1));
}

TEST_F(StreamTest, PinnedMemoryIsAViewOfPinnedMemoryAndNotOfTheDevices) {
  const auto device = make_queue(Execution())->device().shared_from_this();
  Buffer<std::uint64_t> pinned(device, MemorySpace::kPinned, 10);
  EXPECT_EQ(view_of<Pinned>(*device, pinned).data(), pinned.data());
  EXPECT_THROW(view_of<Memory>(*device, pinned), Error);
}

#endif

}  // namespace
}  // namespace millrace::kokkos
