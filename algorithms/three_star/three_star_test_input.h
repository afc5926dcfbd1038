// SPDX-License-Identifier: Apache-2.0

// Random sensors for tests, and a device for tests of host code.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_TEST_INPUT_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_TEST_INPUT_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/tests/random/seeded_random.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::three_star {

// Returns the first device that is not simulated.
inline std::shared_ptr<Device> some_device() {
  for (const DeviceInfo& device : list_devices()) {
    if (!device.is_simulated) return open_device(device.name);
  }
  return nullptr;
}

// Returns uniform points in a square whose lowest corner is (low, low).
inline std::vector<Point> scattered(SeededRandom& random, std::size_t count, std::int32_t low,
                                    std::int32_t width) {
  std::vector<Point> points(count);
  const auto coordinate = [&] {
    const auto step = random(0, static_cast<std::uint64_t>(width) - 1);
    return static_cast<std::int32_t>(low + static_cast<std::int64_t>(step));
  };
  for (Point& point : points) point = {coordinate(), coordinate()};
  return points;
}

struct Sensors {
  const char* name;
  std::vector<Point> points;
  std::int32_t radius;
};

// Returns sets that differ from each other, each with points at the limits of the definition.
// `percent` is the percentage of a set's points that is returned.
inline std::vector<Sensors> all_kinds(SeededRandom& random, std::size_t percent = 100) {
  const auto some = [&](std::size_t count, std::int32_t low, std::int32_t width) {
    return scattered(random, count * percent / 100, low, width);
  };
  constexpr std::int32_t kLeast = INT32_MIN;
  constexpr std::int32_t kMost = INT32_MAX;
  std::vector<Sensors> kinds = {
      {"none", {}, 50},
      {"one", {{3, 4}}, 50},
      {"two", {{0, 0}, {6, 0}}, 5},
      {"uniform", some(300, -200, 400), 50},
      {"on 225 positions, many at one distance", some(120, -7, 15), 5},
      {"on a coarse lattice", {}, 50},
      {"all in one cell", some(90, 0, 100), 50},
      {"on a line", {}, 50},
      {"at one position", std::vector<Point>(20, Point{-5, 9}), 1},
      {"a radius of one", some(60, -3, 6), 1},
      {"a radius that single precision rounds", some(200, -9000, 18000), 3001},
      {"the largest radius", some(120, -2'000'000, 4'000'000), kMostRadius},
      {"at the corners of the 32-bit range", {}, 1000},
      {"on a wide lattice, many at one distance", {}, 500},
  };
  // Cells are 100 wide: all points are on their borders.
  for (std::size_t i = 0; i < 150 * percent / 100; ++i) {
    const auto step = [&] { return 25 * (static_cast<std::int32_t>(random(0, 24)) - 12); };
    kinds[5].points.push_back({step(), step()});
    kinds[13].points.push_back({4 * step(), 4 * step()});
    const auto step_on = static_cast<std::int32_t>(i);
    kinds[7].points.push_back({3 * step_on, -step_on});
  }
  for (const std::int32_t x : {kLeast, kMost - 3000}) {
    for (const std::int32_t y : {kLeast, kMost - 3000}) {
      for (const Point& point : some(40, 0, 3000)) {
        kinds[12].points.push_back({x + point.x, y + point.y});
      }
    }
  }
  return kinds;
}

// The 3-stars of random_points(count) with a radius of 50.
struct KnownSet {
  std::size_t points;
  std::uint64_t three_stars;
  std::uint64_t hash;  // See set_hash.h.
};
inline constexpr KnownSet kKnownSets[] = {{1600, 4546, 0x61b07cd86900e071},
                                          {3200, 35191, 0xe63f71892cbae0a9},
                                          {6400, 283048, 0x84bc0209ded87033},
                                          {12800, 2275577, 0x1882c7579e2efa5f}};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_TEST_INPUT_H_
