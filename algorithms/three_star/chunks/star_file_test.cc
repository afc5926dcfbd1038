// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_file.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::three_star {
namespace {

using testing::HasSubstr;

class StarFileTest : public testing::Test {
 protected:
  std::string file_of(const std::vector<Point>& points, std::int32_t radius) {
    std::ostringstream out;
    StarFileWriter writer(out, points, radius);
    compress_three_stars(*queue, points, {.radius = radius},
                         [&](const StarChunk& chunk) { writer.write(chunk); });
    writer.finish();
    return out.str();
  }

  // Returns all 3-stars of a file, sorted.
  std::vector<ThreeStar> read(const std::string& file) {
    std::istringstream in(file);
    StarFileReader reader(*queue, in, "it");
    std::vector<ThreeStar> stars;
    while (const std::optional<StarChunk> chunk = reader.next()) {
      chunk->visit([&](std::span<const ThreeStar> some) {
        stars.insert(stars.end(), some.begin(), some.end());
      });
    }
    std::sort(stars.begin(), stars.end());
    return stars;
  }

  std::string error_of(const std::string& file) {
    try {
      read(file);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  // Reads a damaged file as far as possible, in all ways.
  void visit_damaged(const std::string& file) {
    std::istringstream in(file);
    try {
      StarFileReader reader(*queue, in, "it");
      const auto points = static_cast<std::uint32_t>(reader.points().size());
      reader.visit([&](const StarChunk& chunk) {
        std::vector<std::uint64_t> stars_of(points);
        if (points > 0) chunk.visit_lowest({0, points}, [](auto) {});
        chunk.count_sensors(stars_of);
      });
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo) << error.what();
    }
  }

  const std::shared_ptr<Device> device = some_device();
  const std::unique_ptr<Queue> queue = device->make_queue();
  SeededRandom random;
};

TEST_F(StarFileTest, HasAllPointsAndTheir3Stars) {
  for (const Sensors& sensors : all_kinds(random)) {
    SCOPED_TRACE(sensors.name);
    const std::string file = file_of(sensors.points, sensors.radius);
    std::istringstream in(file);
    const StarFileReader reader(*queue, in, "it");
    EXPECT_EQ(reader.radius(), sensors.radius);
    EXPECT_EQ(reader.points(), sensors.points);
    EXPECT_EQ(read(file), find_three_stars_reference(sensors.points, sensors.radius));
  }
}

TEST_F(StarFileTest, IsVisitedByManyThreadsAndAgain) {
  const std::vector<Point> points = scattered(random, 400, 0, 400);
  const std::string file = file_of(points, 50);
  const std::vector<ThreeStar> stars = find_three_stars_reference(points, 50);
  std::istringstream in(file);
  StarFileReader reader(*queue, in, "it");
  for (int time = 0; time < 2; ++time) {
    std::mutex mutex;
    std::vector<ThreeStar> visited;
    reader.visit([&](const StarChunk& chunk) {
      const std::lock_guard lock(mutex);
      for (const ThreeStar& star : chunk) visited.push_back(star);
    });
    std::sort(visited.begin(), visited.end());
    EXPECT_EQ(visited, stars);
    reader.rewind();
  }
}

TEST_F(StarFileTest, KeepsWhatThePointsWere) {
  const StarFileUnits units = {.radius = 2.5,
                               .step = 0.05,
                               .origin_x = 7e9,
                               .origin_y = -3,
                               .least_latitude = -12.5,
                               .most_latitude = 60,
                               .projection = StarFileUnits::kStereographic,
                               .is_rounded = 1,
                               .centre_latitude = -17,
                               .centre_longitude = 179.5,
                               .centre_scale = 0.9997,
                               .least_scale = 0.9997,
                               .most_scale = 1.0003,
                               .span = 0.04,
                               .is_east_alone = 1};
  std::stringstream file;
  StarFileWriter(file, {}, 50, units).finish();
  const StarFileReader reader(*queue, file, "it");
  EXPECT_EQ(std::memcmp(&reader.units(), &units, sizeof units), 0);
}

TEST_F(StarFileTest, UnitsThatAreNoneAreAnError) {
  const auto rejected = [&](const StarFileUnits& units) {
    std::ostringstream out;
    StarFileWriter(out, {}, 50, units).finish();
    return error_of(out.str()).find("the units of its points are wrong") != std::string::npos;
  };
  const double nan = std::nan("");
  EXPECT_FALSE(rejected({.radius = 50}));
  EXPECT_TRUE(rejected({.radius = 51}));
  for (const double step : {0.0, -1.0, nan, HUGE_VAL}) {
    EXPECT_TRUE(rejected({.radius = 50 * step, .step = step})) << step;
  }
  for (const double origin : {0.5, nan, HUGE_VAL}) {
    EXPECT_TRUE(rejected({.radius = 50, .origin_x = origin})) << origin;
    EXPECT_TRUE(rejected({.radius = 50, .origin_y = origin})) << origin;
  }
  EXPECT_TRUE(rejected({.radius = 50, .least_latitude = -91}));
  EXPECT_TRUE(rejected({.radius = 50, .most_latitude = 91}));
  EXPECT_TRUE(rejected({.radius = 50, .least_latitude = nan}));
  EXPECT_TRUE(rejected({.radius = 50, .least_latitude = 3, .most_latitude = 2}));
  EXPECT_TRUE(rejected({.radius = 50, .projection = 4}));
  EXPECT_TRUE(rejected({.radius = 50, .centre_latitude = 91}));
  EXPECT_TRUE(rejected({.radius = 50, .centre_longitude = nan}));
  EXPECT_TRUE(rejected({.radius = 50, .centre_scale = 0}));
  EXPECT_TRUE(rejected({.radius = 50, .least_scale = nan}));
  EXPECT_TRUE(rejected({.radius = 50, .most_scale = HUGE_VAL}));
  EXPECT_TRUE(rejected({.radius = 50, .span = -1}));
  EXPECT_TRUE(rejected({.radius = 50, .is_east_alone = 2}));
  EXPECT_TRUE(rejected({.radius = 50, .regions = 0}));
  EXPECT_TRUE(rejected({.radius = 50, .is_rounded = 2}));
}

TEST_F(StarFileTest, KeepsWhichPointsAreCopies) {
  const std::vector<Point> points = {{0, 0}, {5, 5}, {900, 0}, {905, 5}};
  std::stringstream file;
  const std::uint32_t origins[] = {0, 1};
  StarFileWriter(file, points, 50, {.radius = 50, .regions = 2}, origins).finish();
  const StarFileReader reader(*queue, file, "it");
  EXPECT_EQ(reader.points(), points);
  EXPECT_EQ(reader.origins(), (std::vector<std::uint32_t>{0, 1}));
  std::ostringstream damaged;
  const std::uint32_t none[] = {0, 2};
  StarFileWriter(damaged, points, 50, {.radius = 50, .regions = 2}, none).finish();
  EXPECT_THAT(error_of(damaged.str()), HasSubstr("a copied point has no original"));
}

// Before there were copies, units were shorter.
TEST_F(StarFileTest, FilesOfTheOldVersionAreRead) {
  std::stringstream out;
  StarFileWriter(out, std::vector<Point>{{1, 2}}, 50, {.radius = 50}).finish();
  std::string file = out.str();
  file[7] = '2';
  file.erase(16 + offsetof(StarFileUnits, centre_latitude),
             sizeof(StarFileUnits) - offsetof(StarFileUnits, centre_latitude));
  std::istringstream in(file);
  StarFileReader reader(*queue, in, "it");
  EXPECT_EQ(reader.points(), (std::vector<Point>{{1, 2}}));
  EXPECT_EQ(reader.units().regions, 1U);
  EXPECT_FALSE(reader.next());
}

TEST_F(StarFileTest, IsKnownByItsBeginning) {
  std::istringstream stars(file_of({}, 5));
  EXPECT_TRUE(StarFileReader::is_star_file(stars));
  std::istringstream points("lat,lng\n1,2\n");
  EXPECT_FALSE(StarFileReader::is_star_file(points));
  std::istringstream none("");
  EXPECT_FALSE(StarFileReader::is_star_file(none));
}

TEST_F(StarFileTest, CutAnywhereIsAnError) {
  const std::string file = file_of(scattered(random, 60, 0, 150), 50);
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_THAT(error_of(file.substr(0, size)), HasSubstr("it is cut short")) << size;
  }
  EXPECT_EQ(error_of(file), "no error");
  EXPECT_THAT(error_of(file + "x"), HasSubstr("goes on after its end"));
}

TEST_F(StarFileTest, DamageIsAnErrorOrOther3Stars) {
  const std::string file = file_of(scattered(random, 60, 0, 150), 50);
  for (std::size_t offset = 0; offset < file.size(); ++offset) {
    std::string damaged = file;
    damaged[offset] = static_cast<char>(damaged[offset] ^ 1 << random(0, 7));
    error_of(damaged);  // Reads nothing behind its end.
    visit_damaged(damaged);
  }
  std::string other = file;
  other[0] = 'x';
  EXPECT_THAT(error_of(other), HasSubstr("it is no file of 3-stars"));
  other = file;
  other[8] = other[9] = other[10] = other[11] = 0;
  EXPECT_THAT(error_of(other), HasSubstr("it has a radius of 0"));
  other = file;
  other[other.size() - 1] = 1;
  EXPECT_THAT(error_of(other), HasSubstr("3-stars, but its end says"));
}

}  // namespace
}  // namespace millrace::three_star
