// SPDX-License-Identifier: Apache-2.0

// Launches that begin early.
#include <millrace/backends/gpu/gpu_test.h>

#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

constexpr int kBlocks = 64;

// to[block] = from[next block] + 1, a while after the next launch may have begun: longer than a
// launch takes the host, so that the next one is there.
MILLRACE_KERNEL void pass_on(const std::uint32_t* from, std::uint32_t* to) {
  if (thread_index() >= warp_width()) return;  // Warps that do nothing need not wait.
  wait_for_kernel_before();
  let_next_begin();
  pause(20'000);
  if (thread_index() == 0) to[block_index()] = from[(block_index() + 1) % grid_blocks()] + 1;
}

using EarlyLaunchTest = GpuTest;

TEST_F(EarlyLaunchTest, ReadsWhatTheKernelBeforeItWrote) {
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
                  .begins_early = i > 0},
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
