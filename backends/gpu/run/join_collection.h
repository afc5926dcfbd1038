// SPDX-License-Identifier: Apache-2.0

// Takes the joins off a device that are open when a part of a shared run has ended. Few of many
// records are: a kernel gathers them, so that the others do not travel.
#ifndef MILLRACE_BACKENDS_GPU_RUN_JOIN_COLLECTION_H_
#define MILLRACE_BACKENDS_GPU_RUN_JOIN_COLLECTION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/join_memory.h>
#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/runtime/tasks/waiting_join.h>

namespace millrace::MILLRACE_GPU {

// Copies the open ones of the first `used` records, each after the word of its place, to `rows`,
// which has space for them, and frees them. `count` is 0 at first.
template <class Set>
MILLRACE_KERNEL void collect_joins_kernel(JoinMemory joins, std::uint32_t used,
                                          std::uint32_t* count, std::uint32_t* rows) {
  constexpr std::uint32_t kWords = JoinMemory::kRecordWords<Set>;
  const auto stride = static_cast<std::uint32_t>(grid_blocks() * block_threads());
  for (std::uint64_t place = block_index() * block_threads() + thread_index(); place < used;
       place += stride) {
    std::uint32_t* const record = joins.template record<Set>(static_cast<std::uint32_t>(place));
    if (!JoinState::is_open(record[0])) continue;
    const std::uint32_t row =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(count, std::uint32_t{1});
    std::uint32_t* const target = rows + std::size_t{row} * (kWords + 1);
    target[0] = static_cast<std::uint32_t>(place);
    for (std::uint32_t i = 0; i < kWords; ++i) target[i + 1] = record[i];
    record[0] = 0;
  }
}

// Returns the open joins, in no particular order. The buffers have none afterwards.
template <class Set>
std::vector<WaitingJoin<Set>> collect_joins(GpuQueue& queue, RunBuffers& buffers) {
  constexpr std::size_t kRow = JoinMemory::kRecordWords<Set> + 1;
  constexpr int kThreads = 128;
  constexpr std::size_t kMostBlocks = 1024;
  JoinBuffers& all = buffers.joins;
  const auto open = static_cast<std::size_t>(all.open_count());
  const std::size_t words = 1 + open * kRow;
  auto* const device =
      reinterpret_cast<std::uint32_t*>(buffers.collected.at_least(words * sizeof(std::uint32_t)));
  fill(device, std::byte{0}, sizeof(std::uint32_t), queue.stream());
  const std::size_t blocks = (all.used() + kThreads - 1) / kThreads;
  launch(
      collect_joins_kernel<Set>,
      gpu::LaunchShape{.blocks = static_cast<int>(std::clamp<std::size_t>(blocks, 1, kMostBlocks)),
                       .threads = kThreads},
      queue.stream(), all.memory(), static_cast<std::uint32_t>(all.used()), device, device + 1);
  std::vector<std::uint32_t> host(words);
  copy(host.data(), device, words * sizeof(std::uint32_t), queue.stream());
  synchronize(queue.stream());
  std::vector<WaitingJoin<Set>> joins(open);
  for (std::size_t i = 0; i < open; ++i) {
    const std::uint32_t* const row = host.data() + 1 + i * kRow;
    const std::uint32_t* const record = row + 1;
    joins[i].index = all.home().index_of(row[0]);
    joins[i].missing = JoinState::missing(record[0]);
    joins[i].tag = static_cast<TaskTag>(record[JoinMemory::kTag]);
    std::memcpy(static_cast<void*>(&joins[i].continuation), record + JoinMemory::kContinuation,
                sizeof(joins[i].continuation));
  }
  all.end();
  return joins;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_JOIN_COLLECTION_H_
