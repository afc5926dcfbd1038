// SPDX-License-Identifier: Apache-2.0

// The paper's method on every device against the definition.
#include <millrace/algorithms/three_star/paper/three_star_paper.h>
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
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace millrace::three_star {
namespace {

using testing::HasSubstr;

class PaperTest : public conformance::ConformanceTest {
 protected:
  std::vector<ThreeStar> find(const std::vector<Point>& points, const PaperOptions& options) {
    std::mutex mutex;
    std::vector<ThreeStar> found;
    report = find_as_paper(*queue, points, options, [&](std::span<const ThreeStar> some) {
      const std::lock_guard lock(mutex);
      found.insert(found.end(), some.begin(), some.end());
    });
    EXPECT_EQ(report.three_stars, found.size());
    std::sort(found.begin(), found.end());
    return found;
  }

  // Returns the hash of the set that is found.
  std::uint64_t hash_of_found(const std::vector<Point>& points, const PaperOptions& options) {
    std::atomic<std::uint64_t> hash = 0;
    report = find_as_paper(*queue, points, options, [&](std::span<const ThreeStar> some) {
      std::uint64_t sum = 0;
      for (const ThreeStar& star : some) sum += hash_of(star);
      hash += sum;
    });
    return hash;
  }

  std::string error_of(const PaperOptions& options) {
    try {
      find_as_paper(*queue, {}, options, [](std::span<const ThreeStar>) {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "no error";
  }

  SeededRandom random;
  PaperReport report;
};

// Uses the smallest chunks, which leave searchers work to continue.
TEST_P(PaperTest, FindsWhatTheReferenceFinds) {
  std::size_t turn = 0;
  for (const Sensors& sensors : all_kinds(random, scaled(100, 40))) {
    SCOPED_TRACE(sensors.name);
    const auto expected = find_three_stars_reference(sensors.points, sensors.radius);
    std::optional<PaperTables> tables;
    if (sensors.radius <= PaperTables::kMostRadius) tables.emplace(sensors.radius);
    PaperOptions options = {.radius = sensors.radius,
                            .scheme = kPaperSchemes[turn++ % 4],
                            .chunk_bytes = PaperOptions::kLeastChunkBytes};
    EXPECT_EQ(find(sensors.points, options), expected);
    if (!tables) continue;
    options.scheme = kPaperSchemes[turn++ % 4];
    options.tables = &*tables;
    EXPECT_EQ(find(sensors.points, options), expected);
  }
}

TEST_P(PaperTest, FindsKnownSetsByEveryScheme) {
  const PaperTables tables(50);
  for (const PaperSearchScheme scheme : kPaperSchemes) {
    SCOPED_TRACE(to_string(scheme));
    const PaperOptions options = {.radius = 50, .scheme = scheme, .tables = &tables};
    EXPECT_EQ(hash_of_found(random_points(1600), options), 0x61b07cd86900e071);
    EXPECT_EQ(report.three_stars, 4546U);
  }
  if (device->info().is_simulated) return;
  for (const KnownSet& known : kKnownSets) {
    SCOPED_TRACE(known.points);
    PaperOptions options = {.radius = 50,
                            .scheme = PaperSearchScheme::kBoth,
                            .chunk_bytes = PaperOptions::kLeastChunkBytes};
    EXPECT_EQ(hash_of_found(random_points(known.points), options), known.hash);
    EXPECT_EQ(report.three_stars, known.three_stars);
    options.tables = &tables;
    EXPECT_EQ(hash_of_found(random_points(known.points), options), known.hash);
  }
}

// Cells have more than one segment, and chunks and stages no memory for all 3-stars.
TEST_P(PaperTest, GoesOnWhereAChunkWasFull) {
  std::vector<Point> points;
  const auto put = [&](std::size_t count, std::int32_t x, std::int32_t y) {
    for (const Point& point : scattered(random, count, 0, 8)) {
      points.push_back({x + point.x, y + point.y});
    }
  };
  put(6, 10, 10);
  put(5, 25, 80);
  put(scaled(700, 300), 80, 30);
  const auto expected = find_three_stars_reference(points, 50);
  ASSERT_GT(expected.size(), 6000U);
  for (const PaperSearchScheme scheme : kPaperSchemes) {
    SCOPED_TRACE(to_string(scheme));
    EXPECT_EQ(find(points,
                   {.radius = 50, .scheme = scheme, .chunk_bytes = PaperOptions::kLeastChunkBytes}),
              expected);
  }
  EXPECT_EQ(find(points, {.radius = 50, .chunk_bytes = PaperOptions::kLeastChunkBytes}), expected);
  EXPECT_GE(report.chunks, expected.size() * sizeof(ThreeStar) / PaperOptions::kLeastChunkBytes);
}

TEST_P(PaperTest, FindsWhatTheSearchFindsAmongClusters) {
  std::vector<Point> points;
  for (std::size_t cluster = 0; cluster < scaled(40, 12); ++cluster) {
    const Point at = scattered(random, 1, -150, 300).front();
    for (const Point& point : scattered(random, 20, -15, 30)) {
      points.push_back({at.x + point.x, at.y + point.y});
    }
  }
  std::atomic<std::uint64_t> hash = 0;
  const SearchReport search =
      visit_three_stars(*queue, points, {.radius = 50}, [&](std::span<const ThreeStar> some) {
        for (const ThreeStar& star : some) hash += hash_of(star);
      });
  EXPECT_EQ(hash_of_found(points, {.radius = 50, .scheme = PaperSearchScheme::kBoth}), hash);
  EXPECT_EQ(report.three_stars, search.three_stars);
}

TEST_P(PaperTest, CompressedChunksAreSmaller) {
  if (device->info().shares_host_memory) GTEST_SKIP() << "nothing is downloaded";
  const std::vector<Point> points = random_points(500, 300);
  const std::uint64_t hash = hash_of_found(points, {.radius = 50});
  const std::uint64_t raw_bytes = report.bytes_down;
  EXPECT_GE(raw_bytes, report.three_stars * sizeof(ThreeStar));
  EXPECT_EQ(hash_of_found(points, {.radius = 50, .scheme = PaperSearchScheme::kCompression}), hash);
  EXPECT_LT(report.bytes_down, raw_bytes / 3);
}

TEST_P(PaperTest, ProfileHasEveryRow) {
  PaperSearchProfile profile;
  const std::vector<Point> points = random_points(300, 300);
  find_as_paper(
      *queue, points, {.radius = 50, .scheme = PaperSearchScheme::kBoth},
      [](std::span<const ThreeStar>) {}, &profile);
  for (const double row : {profile.load, profile.compute, profile.report, profile.decode}) {
    EXPECT_GT(row, 0);
  }
  EXPECT_EQ(profile.data_out > 0, !device->info().shares_host_memory);
}

TEST_P(PaperTest, SequentialCodeFindsTheSame) {
  for (const Sensors& sensors : all_kinds(random)) {
    SCOPED_TRACE(sensors.name);
    std::vector<ThreeStar> found;
    const PaperReport sequential = find_as_paper_sequential(
        *queue, sensors.points, sensors.radius, [&](std::span<const ThreeStar> some) {
          found.insert(found.end(), some.begin(), some.end());
        });
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, find_three_stars_reference(sensors.points, sensors.radius));
    EXPECT_EQ(sequential.three_stars, found.size());
  }
}

TEST_P(PaperTest, RejectsWhatOptionsDoNotHave) {
  EXPECT_THAT(error_of({.radius = 0}), HasSubstr("radius is 0; it must be 1 to 1048575"));
  EXPECT_THAT(error_of({.radius = kMostRadius + 1}), HasSubstr("radius is 1048576"));
  EXPECT_THAT(error_of({.radius = 5, .chunk_bytes = 1000}), HasSubstr("chunk_bytes is 1000"));
  const PaperTables tables(4);
  EXPECT_THAT(error_of({.radius = 5, .tables = &tables}),
              HasSubstr("tables are for a radius of 4, but radius is 5; they must match"));
}

TEST_P(PaperTest, EndsWithWhatAVisitorThrows) {
  const std::vector<Point> points = random_points(300, 300);
  const auto search = [&](const StarVisitor& visitor) {
    return find_as_paper(*queue, points,
                         {.radius = 50,
                          .scheme = PaperSearchScheme::kBoth,
                          .chunk_bytes = PaperOptions::kLeastChunkBytes},
                         visitor);
  };
  EXPECT_THAT([&] { search([](auto) { throw std::runtime_error("no more memory"); }); },
              testing::ThrowsMessage<std::runtime_error>("no more memory"));
  EXPECT_EQ(search([](auto) {}).three_stars, find_three_stars_reference(points, 50).size());
}

INSTANTIATE_TEST_SUITE_P(Devices, PaperTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::three_star
