// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/gpu/raw_stream_gpu.h>
#include <millrace/algorithms/three_star/gpu/star_stream_gpu.h>
#include <millrace/algorithms/three_star/group/strip_plan.h>
#include <millrace/algorithms/three_star/search_range.h>
#include <millrace/algorithms/three_star/set_hash.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using three_star::SearchRange;
using three_star::SearchReport;
using three_star::StarChunk;
using three_star::ThreeStar;

// A set of 3-stars, in any order.
struct Found {
  std::uint64_t count = 0;
  std::uint64_t hash = 0;

  void add(std::span<const ThreeStar> stars) {
    count += stars.size();
    for (const ThreeStar& star : stars) hash += three_star::hash_of(star);
  }
};

Found reference(const std::vector<Point>& points, std::int32_t radius) {
  Found found;
  found.add(three_star::find_three_stars_reference(points, radius));
  return found;
}

class StarStreamTest : public GpuTest {
 protected:
  static constexpr std::int32_t kRadius = 50;
  const three_star::SearchOptions kOptions = {.radius = kRadius};

  SearchReport stream(const std::vector<Point>& points, const three_star::ChunkVisitor& visitor,
                      std::size_t chunk_bytes) {
    ScratchMemory memory(*queue);
    const QueueGuard guard(*queue);
    const DeviceGrid grid(*queue, points, kRadius, memory);
    const SearchRange all = {.corners = {0, grid.points()}};
    SearchReport report;
    StarStream({*queue, points, grid, all, kOptions, memory}, chunk_bytes).run(visitor, report);
    return report;
  }

  std::size_t pinned_bytes() const {
    return queue->device().pool(MemorySpace::kPinned)->statistics().bytes_in_use;
  }

  SeededRandom random;
};

TEST_F(StarStreamTest, HandsOutTheSameInManyChunksAsInOne) {
  const std::vector<Point> points = three_star::scattered(random, 500, -120, 240);
  const Found expected = reference(points, kRadius);
  for (const std::size_t chunk_bytes : {StarStream::kChunkBytes, kMostRecordBytes}) {
    std::mutex mutex;
    Found found;
    std::set<std::uint32_t> corners;
    std::size_t chunks = 0;
    std::size_t records = 0;
    std::uint64_t pairs = 0;
    std::uint64_t bytes = 0;
    const std::size_t pinned_before = pinned_bytes();
    std::size_t most_pinned = 0;
    const auto visit = [&](const StarChunk& chunk) {
      const std::lock_guard lock(mutex);
      most_pinned = std::max(most_pinned, pinned_bytes() - pinned_before);
      ++chunks;
      records += chunk.records();
      bytes += chunk.bytes().size();
      for (std::size_t i = 0; i < chunk.records(); ++i) {
        corners.insert(chunk.record(i).corner());
        pairs += chunk.record(i).neighbours();
      }
      chunk.visit([&](std::span<const ThreeStar> some) { found.add(some); });
    };
    const SearchReport report = stream(points, visit, chunk_bytes);
    EXPECT_EQ(found.hash, expected.hash);
    EXPECT_EQ(found.count, expected.count);
    EXPECT_EQ(report.three_stars, expected.count);
    EXPECT_EQ(report.pairs, pairs);
    EXPECT_EQ(report.bytes_down, bytes);
    EXPECT_EQ(corners.size(), records) << "each corner has one record";
    if (chunk_bytes == kMostRecordBytes) {
      EXPECT_GT(chunks, 2u);
      EXPECT_LT(chunks, bytes / chunk_bytes + 2);
      // For any number of 3-stars: four chunks in flight, and several words a point.
      EXPECT_LE(most_pinned, 5 * (2 * kMostRecordBytes) + 64 * points.size());
      EXPECT_LE(8 * most_pinned, sizeof(ThreeStar) * report.three_stars);
    } else {
      EXPECT_EQ(chunks, 1u);
    }
  }
}

TEST_F(StarStreamTest, WritesOutTheSameInManyChunks) {
  const std::vector<Point> points = three_star::scattered(random, 500, -120, 240);
  const Found expected = reference(points, kRadius);
  for (const std::size_t range_bytes : {RawStream::kRangeBytes, kMostRecordBytes}) {
    ScratchMemory memory(*queue);
    const QueueGuard guard(*queue);
    const DeviceGrid grid(*queue, points, kRadius, memory);
    std::mutex mutex;
    Found found;
    const auto visit = [&](std::span<const ThreeStar> some) {
      const std::lock_guard lock(mutex);
      found.add(some);
    };
    const SearchRange all = {.corners = {0, grid.points()}};
    SearchReport report;
    RawStream({*queue, points, grid, all, kOptions, memory}, range_bytes).run(visit, report);
    EXPECT_EQ(found.hash, expected.hash);
    EXPECT_EQ(found.count, expected.count);
    EXPECT_EQ(report.three_stars, expected.count);
    EXPECT_EQ(report.bytes_down, expected.count * sizeof(ThreeStar));
  }
}

// Some points with more neighbours than a task has memory for, and others.
std::vector<Point> with_large_corners(SeededRandom& random) {
  std::vector<Point> points = three_star::scattered(random, 60, 0, 20);
  for (const Point& point : three_star::scattered(random, 800, 70, 12)) {
    points.push_back({point.x, point.y - 50});
  }
  points.push_back({13, 76});
  return points;
}

TEST_F(StarStreamTest, SearchesLargeCornersOnTheHost) {
  const std::vector<Point> points = with_large_corners(random);
  const Found expected = reference(points, kRadius);
  std::mutex mutex;
  Found found;
  std::uint32_t most_neighbours = 0;
  const auto visit = [&](const StarChunk& chunk) {
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < chunk.records(); ++i) {
      most_neighbours = std::max(most_neighbours, chunk.record(i).neighbours());
    }
    chunk.visit([&](std::span<const ThreeStar> some) { found.add(some); });
  };
  const SearchReport report = stream(points, visit, StarStream::kChunkBytes);
  EXPECT_EQ(found.hash, expected.hash);
  EXPECT_EQ(found.count, expected.count);
  EXPECT_EQ(report.three_stars, expected.count);
  EXPECT_GT(most_neighbours, RecordScratch::kMost);
  EXPECT_GT(report.host_corners, 0u);
  EXPECT_LT(report.host_corners, points.size());
}

TEST_F(StarStreamTest, EndsBetweenChunksWhenAStopIsRequested) {
  const std::vector<Point> points = three_star::scattered(random, 500, -120, 240);
  ScratchMemory memory(*queue);
  const QueueGuard guard(*queue);
  const DeviceGrid grid(*queue, points, kRadius, memory);
  const SearchRange all = {.corners = {0, grid.points()}};
  const auto is_cancelled = [&](const auto& run) {
    std::stop_source stop;
    const three_star::SearchOptions options = {.radius = kRadius, .stop = stop.get_token()};
    SearchReport report;
    try {
      run(StreamInput{*queue, points, grid, all, options, memory}, stop, report);
    } catch (const Error& error) {
      return error.code() == ErrorCode::kCancelled;
    }
    return false;
  };
  EXPECT_TRUE(is_cancelled([](const StreamInput& input, std::stop_source& stop, auto& report) {
    StarStream(input, kMostRecordBytes).run([&](auto&) { stop.request_stop(); }, report);
  }));
  EXPECT_TRUE(is_cancelled([](const StreamInput& input, std::stop_source& stop, auto& report) {
    RawStream(input, kMostRecordBytes).run([&](auto) { stop.request_stop(); }, report);
  }));
}

TEST_F(StarStreamTest, LargeCornersEndWhenAStopIsRequested) {
  const std::vector<Point> points = with_large_corners(random);
  const three_star::CellGrid grid(*queue, points, kRadius);
  std::stop_source stop;
  const three_star::SearchOptions options = {.radius = kRadius, .stop = stop.get_token()};
  const three_star::ChunkVisitor visitor = [](const StarChunk&) {};
  stop.request_stop();
  three_star::LargeCorners corners(grid, options, visitor);
  corners.start({0, 1, 2});
  EXPECT_THROW(corners.wait(), Error);
}

TEST_F(StarStreamTest, WritesChunksOfAStripAsThoseOfAllPoints) {
  std::vector<Point> points = with_large_corners(random);
  const auto upper = static_cast<std::uint32_t>(points.size());
  const Found expected = reference(points, kRadius);
  // These are in rows before the others, out of reach.
  constexpr std::uint32_t kBefore = 100;
  for (const Point& point : three_star::scattered(random, kBefore, 0, 100)) {
    points.push_back({point.x, point.y - 400});
  }
  const three_star::CellGrid grid(*queue, points, kRadius);
  const IndexRange upper_points = {kBefore, kBefore + upper};
  const three_star::StripPoints strip(grid, {.corners = upper_points, .points = upper_points});
  for (const std::size_t chunk_bytes : {StarStream::kChunkBytes, kMostRecordBytes}) {
    ScratchMemory memory(*queue);
    const QueueGuard guard(*queue);
    const DeviceGrid on_device(*queue, strip.points, kRadius, memory);
    const SearchRange range = {strip.corners, &grid, kBefore};
    std::mutex mutex;
    Found found;
    const auto visit = [&](const StarChunk& chunk) {
      const std::lock_guard lock(mutex);
      chunk.visit([&](std::span<const ThreeStar> some) { found.add(some); });
    };
    SearchReport report;
    StarStream({*queue, strip.points, on_device, range, kOptions, memory}, chunk_bytes)
        .run(visit, report);
    EXPECT_EQ(found.hash, expected.hash);
    EXPECT_EQ(report.three_stars, expected.count);
  }
}

TEST_F(StarStreamTest, EndsWithWhatTheVisitorOfALargeCornerThrows) {
  const auto visit = [](const StarChunk& chunk) {
    if (chunk.record(0).neighbours() > RecordScratch::kMost) throw std::runtime_error("full");
  };
  EXPECT_THROW(stream(with_large_corners(random), visit, StarStream::kChunkBytes),
               std::runtime_error);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
