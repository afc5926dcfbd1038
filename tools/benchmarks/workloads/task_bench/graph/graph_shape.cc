// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/task_bench/graph/graph_shape.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/sip_hash.h>

#include <algorithm>
#include <bit>

namespace millrace::tools {
namespace {

using Points = std::vector<std::uint32_t>;

// Returns the points first..last that a graph of this width has.
Points clipped(std::int64_t first, std::int64_t last, std::uint32_t width) {
  Points points;
  last = std::min<std::int64_t>(last, std::int64_t{width} - 1);
  for (std::int64_t point = std::max<std::int64_t>(first, 0); point <= last; ++point) {
    points.push_back(static_cast<std::uint32_t>(point));
  }
  return points;
}

Points ring_neighbours(std::uint32_t point, std::uint32_t width) {
  return {(point + width - 1) % width, point, (point + 1) % width};
}

Points fft_partners(std::int64_t point, std::uint32_t set, std::uint32_t width) {
  const std::int64_t distance = std::int64_t{1} << set;
  Points points;
  for (const std::int64_t each : {point - distance, point, point + distance}) {
    if (each >= 0 && each < width) points.push_back(static_cast<std::uint32_t>(each));
  }
  return points;
}

Points nearest(std::int64_t point, const GraphShape& shape) {
  const std::int64_t radix = shape.radix;
  if (radix == 0) return {};
  return clipped(point - radix / 2, point + (radix - 1) / 2, shape.width);
}

Points spread(std::uint64_t point, std::uint32_t set, const GraphShape& shape) {
  Points points;
  for (std::uint64_t i = 0; i < shape.radix; ++i) {
    const std::uint64_t distance = i * shape.width / shape.radix + (i > 0 ? set : 0);
    points.push_back(static_cast<std::uint32_t>((point + distance) % shape.width));
  }
  return points;
}

// Task Bench draws a dependence by the hash of the graph's index, which is 0, the radix, the set
// and the two points, under a key of the bytes 1 to 15 and 0.
bool is_drawn(std::uint32_t dependence, std::uint32_t point, std::uint32_t set,
              const GraphShape& shape) {
  constexpr SipKey kKey = {0x0807060504030201, 0x000f0e0d0c0b0a09};
  const std::uint64_t hash = sip_hash(kKey, {0, shape.radix, set, dependence, point});
  return static_cast<double>(hash) * 0x1p-64 < shape.fraction;
}

Points random_nearest(std::uint32_t point, std::uint32_t set, const GraphShape& shape) {
  Points points = nearest(point, shape);
  std::erase_if(points, [&](std::uint32_t dependence) {
    return dependence != point && !is_drawn(dependence, point, set, shape);
  });
  return points;
}

Points unordered_dependences(const GraphShape& shape, std::uint32_t set, std::uint32_t point) {
  const std::int64_t middle = point;
  switch (shape.pattern) {
    case DependencePattern::kTrivial: return {};
    case DependencePattern::kNoComm: return {point};
    case DependencePattern::kStencil1d: return clipped(middle - 1, middle + 1, shape.width);
    case DependencePattern::kStencil1dPeriodic: return ring_neighbours(point, shape.width);
    case DependencePattern::kDom: return clipped(middle - 1, middle, shape.width);
    case DependencePattern::kTree: return {point / 2};
    case DependencePattern::kFft: return fft_partners(point, set, shape.width);
    case DependencePattern::kNearest: return nearest(point, shape);
    case DependencePattern::kSpread: return spread(point, set, shape);
    case DependencePattern::kRandomNearest: return random_nearest(point, set, shape);
  }
  return {};
}

}  // namespace

std::string to_string(DependencePattern pattern) {
  switch (pattern) {
    case DependencePattern::kTrivial: return "trivial";
    case DependencePattern::kNoComm: return "no_comm";
    case DependencePattern::kStencil1d: return "stencil_1d";
    case DependencePattern::kStencil1dPeriodic: return "stencil_1d_periodic";
    case DependencePattern::kDom: return "dom";
    case DependencePattern::kTree: return "tree";
    case DependencePattern::kFft: return "fft";
    case DependencePattern::kNearest: return "nearest";
    case DependencePattern::kSpread: return "spread";
    case DependencePattern::kRandomNearest: return "random_nearest";
  }
  return {};
}

PointRange GraphShape::points_at(std::uint32_t step) const {
  if (pattern == DependencePattern::kDom) {
    const std::uint32_t begin = step + width > steps ? step + width - steps : 0;
    return {begin, begin + std::min({width, step + 1, steps - step})};
  }
  if (pattern == DependencePattern::kTree && step < 32) {
    return {0,
            static_cast<std::uint32_t>(std::min<std::uint64_t>(width, std::uint64_t{1} << step))};
  }
  return {0, width};
}

std::uint32_t GraphShape::sets() const {
  if (pattern == DependencePattern::kFft)
    return static_cast<std::uint32_t>(std::bit_width(width - 1));
  const bool repeats =
      pattern == DependencePattern::kSpread || pattern == DependencePattern::kRandomNearest;
  return repeats ? period : 1;
}

std::uint32_t GraphShape::set_at(std::uint32_t step) const {
  return pattern == DependencePattern::kFft ? (step + sets() - 1) % sets() : step % sets();
}

std::vector<std::uint32_t> GraphShape::dependences(std::uint32_t set, std::uint32_t point) const {
  Points points = unordered_dependences(*this, set, point);
  std::ranges::sort(points);
  const auto repeated = std::ranges::unique(points);
  points.erase(repeated.begin(), repeated.end());
  return points;
}

GraphShape shape_of(DependencePattern pattern, std::uint32_t width, std::uint32_t steps) {
  if (pattern == DependencePattern::kDom) width = std::min(width, std::max(2u, (steps + 1) / 2));
  GraphShape shape{.pattern = pattern, .width = width, .steps = steps};
  shape.radix = std::min(shape.radix, width);
  // A longer period of kSpread would repeat dependences.
  shape.period = std::min(shape.period, (width + shape.radix - 1) / shape.radix);
  return shape;
}

}  // namespace millrace::tools
