// SPDX-License-Identifier: Apache-2.0

// Tests that what a depot hands on is one thread's at a time, and that its next owner observes what
// the last one wrote. On simulated GPUs ThreadSanitizer reports a missing order.
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/join_depot.h>
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

struct Continuation {
  std::uint32_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};
using Set = TaskSet<Continuation>;
using Depot = JoinDepot<Set>;

constexpr std::uint32_t kItems = 3;    // Fewer than threads, which therefore compete for them.
constexpr std::uint32_t kRounds = 20;  // Times that each thread has an item.

// An item of a depot is a full magazine, or a single record of a join. Each has a word that its
// owner writes.
struct Magazines {
  MILLRACE_FUNCTION static void give(const Depot& depot, std::uint32_t item) {
    depot.give_full(item);
  }
  MILLRACE_FUNCTION static std::uint32_t take(const Depot& depot) { return depot.take_full(); }
  MILLRACE_FUNCTION static std::uint32_t& word(const JoinMemory& memory, std::uint32_t item) {
    return memory.magazines[item];
  }
};
struct DepotRecords {
  MILLRACE_FUNCTION static void give(const Depot& depot, std::uint32_t item) {
    depot.give_record(item);
  }
  MILLRACE_FUNCTION static std::uint32_t take(const Depot& depot) { return depot.take_record(); }
  MILLRACE_FUNCTION static std::uint32_t& word(const JoinMemory& memory, std::uint32_t item) {
    return memory.record<Set>(item)[JoinMemory::kContinuation];
  }
};

// Launched with one warp.
template <class Items>
MILLRACE_KERNEL void give_all(JoinMemory memory, RunControl* control) {
  if (thread_index() != 0) return;
  const Depot depot(memory, *control);
  for (std::uint32_t item = 0; item < kItems; ++item) Items::give(depot, item);
}

// Each thread has an item for kRounds times, and counts that in the item's word.
template <class Items>
MILLRACE_KERNEL void count_in_items(JoinMemory memory, RunControl* control) {
  const Depot depot(memory, *control);
  for (std::uint32_t round = 0; round < kRounds;) {
    const std::uint32_t item = Items::take(depot);
    if (item == Depot::kNone) {
      pause(100);
    } else {
      ++Items::word(memory, item);
      Items::give(depot, item);
      ++round;
    }
  }
}

class JoinDepotTest : public GpuTest {
 protected:
  // Returns the sum of the items' words.
  template <class Items>
  std::uint32_t count() {
    constexpr std::size_t kRecords = std::size_t{kItems} * JoinMemory::kRecordWords<Set>;
    Buffer<RunControl> control(device, MemorySpace::kDevice, 1);
    Buffer<std::uint32_t> words(device, MemorySpace::kDevice, kRecords + 2 * kItems);
    fill_bytes(*queue, control.span(), std::byte{0});
    fill_bytes(*queue, words.span(), std::byte{0});
    queue->wait();
    JoinMemory memory;
    memory.words = words.data();
    memory.magazines = memory.words + kRecords;
    memory.links = memory.magazines + kItems;
    memory.magazine_count = kItems;
    const int warp = queue->gpu_device().properties().warp_width;
    launch(give_all<Items>, {.blocks = 1, .threads = warp}, queue->stream(), memory,
           control.data());
    launch(count_in_items<Items>, {.blocks = kBlocks, .threads = kThreads}, queue->stream(), memory,
           control.data());
    std::vector<std::uint32_t> found(words.size());
    copy(*queue, BufferSpan<std::uint32_t>(std::span<std::uint32_t>(found)), words.span());
    queue->wait();
    memory.words = found.data();
    memory.magazines = memory.words + kRecords;
    std::uint32_t sum = 0;
    for (std::uint32_t item = 0; item < kItems; ++item) sum += Items::word(memory, item);
    return sum;
  }

  static constexpr int kBlocks = 2;
  static constexpr int kThreads = 64;
  static constexpr std::uint32_t kOwners = kBlocks * kThreads * kRounds;
};

TEST_F(JoinDepotTest, AFullMagazineHasOneOwnerAtATime) { EXPECT_EQ(count<Magazines>(), kOwners); }

TEST_F(JoinDepotTest, ARecordHasOneOwnerAtATime) { EXPECT_EQ(count<DepotRecords>(), kOwners); }

}  // namespace
}  // namespace millrace::MILLRACE_GPU
