// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/launch/block_run.h>
#include <millrace/backends/simt/launch/fiber_pool.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace millrace::simt {
namespace {

constexpr std::size_t kSharedAlignment = 256;

// Filling more takes long, because of the page faults.
constexpr std::size_t kPatternBytes = std::size_t{4} << 20;

char* allocate_shared(std::size_t bytes) {
  void* memory = allocate_used_memory(bytes, kSharedAlignment);
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<char*>(memory);
}

}  // namespace

void* allocate_used_memory(std::size_t bytes, std::size_t alignment) {
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
  std::memset(memory, 0xA5, std::min(bytes, kPatternBytes));
  return memory;
}

BlockRun::BlockRun(KernelRun& run, int index, const gpu::LaunchShape& shape, int warp_width)
    : index(index),
      alive(shape.threads),
      shared_bytes(shape.shared_bytes),
      shared(allocate_shared(shape.shared_bytes), &std::free),
      threads(static_cast<std::size_t>(shape.threads)),
      warps(static_cast<std::size_t>(shape.threads / warp_width)),
      fibers(FiberPool::get().take(threads.size())) {
  for (int i = 0; i < shape.threads; ++i) {
    GpuThread& thread = threads[static_cast<std::size_t>(i)];
    thread.run = &run;
    thread.block = this;
    thread.warp = &warps[static_cast<std::size_t>(i / warp_width)];
    thread.fiber = fibers[static_cast<std::size_t>(i)].get();
    thread.index = i;
    thread.lane = i % warp_width;
    if (thread.lane == 0) {
      thread.warp->lanes = &thread;
      thread.warp->alive = warp_width;
    }
  }
}

BlockRun::~BlockRun() { FiberPool::get().give_back(std::move(fibers)); }

}  // namespace millrace::simt
