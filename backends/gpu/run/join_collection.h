// SPDX-License-Identifier: Apache-2.0

// Takes the joins off a device that are open when a segment of a shared run has ended, and puts the
// joins of a stopped run or segment on a device. They are a small fraction of the records: kernels
// gather and scatter them, so that the others do not travel.
#ifndef MILLRACE_BACKENDS_GPU_RUN_JOIN_COLLECTION_H_
#define MILLRACE_BACKENDS_GPU_RUN_JOIN_COLLECTION_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/join_memory.h>
#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/internal/waiting_join.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace millrace::MILLRACE_GPU {

// Copies the open ones of the first `used` records, each after the word of its index, to `rows`,
// which has space for them, and frees them. `count` is 0 at first.
template <class Set>
MILLRACE_KERNEL void collect_joins_kernel(JoinMemory joins, std::uint32_t used,
                                          std::uint32_t* count, std::uint32_t* rows) {
  constexpr std::uint32_t kWords = JoinMemory::kRecordWords<Set>;
  const auto stride = static_cast<std::uint32_t>(grid_blocks() * block_threads());
  for (std::uint64_t i = block_index() * block_threads() + thread_index(); i < used; i += stride) {
    const auto record_index = static_cast<std::uint32_t>(i);
    std::uint32_t* const record = joins.template record<Set>(record_index);
    if (!JoinState::is_open(record[0])) continue;
    const std::uint32_t row =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(count, std::uint32_t{1});
    std::uint32_t* const target = rows + std::size_t{row} * (kWords + 1);
    target[0] = record_index;
    for (std::uint32_t word = 0; word < kWords; ++word) target[word + 1] = record[word];
    record[0] = 0;
  }
}

// Copies `count` rows, each a record after the word of its index, to the records.
template <class Set>
MILLRACE_KERNEL void restore_joins_kernel(JoinMemory joins, std::uint32_t count,
                                          const std::uint32_t* rows) {
  constexpr std::uint32_t kWords = JoinMemory::kRecordWords<Set>;
  const auto stride = static_cast<std::uint32_t>(grid_blocks() * block_threads());
  for (std::uint64_t i = block_index() * block_threads() + thread_index(); i < count; i += stride) {
    const std::uint32_t* const row = rows + i * (kWords + 1);
    std::uint32_t* const record = joins.template record<Set>(row[0]);
    for (std::uint32_t word = 0; word < kWords; ++word) record[word] = row[word + 1];
  }
}

// Returns a launch for so many joins or records.
inline gpu::LaunchShape join_launch(std::size_t count) {
  constexpr int kThreads = 128;
  constexpr std::size_t kMostBlocks = 1024;
  const std::size_t blocks = (count + kThreads - 1) / kThreads;
  return {.blocks = static_cast<int>(std::clamp<std::size_t>(blocks, 1, kMostBlocks)),
          .threads = kThreads};
}

// Writes these joins to the buffers, which have begun a run with them. Throws kOutOfMemory.
template <class Set>
void restore_joins(GpuQueue& queue, RunBuffers& buffers,
                   const std::vector<WaitingJoin<Set>>& joins) {
  constexpr std::size_t kRow = JoinMemory::kRecordWords<Set> + 1;
  if (joins.empty()) return;
  JoinBuffers& all = buffers.joins;
  std::vector<std::uint32_t> rows(joins.size() * kRow);
  for (std::size_t i = 0; i < joins.size(); ++i) {
    std::uint32_t* const row = rows.data() + i * kRow;
    std::uint32_t* const record = row + 1;
    row[0] = all.home().record_index_of(joins[i].index);
    record[0] = JoinState::open(joins[i].missing);
    record[JoinMemory::kTag] = joins[i].tag;
    std::memcpy(record + JoinMemory::kContinuation, &joins[i].continuation,
                sizeof(joins[i].continuation));
  }
  const std::size_t bytes = rows.size() * sizeof(std::uint32_t);
  auto* const device = reinterpret_cast<std::uint32_t*>(buffers.collected.at_least(bytes));
  copy(device, rows.data(), bytes, queue.stream());
  launch(restore_joins_kernel<Set>, join_launch(joins.size()), queue.stream(), all.memory(),
         static_cast<std::uint32_t>(joins.size()), device);
  synchronize(queue.stream());
}

// Gathers the open joins by a kernel. Throws kOutOfMemory; the records are unchanged then.
template <class Set>
std::vector<WaitingJoin<Set>> gather_joins(GpuQueue& queue, RunBuffers& buffers) {
  constexpr std::size_t kRow = JoinMemory::kRecordWords<Set> + 1;
  JoinBuffers& all = buffers.joins;
  const auto open = static_cast<std::size_t>(all.open_count());
  const std::size_t words = 1 + open * kRow;
  auto* const device =
      reinterpret_cast<std::uint32_t*>(buffers.collected.at_least(words * sizeof(std::uint32_t)));
  fill(device, std::byte{0}, sizeof(std::uint32_t), queue.stream());
  launch(collect_joins_kernel<Set>, join_launch(all.used()), queue.stream(), all.memory(),
         static_cast<std::uint32_t>(all.used()), device, device + 1);
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

// Returns the open joins, in no particular order. The run that the buffers have ends by it. Without
// memory to gather them on the device, all records that the run has used come to the host.
template <class Set>
std::vector<WaitingJoin<Set>> collect_joins(GpuQueue& queue, RunBuffers& buffers) {
  try {
    return gather_joins<Set>(queue, buffers);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kOutOfMemory) throw;
    return buffers.joins.open_joins<Set>();
  }
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_JOIN_COLLECTION_H_
