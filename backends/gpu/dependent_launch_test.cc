// SPDX-License-Identifier: Apache-2.0

// Tests of programmatic dependent launch.
#include <millrace/backends/gpu/gpu_test.h>

#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

constexpr int kBlocks = 64;

// Sets to[block] = from[next block] + 1, some time after the next launch may have begun. The pause
// is longer than the host takes for a launch, so that the next launch is waiting.
MILLRACE_KERNEL void pass_on(const std::uint32_t* from, std::uint32_t* to) {
  if (thread_index() >= warp_width()) return;  // Warps without work need not wait.
  wait_for_previous_kernel();
  launch_dependents();
  pause(20'000);
  if (thread_index() == 0) to[block_index()] = from[(block_index() + 1) % grid_blocks()] + 1;
}

using DependentLaunchTest = GpuTest;

TEST_F(DependentLaunchTest, ReadsWhatTheKernelBeforeItWrote) {
  constexpr std::uint32_t kLaunches = 200;
  Buffer<std::uint32_t> values(device, MemorySpace::kDevice, 2 * kBlocks);
  fill_bytes(*queue, values.span(), std::byte{0});
  queue->enqueue(
      [&] {
        std::uint32_t* from = values.data();
        std::uint32_t* to = from + kBlocks;
        for (std::uint32_t i = 0; i < kLaunches; ++i, std::swap(from, to)) {
          launch(pass_on,
                 {.blocks = kBlocks,
                  .threads = 2 * device->properties().warp_width,
                  .is_dependent_launch = i > 0},
                 queue->stream(), from, to);
        }
      },
      GpuQueue::Start::kInline);
  std::vector<std::uint32_t> passed(kBlocks);
  copy(*queue, BufferSpan<std::uint32_t>(std::span<std::uint32_t>(passed)),
       values.span(0, kBlocks));
  queue->wait();
  EXPECT_EQ(passed, std::vector<std::uint32_t>(kBlocks, kLaunches));
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
