// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/run/run_buffers.h>

#include <algorithm>
#include <cstring>

namespace millrace::MILLRACE_GPU {
namespace {

// Returns the requested size or, if none was requested, a fraction of the device's memory.
std::size_t task_bytes_of(const GpuQueue& queue) {
  if (queue.options().task_memory_bytes > 0) return queue.options().task_memory_bytes;
  constexpr std::size_t kMax = std::size_t{2} << 30;
  return std::min(queue.gpu_device().properties().memory_bytes / 64, kMax);
}

}  // namespace

char* GrowingMemory::at_least(std::size_t bytes) {
  if (bytes > memory_.size()) {
    // Frees the old memory first, since there may not be enough for both.
    memory_ = {};
    try {
      memory_ = Buffer<char>(device_, space_, bytes + bytes / 4);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kOutOfMemory) throw;
      memory_ = Buffer<char>(device_, space_, bytes);
    }
  }
  return memory_.data();
}

RunBuffers& RunBuffers::of(GpuQueue& queue) {
  std::shared_ptr<void>& state = queue.runner_state();
  if (!state) state = std::make_shared<RunBuffers>(queue);
  return *static_cast<RunBuffers*>(state.get());
}

RunBuffers::RunBuffers(GpuQueue& queue)
    : roots(queue.gpu_device().shared_from_this(), MemorySpace::kDevice),
      pinned_roots(queue.gpu_device().shared_from_this(), MemorySpace::kPinned),
      spread(queue.gpu_device().shared_from_this(), MemorySpace::kDevice),
      pinned_spread(queue.gpu_device().shared_from_this(), MemorySpace::kPinned),
      order(queue.gpu_device().shared_from_this(), MemorySpace::kDevice),
      scratch(queue.gpu_device().shared_from_this(), MemorySpace::kDevice),
      collected(queue.gpu_device().shared_from_this(), MemorySpace::kDevice),
      records(queue),
      joins(queue),
      levels(queue, task_bytes_of(queue) / 4),
      queue_(queue),
      shard_count_(std::max(queue.gpu_device().properties().multiprocessors, 1)),
      task_bytes_(task_bytes_of(queue)),
      shared_(queue.gpu_device().shared_from_this(), MemorySpace::kDevice,
              1 + (shard_count_ * sizeof(Shard) + sizeof(Shared) - 1) / sizeof(Shared)),
      host_(queue.gpu_device().shared_from_this(), MemorySpace::kPinned, 1),
      ring_slots_(queue.gpu_device().shared_from_this(), MemorySpace::kPinned, SpillRing::kSlots),
      ring_head_(queue.gpu_device().shared_from_this(), MemorySpace::kPinned, 1),
      ring_ends_(queue.gpu_device().shared_from_this(), MemorySpace::kDevice, 1),
      arguments_(queue.gpu_device().shared_from_this(), MemorySpace::kDevice),
      ring_(ring_slots_.data(), ring_ends_.data(), ring_head_.data()) {
  std::memset(static_cast<void*>(ring_slots_.data()), 0, ring_slots_.size_bytes());
  *ring_head_.data() = 0;
  fill(ring_ends_.data(), std::byte{0}, ring_ends_.size_bytes(), queue.stream());
}

void RunBuffers::clear() {
  host() = {};
  if (is_clear_) {
    is_clear_ = false;
    return;
  }
  fill(shared_.data(), std::byte{0}, sizeof(Shared) + shard_count_ * sizeof(Shard),
       queue_.stream());
}

const void* RunBuffers::upload_arguments(const void* arguments, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(arguments);
  if (bytes > arguments_.size()) uploaded_arguments_.clear();  // Growing loses them.
  char* const target = arguments_.at_least(bytes);
  if (std::equal(uploaded_arguments_.begin(), uploaded_arguments_.end(), begin, begin + bytes)) {
    return target;
  }
  uploaded_arguments_.clear();
  copy(target, begin, bytes, queue_.stream());
  synchronize(queue_.stream());
  uploaded_arguments_.assign(begin, begin + bytes);
  return target;
}

char* RunBuffers::task_memory() {
  if (task_memory_.size() == 0) {
    task_memory_ = {queue_.gpu_device().shared_from_this(), MemorySpace::kDevice, task_bytes_};
  }
  return task_memory_.data();
}

}  // namespace millrace::MILLRACE_GPU
