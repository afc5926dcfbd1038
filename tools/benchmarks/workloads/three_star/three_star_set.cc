// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/object_pool.h>
#include <millrace/algorithms/three_star/set_hash.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_set.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::SearchOptions;
using three_star::ThreeStar;

constexpr std::size_t kSensors = 8;  // Their 3-stars are found by the definition, too.
constexpr std::uint8_t kNone = kSensors;

void add(const ThreeStar& star, ThreeStarSet& set) {
  ++set.count;
  set.hash += hash_of(star);
}

void add(const ThreeStarSet& other, ThreeStarSet& set) {
  set.count += other.count;
  set.hash += other.hash;
}

// Sets of all, and of those of each of the sensors.
struct Sets {
  ThreeStarSet all;
  std::array<ThreeStarSet, kSensors> of_sensors;
};

ThreeStar in_order(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::array<std::uint32_t, 3> ids = {a, b, c};
  std::ranges::sort(ids);
  return {ids[0], ids[1], ids[2]};
}

// Finds the 3-stars of a sensor by the definition.
ThreeStarSet set_of(std::span<const Point> points, std::uint32_t sensor, std::int32_t radius) {
  std::vector<std::uint32_t> others;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    if (is_side(offset(points[sensor], points[i]), radius)) others.push_back(i);
  }
  ThreeStarSet set;
  for (std::size_t i = 0; i < others.size(); ++i) {
    for (std::size_t k = i + 1; k < others.size(); ++k) {
      if (is_three_star(points[sensor], points[others[i]], points[others[k]], radius)) {
        add(in_order(sensor, others[i], others[k]), set);
      }
    }
  }
  return set;
}

bool is_one(const ThreeStar& star, std::span<const Point> points, std::int32_t radius) {
  return star.a < star.b && star.b < star.c && star.c < points.size() &&
         is_three_star(points[star.a], points[star.b], points[star.c], radius);
}

// Sensors to sample, spread over all, by their indices; kNone for others.
class Chosen {
 public:
  explicit Chosen(std::size_t points) : index_in_sample_(points, kNone) {
    for (std::size_t i = 0; i < std::min(kSensors, points); ++i) {
      sensors_.push_back(static_cast<std::uint32_t>(i * points / std::min(kSensors, points)));
      index_in_sample_[sensors_.back()] = static_cast<std::uint8_t>(i);
    }
  }

  const std::vector<std::uint32_t>& sensors() const { return sensors_; }

  void add_to(Sets& sets, const ThreeStar& star) const {
    add(star, sets.all);
    for (const std::uint32_t id : {star.a, star.b, star.c}) {
      if (index_in_sample_[id] != kNone) add(star, sets.of_sensors[index_in_sample_[id]]);
    }
  }

 private:
  std::vector<std::uint32_t> sensors_;
  std::vector<std::uint8_t> index_in_sample_;
};

}  // namespace

ThreeStarSet checked_three_star_set(VisitThreeStars* visit, Queue& queue,
                                    std::span<const Point> points, const SearchOptions& options) {
  const Chosen chosen(points.size());
  three_star::ObjectPool<Sets> pool{Sets{}};
  std::atomic<std::uint64_t> wrong = 0;
  visit(queue, points, options, [&](std::span<const ThreeStar> some) {
    const auto sets = pool.borrow();
    for (const ThreeStar& star : some) {
      if (is_one(star, points, options.radius)) {
        chosen.add_to(*sets, star);
      } else {
        ++wrong;
      }
    }
  });
  if (wrong > 0) {
    throw Error(ErrorCode::kInternal, std::to_string(wrong) + " of what is found are no 3-stars");
  }
  Sets sums;
  for (const auto& own : pool.objects()) {
    add(own->all, sums.all);
    for (std::size_t i = 0; i < kSensors; ++i) add(own->of_sensors[i], sums.of_sensors[i]);
  }
  for (std::size_t i = 0; i < chosen.sensors().size(); ++i) {
    const std::uint32_t sensor = chosen.sensors()[i];
    if (sums.of_sensors[i] == set_of(points, sensor, options.radius)) continue;
    throw Error(ErrorCode::kInternal,
                "the 3-stars of sensor " + std::to_string(sensor) + " are not the right ones");
  }
  return sums.all;
}

}  // namespace millrace::tools
