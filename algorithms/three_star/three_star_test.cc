// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/cpu/star_simd.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/set_hash.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <vector>

namespace millrace::three_star {
namespace {

using testing::HasSubstr;

class ThreeStarTest : public conformance::ConformanceTest {
 protected:
  std::vector<ThreeStar> find(const std::vector<Point>& points, const SearchOptions& options) {
    std::mutex mutex;
    std::vector<ThreeStar> found;
    const SearchReport report =
        visit_three_stars(*queue, points, options, [&](std::span<const ThreeStar> some) {
          const std::lock_guard lock(mutex);
          found.insert(found.end(), some.begin(), some.end());
        });
    EXPECT_EQ(report.three_stars, found.size());
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string error_of(const std::vector<Point>& points, std::int32_t radius) {
    try {
      count_three_stars(*queue, points, {.radius = radius});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "no error";
  }

  SeededRandom random;
};

TEST_P(ThreeStarTest, FindsWhatTheReferenceFinds) {
  for (const Sensors& sensors : all_kinds(random, scaled(100, 40))) {
    SCOPED_TRACE(sensors.name);
    const SearchOptions options = {.radius = sensors.radius};
    const auto expected = find_three_stars_reference(sensors.points, sensors.radius);
    EXPECT_EQ(count_three_stars(*queue, sensors.points, options).three_stars, expected.size());
    EXPECT_EQ(find(sensors.points, options), expected);
    EXPECT_EQ(find(sensors.points, {.radius = sensors.radius, .form = StarForm::kRaw}), expected);
  }
}

TEST_P(ThreeStarTest, FindsTheSameUnderEveryPolicy) {
  const std::vector<Point> points = random_points(scaled(400, 200), 600);
  const std::size_t expected = find_three_stars_reference(points, 50).size();
  for (const Policy policy :
       {Policy::kPersistentThreads, Policy::kUberkernel, Policy::kKernelPerType}) {
    const SearchReport report = count_three_stars(*queue, points, {.radius = 50, .policy = policy});
    EXPECT_EQ(report.three_stars, expected);
    EXPECT_EQ(report.policy, policy);
  }
}

TEST_P(ThreeStarTest, CountsKnownSets) {
  for (const KnownSet& known : kKnownSets) {
    if (known.points > scaled(12800, 1600)) break;
    const SearchReport report =
        count_three_stars(*queue, random_points(known.points), {.radius = 50});
    EXPECT_EQ(report.three_stars, known.three_stars);
  }
}

TEST_P(ThreeStarTest, HandsKnownSetsOut) {
  for (const KnownSet& known : kKnownSets) {
    if (known.points > scaled(12800, 1600)) break;
    std::atomic<std::uint64_t> hash = 0;
    const SearchReport report = visit_three_stars(
        *queue, random_points(known.points), {.radius = 50}, [&](std::span<const ThreeStar> some) {
          std::uint64_t sum = 0;
          for (const ThreeStar& star : some) sum += hash_of(star);
          hash += sum;
        });
    EXPECT_EQ(report.three_stars, known.three_stars);
    EXPECT_EQ(hash, known.hash);
  }
}

TEST_P(ThreeStarTest, HandsThemOutCompressed) {
  const KnownSet& known = kKnownSets[scaled(3, 0)];
  std::atomic<std::uint64_t> hash = 0;
  std::atomic<std::uint64_t> pairs = 0;
  const SearchReport report = compress_three_stars(
      *queue, random_points(known.points), {.radius = 50}, [&](const StarChunk& chunk) {
        std::uint64_t sum = 0;
        for (const ThreeStar& star : chunk) sum += hash_of(star);
        hash += sum;
        for (std::size_t i = 0; i < chunk.records(); ++i) pairs += chunk.record(i).neighbours();
      });
  EXPECT_EQ(report.three_stars, known.three_stars);
  EXPECT_EQ(hash, known.hash);
  EXPECT_LE(pairs, report.pairs);
}

// For any number of 3-stars, chunks reuse the same memory one after another.
TEST_P(ThreeStarTest, ChunksTakeAnEighthOfTheMemoryOfAll3Stars) {
  const KnownSet& known = kKnownSets[3];
  if (known.points > scaled(known.points, 1600)) GTEST_SKIP() << "too many for a simulated device";
  std::mutex mutex;
  std::map<const std::byte*, std::size_t> memory;  // Addresses of chunks, and their bytes.
  const SearchReport report = compress_three_stars(
      *queue, random_points(known.points), {.radius = 50}, [&](const StarChunk& chunk) {
        const std::lock_guard lock(mutex);
        std::size_t& bytes = memory[chunk.bytes().data()];
        bytes = std::max(bytes, chunk.bytes().size());
      });
  std::size_t all = 0;
  for (const auto& [address, bytes] : memory) all += bytes;
  EXPECT_LE(8 * all, sizeof(ThreeStar) * report.three_stars);
}

TEST_P(ThreeStarTest, SplitsWhatIsMuchWork) {
  // Several points with so many in one direction that a cell, or a corner, is more than a task.
  constexpr std::int32_t kRadius = 50;
  std::vector<Point> points;
  const auto put = [&](std::size_t count, std::int32_t x, std::int32_t y) {
    for (const Point& point : scattered(random, count, 0, 10)) {
      points.push_back({x + point.x, y + point.y});
    }
  };
  put(8, 0, 0);
  put(5, 13, 74);
  put(800, 70, 20);
  const CellGrid grid(*queue, points, kRadius);
  StarScratch scratch;
  std::uint64_t of_whole_cells = 0;
  for (std::size_t cell = 0; cell < grid.cells().size(); ++cell) {
    const PointRun run = {grid.cells()[cell].points, grid.neighbours(cell)};
    of_whole_cells += count_stars(grid, run, kRadius, scratch).three_stars;
  }
  const SearchReport report = count_three_stars(*queue, points, {.radius = kRadius});
  EXPECT_EQ(report.three_stars, of_whole_cells);
  EXPECT_GT(report.three_stars, 1000u);
  const bool is_by_cells = device->info().shares_host_memory;
  EXPECT_GT(report.tasks, is_by_cells ? grid.cells().size() : points.size());
}

TEST_P(ThreeStarTest, RejectsARadiusOutOfRange) {
  EXPECT_THAT(error_of({{0, 0}}, 0), HasSubstr("radius is 0; it must be 1 to 1048575"));
  EXPECT_THAT(error_of({}, -3), HasSubstr("radius is -3"));
  EXPECT_THAT(error_of({}, kMostRadius + 1), HasSubstr("radius is 1048576"));
}

TEST_P(ThreeStarTest, EndsWithWhatAVisitorThrows) {
  EXPECT_THAT(
      [&] {
        visit_three_stars(
            *queue, random_points(scaled(3200, 1600)), {.radius = 50},
            [](std::span<const ThreeStar>) { throw std::runtime_error("no more memory"); });
      },
      testing::ThrowsMessage<std::runtime_error>("no more memory"));
  EXPECT_EQ(count_three_stars(*queue, random_points(1600), {.radius = 50}).three_stars, 4546u);
}

TEST_P(ThreeStarTest, EndsWhenAStopIsRequested) {
  std::stop_source stop;
  stop.request_stop();
  const std::vector<Point> points = random_points(1600);
  const auto code_of = [&](const auto& search) {
    for (const StarForm form : {StarForm::kCompressed, StarForm::kRaw}) {
      try {
        search({.radius = 50, .form = form, .stop = stop.get_token()});
        ADD_FAILURE() << "no error was thrown for " << to_string(form);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCancelled) << error.what();
      }
    }
  };
  code_of([&](const SearchOptions& options) { count_three_stars(*queue, points, options); });
  code_of([&](const SearchOptions& options) {
    visit_three_stars(*queue, points, options, [](std::span<const ThreeStar>) {});
  });
  code_of([&](const SearchOptions& options) {
    compress_three_stars(*queue, points, options, [](const StarChunk&) {});
  });
  EXPECT_EQ(count_three_stars(*queue, points, {.radius = 50}).three_stars, 4546u);
}

TEST_P(ThreeStarTest, SaysInWhichFormTheyCame) {
  const std::vector<Point> points = random_points(200, 300);
  const auto visit = [&](StarForm form) {
    return visit_three_stars(*queue, points, {.radius = 50, .form = form}, [](auto) {}).form;
  };
  EXPECT_EQ(count_three_stars(*queue, points, {.radius = 50}).form, std::nullopt);
  EXPECT_EQ(visit(StarForm::kCompressed), StarForm::kCompressed);
  const bool is_cpu = device->info().shares_host_memory;
  EXPECT_EQ(visit(StarForm::kRaw), is_cpu ? StarForm::kCompressed : StarForm::kRaw);
}

INSTANTIATE_TEST_SUITE_P(Devices, ThreeStarTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::three_star
