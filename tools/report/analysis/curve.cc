// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/curve.h>

#include <algorithm>
#include <map>

namespace millrace::tools {
namespace {

double amount_of(const Measurement& measurement) {
  if (measurement.items > 0) return measurement.items;
  return measurement.bytes > 0 ? measurement.bytes : 1;
}

Curve fastest(const std::vector<Curve>& curves, bool of_peers) {
  std::map<std::uint64_t, const Measurement*> best;
  for (const Curve& curve : curves) {
    for (const Measurement* point : curve.points) {
      if (point->peer.empty() == of_peers) continue;
      const Measurement*& so_far = best[point->size];
      if (so_far == nullptr || point->median_seconds < so_far->median_seconds) so_far = point;
    }
  }
  Curve result;
  if (!curves.empty()) result.platform = curves.front().platform;
  for (const auto& [size, point] : best) result.points.push_back(point);
  return result;
}

}  // namespace

const Measurement* Curve::at(std::uint64_t size) const {
  const auto found = std::ranges::find(points, size, &Measurement::size);
  return found == points.end() ? nullptr : *found;
}

std::vector<Curve> curves_of(const Group& group, const Platform& platform) {
  std::vector<Curve> curves;
  for (const Entry& entry : group.entries) {
    if (!(entry.platform == platform) || entry.measurement->status != MeasurementStatus::kOk) {
      continue;
    }
    const std::string contender = contender_of(*entry.measurement);
    auto curve = std::ranges::find(curves, contender, &Curve::contender);
    if (curve == curves.end()) curve = curves.insert(curve, {platform, contender, {}});
    curve->points.push_back(entry.measurement);
  }
  for (Curve& curve : curves) std::ranges::stable_sort(curve.points, {}, &Measurement::size);
  return curves;
}

std::vector<Platform> platforms_of(const Group& group) {
  std::vector<Platform> platforms;
  for (const Entry& entry : group.entries) {
    if (entry.measurement->status != MeasurementStatus::kOk) continue;
    if (std::ranges::find(platforms, entry.platform) == platforms.end()) {
      platforms.push_back(entry.platform);
    }
  }
  return platforms;
}

std::vector<Platform> platforms_of(const std::vector<Group>& groups) {
  std::vector<Platform> platforms;
  for (const Group& group : groups) {
    for (const Platform& platform : platforms_of(group)) {
      if (std::ranges::find(platforms, platform) == platforms.end()) platforms.push_back(platform);
    }
  }
  return platforms;
}

Curve best_of(const std::vector<Curve>& curves) { return fastest(curves, false); }

Curve best_peer_of(const std::vector<Curve>& curves) { return fastest(curves, true); }

std::string item_of(const Measurement& measurement) {
  if (measurement.items > 0) {
    return measurement.item_name.empty() ? "items" : measurement.item_name;
  }
  return measurement.bytes > 0 ? "B" : "runs";
}

double value_of(const Measurement& measurement, const char* name) {
  const auto found = measurement.values.find(name);
  return found == measurement.values.end() ? 0 : found->second;
}

Rate rate_of(const Measurement& measurement) {
  const double amount = amount_of(measurement);
  return {amount / measurement.median_seconds, amount / measurement.high_seconds,
          amount / measurement.low_seconds};
}

std::string rate_unit(const Measurement& measurement) { return item_of(measurement) + "/s"; }

}  // namespace millrace::tools
