// SPDX-License-Identifier: Apache-2.0

// Tests of the distribution of units to the workers of a grid.
#include <millrace/backends/gpu/device/unit_source.h>
#include <millrace/backends/gpu/device/worker.h>
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

template <TaskWidth width, bool is_spawning>
struct Nothing {
  static constexpr TaskWidth kWidth = width;
  static constexpr bool kSpawns = is_spawning;
  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};
using FlatSet = TaskSet<Nothing<TaskWidth::kLane, false>>;
using SpawningSet = TaskSet<Nothing<TaskWidth::kLane, true>>;
using WarpSet = TaskSet<Nothing<TaskWidth::kWarp, true>>;
using BlockSet = TaskSet<Nothing<TaskWidth::kBlock, false>>;  // Workers are blocks.

// Counts in times[u] how often unit u is handed out, and in times[units] the numbers that are out
// of range. Blocks from `blocks` on take no units.
template <class Set>
MILLRACE_KERNEL void hand_out(std::uint32_t* times, std::uint64_t* ticket, std::uint32_t units,
                              bool starts_full, int blocks) {
  auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
  if (thread_index() == 0) start_units<Set>(block, units, starts_full);
  sync_block();
  if (block_index() >= blocks || !Worker<Set>::is_leader()) return;
  const auto count = [times, units](const UnitRange& range) {
    for (std::uint32_t unit = range.begin; unit < range.end; ++unit) {
      reduce_add(&times[unit < units ? unit : units], 1u);
    }
  };
  const UnitSource source(ticket, block);
  const OwnedUnits own = source.owned(Worker<Set>::index() * grid_blocks() + block_index(),
                                      Worker<Set>::workers() * grid_blocks());
  std::uint32_t pieces = 0;
  for (UnitRange range = own.at(0); !range.empty(); range = own.at(++pieces)) count(range);
  if (!source.has_more()) return;
  for (UnitRange range = source.take(); !range.empty(); range = source.take()) count(range);
}

// One worker takes a unit, as if that took long. Workers of other blocks take the rest.
MILLRACE_KERNEL void hand_out_besides(std::uint32_t* times, std::uint64_t* ticket,
                                      std::uint32_t units) {
  auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
  if (thread_index() == 0) start_units<WarpSet>(block, units, /*starts_full=*/false);
  sync_block();
  if (!Worker<WarpSet>::is_leader()) return;
  const UnitSource source(ticket, block);
  if (block_index() == 0) {
    if (Worker<WarpSet>::index() > 0) return;
    const UnitRange range = source.take();
    if (!range.empty()) reduce_add(&times[range.begin], 1u);
    return;
  }
  for (UnitRange range = source.take(); !range.empty(); range = source.take()) {
    reduce_add(&times[range.begin], 1u);
  }
}

class UnitSourceTest : public GpuTest {
 protected:
  // `warps` is the number of warps per block.
  struct Shape {
    int blocks;
    int warps;
  };
  static constexpr Shape kShapes[] = {{1, 1}, {1, 4}, {3, 1}, {4, 3}, {7, 2}};

  template <class Set>
  static std::uint32_t workers(const Shape& shape) {
    return static_cast<std::uint32_t>(shape.blocks * (kBlockWorkers<Set> ? 1 : shape.warps));
  }

  template <class Set>
  std::vector<std::uint32_t> times_handed_out(const Shape& shape, std::uint32_t units,
                                              bool starts_full, int blocks) {
    return times_of(shape, units, [=](const auto&... arguments) {
      launch(hand_out<Set>, arguments..., units, starts_full, blocks);
    });
  }

  // Returns the counts of a kernel that `launch_kernel` launches with a grid, a stream, the counts
  // and the ticket.
  template <class Launch>
  std::vector<std::uint32_t> times_of(const Shape& shape, std::uint32_t units,
                                      const Launch& launch_kernel) {
    Buffer<std::uint32_t> times(device, MemorySpace::kDevice, units + std::size_t{1});
    Buffer<std::uint64_t> ticket(device, MemorySpace::kDevice, 1);
    fill_bytes(*queue, times.span(), std::byte{0});
    fill_bytes(*queue, ticket.span(), std::byte{0});
    queue->wait();
    const gpu::LaunchShape grid = {
        .blocks = shape.blocks,
        .threads = shape.warps * queue->gpu_device().properties().warp_width,
        .shared_bytes = sizeof(BlockShared)};
    launch_kernel(grid, queue->stream(), times.data(), ticket.data());
    std::vector<std::uint32_t> host(times.size());
    copy(*queue, BufferSpan<std::uint32_t>(std::span<std::uint32_t>(host)), times.span());
    queue->wait();
    return host;
  }

  template <class Set>
  void expect_each_once(const Shape& shape, std::uint32_t units, bool starts_full, int blocks) {
    SCOPED_TRACE(std::to_string(units) + " units, " + std::to_string(shape.blocks) + " blocks of " +
                 std::to_string(shape.warps) +
                 " warps, starts_full = " + std::to_string(static_cast<int>(starts_full)));
    std::vector<std::uint32_t> once(units, 1);
    once.push_back(0);
    EXPECT_EQ(times_handed_out<Set>(shape, units, starts_full, blocks), once);
  }

  // Numbers of units at which the method of distribution changes, and some random ones.
  template <class Set>
  static std::vector<std::uint32_t> interesting_units(const Shape& shape) {
    const std::uint32_t all = workers<Set>(shape);
    std::vector<std::uint32_t> units = {0, 1, 2, 3};
    for (const std::uint32_t each : {1, 2, 3, 16, 64, 128, 1024}) {
      for (const std::uint32_t more : {0, 1}) units.push_back(each * all + more);
    }
    units.push_back(2 * all - 1);
    units.push_back(3000 * all + 17);
    std::mt19937 random(all);
    for (const std::uint32_t most : {200, 20'000}) units.push_back(random() % (most * all));
    return units;
  }

  template <class Set>
  void expect_each_once_in_all_shapes(bool starts_full) {
    for (const Shape& shape : kShapes) {
      for (const std::uint32_t units : interesting_units<Set>(shape)) {
        expect_each_once<Set>(shape, units, starts_full, shape.blocks);
      }
    }
  }
};

TEST_F(UnitSourceTest, OwnedUnitsOfFlatQueuesAreHandedOutOnce) {
  expect_each_once_in_all_shapes<FlatSet>(/*starts_full=*/true);
}

TEST_F(UnitSourceTest, OwnedUnitsOfWavesAreHandedOutOnce) {
  expect_each_once_in_all_shapes<SpawningSet>(/*starts_full=*/true);
}

TEST_F(UnitSourceTest, OwnedUnitsOfBlocksAreHandedOutOnce) {
  expect_each_once_in_all_shapes<BlockSet>(/*starts_full=*/true);
}

TEST_F(UnitSourceTest, UnitsByTicketAreHandedOutOnce) {
  expect_each_once_in_all_shapes<FlatSet>(/*starts_full=*/false);
  expect_each_once_in_all_shapes<SpawningSet>(/*starts_full=*/false);
}

// Roots of long chains do not wait in a block whose workers are at work.
TEST_F(UnitSourceTest, ABlockKeepsNoneOfTwoUnitsOfEachWarp) {
  for (const Shape& shape : kShapes) {
    if (shape.blocks == 1) continue;
    const std::uint32_t units = 2 * workers<WarpSet>(shape);
    const std::vector<std::uint32_t> times = times_of(shape, units, [=](const auto&... arguments) {
      launch(hand_out_besides, arguments..., units);
    });
    std::vector<std::uint32_t> once(units, 1);
    once.push_back(0);
    EXPECT_EQ(times, once) << shape.blocks << " blocks of " << shape.warps << " warps";
  }
}

TEST_F(UnitSourceTest, OneBlockTakesAllUnitsByTicketWhereOthersDoNotCome) {
  for (const Shape& shape : kShapes) {
    for (const std::uint32_t units : {0, 1, 1000, 10'007}) {
      expect_each_once<SpawningSet>(shape, units, /*starts_full=*/false, /*blocks=*/1);
    }
  }
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
