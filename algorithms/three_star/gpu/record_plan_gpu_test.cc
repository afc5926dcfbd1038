// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/gpu/record_plan_gpu.h>
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/tests/random/seeded_random.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

class RecordPlanTest : public GpuTest {
 protected:
  template <class T>
  Buffer<T> in_device_memory(const std::vector<T>& values) {
    Buffer<T> buffer(queue->device().pool(MemorySpace::kDevice), values.size());
    queue->copy(buffer.data(), values.data(), values.size() * sizeof(T), {}, {});
    queue->wait();
    return buffer;
  }

  template <class T>
  std::vector<T> on_host(const T* data, std::size_t count) {
    std::vector<T> values(count);
    queue->copy(values.data(), data, count * sizeof(T), {}, {});
    queue->wait();
    return values;
  }

  SeededRandom random;
};

// Run by many warps, a tile each, and by one that has all.
TEST_F(RecordPlanTest, PutsRecordsBehindEachOther) {
  constexpr std::uint32_t kCorners = 7 * RecordTile::kCorners + 5;
  constexpr std::uint64_t kRangeBytes = kMostRecordBytes + 1;
  std::vector<RecordPosition> positions(kCorners);
  std::vector<RecordTile> tiles(RecordTile::count(kCorners));
  std::vector<RecordStart> starts(1);
  RecordStart end;
  for (std::uint32_t i = 0; i < kCorners; ++i) {
    const auto length = static_cast<std::uint32_t>(4 * random(1, 2000));
    const auto kind = random(0, 9);
    positions[i].length = kind == 0 ? kNoRecord : kind == 1 ? kLargeRecord : length;
    if (!positions[i].has_record()) continue;
    tiles[i / RecordTile::kCorners].word += RecordTile::word_of(length);
    ++end.records;
    end.bytes += length;
    end.corner = i + 1;
    if (end.bytes / kRangeBytes == starts.size()) starts.push_back(end);
  }
  const auto device_tiles = in_device_memory(tiles);
  const auto totals = in_device_memory(std::vector<RecordTotals>{{.pairs = 3, .large = 4}});
  const int lanes = device->properties().warp_width;
  for (const int warps : {1, 3, 16}) {
    SCOPED_TRACE(warps);
    auto device_positions = in_device_memory(positions);
    Buffer<RecordPlan> plan(queue->device().pool(MemorySpace::kPinned), 1);
    Buffer<RecordStart> device_starts(queue->device().pool(MemorySpace::kPinned),
                                      RecordPlan::most_starts(kCorners, kRangeBytes));
    const PlanRecords body = {.corners = kCorners,
                              .range_bytes = kRangeBytes,
                              .totals = totals.data(),
                              .tiles = device_tiles.data(),
                              .positions = device_positions.data(),
                              .plan = plan.data(),
                              .starts = device_starts.data()};
    const gpu::LaunchShape shape = {.blocks = warps, .threads = lanes};
    queue->enqueue([&] { launch(body_kernel<PlanRecords>, shape, queue->stream(), body); },
                   GpuQueue::Start::kInline, "plan records");
    const auto found = on_host(device_positions.data(), kCorners);
    RecordStart next;
    for (const RecordPosition& position : found) {
      if (!position.has_record()) continue;
      ASSERT_EQ(position.begin, next.bytes);
      ASSERT_EQ(position.index, next.records);
      next.bytes += position.length;
      ++next.records;
    }
    EXPECT_EQ(plan.data()->end.bytes, end.bytes);
    EXPECT_EQ(plan.data()->end.records, end.records);
    EXPECT_EQ(plan.data()->end.corner, kCorners);
    EXPECT_EQ(plan.data()->totals.large, 4U);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      EXPECT_EQ(device_starts.data()[i].bytes, starts[i].bytes);
      EXPECT_EQ(device_starts.data()[i].records, starts[i].records);
      EXPECT_EQ(device_starts.data()[i].corner, starts[i].corner);
    }
  }
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
