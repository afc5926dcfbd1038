// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/efficiency/roofline.h>

#include <algorithm>

namespace millrace::tools {
namespace {

constexpr const char* kCopyLimit = "copy";

const LimitRecord* limit_of(const MergedResults& merged, const Platform& platform,
                            const std::string& name, const char* unit) {
  const std::vector<LimitRecord>& limits = merged.machines[platform.machine].results.limits;
  const auto found = std::ranges::find_if(limits, [&](const LimitRecord& limit) {
    return limit.device == platform.device && limit.name == name && limit.unit == unit;
  });
  return found == limits.end() ? nullptr : &*found;
}

// Sets what the limits allow.
void set_roof(RooflinePoint& point) {
  if (point.item_operations == 0) {
    if (point.bandwidth == nullptr) return;
    point.roof = point.bandwidth->value;
    point.fraction = point.byte_rate / *point.roof;
    return;
  }
  if (point.intensity > 0 && point.bandwidth != nullptr) {
    point.roof = point.intensity * point.bandwidth->value;
  }
  if (point.arithmetic != nullptr) {
    point.roof = std::min(point.roof.value_or(point.arithmetic->value), point.arithmetic->value);
  }
  if (point.roof) point.fraction = point.operation_rate / *point.roof;
}

RooflinePoint point_of(const MergedResults& merged, const Group& group, const Platform& platform,
                       const Measurement& best) {
  RooflinePoint point{.name = group.name(), .platform = platform, .measurement = &best};
  point.item_bytes = best.bytes / best.items;
  point.item_operations = best.operations / best.items;
  point.byte_rate = best.bytes / best.median_seconds;
  point.operation_rate = best.operations / best.median_seconds;
  if (best.bytes > 0) {
    point.intensity = best.operations / best.bytes;
    point.bandwidth = limit_of(merged, platform, best.limit, "B/s");
    if (point.bandwidth == nullptr) point.bandwidth = limit_of(merged, platform, kCopyLimit, "B/s");
  }
  if (best.operations > 0) {
    point.arithmetic = limit_of(merged, platform, best.operation_limit, "op/s");
  }
  set_roof(point);
  return point;
}

}  // namespace

std::vector<RooflinePoint> roofline_of(const MergedResults& merged,
                                       const std::vector<Group>& groups) {
  std::vector<RooflinePoint> points;
  for (const Group& group : groups) {
    for (const Platform& platform : platforms_of(group)) {
      const Curve best = best_of(curves_of(group, platform));
      if (best.points.empty()) continue;
      const Measurement& largest = *best.points.back();
      if (largest.items <= 0 || (largest.bytes <= 0 && largest.operations <= 0)) continue;
      points.push_back(point_of(merged, group, platform, largest));
    }
  }
  return points;
}

}  // namespace millrace::tools
