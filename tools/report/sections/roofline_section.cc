// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/efficiency/roofline.h>
#include <millrace/tools/report/sections/sections.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

std::string known_text(double number) { return number > 0 ? si_text(number) : ""; }

// In operations a second, or in bytes a second where no operations are declared.
std::string rate_text(const RooflinePoint& point) {
  return point.item_operations > 0 ? quantity_text(point.operation_rate, "op/s")
                                   : quantity_text(point.byte_rate, "B/s");
}

// The same of the roof, with the limit that it is of.
std::string roof_text(const RooflinePoint& point) {
  if (!point.roof) return "";
  const bool is_arithmetic = point.arithmetic != nullptr && *point.roof == point.arithmetic->value;
  const LimitRecord& limit = is_arithmetic ? *point.arithmetic : *point.bandwidth;
  return quantity_text(*point.roof, point.item_operations > 0 ? "op/s" : "B/s") + ", " + limit.name;
}

Table table_of(const MergedResults& merged, const std::vector<RooflinePoint>& points) {
  Table table{"Bytes and operations as the workloads declare them, and what limits allow",
              {{"Work"},
               {"Device"},
               {"Size", true},
               {"B/item", true},
               {"op/item", true},
               {"op/B", true},
               {"Rate", true},
               {"Roof"},
               {"Reached", true}},
              {}};
  for (const RooflinePoint& point : points) {
    table.rows.push_back(
        {point.name, name_of(merged, point.platform), std::to_string(point.measurement->size),
         known_text(point.item_bytes), known_text(point.item_operations),
         point.intensity > 0 ? ratio_text(point.intensity) : "", rate_text(point), roof_text(point),
         point.fraction ? quantity_text(100 * *point.fraction, "%") : ""});
  }
  return table;
}

bool is_drawn(const RooflinePoint& point) { return point.intensity > 0; }

// The roof of a limit of bytes from one intensity to another, below that of arithmetic.
ChartLine roof_line(const LimitRecord& bandwidth, const LimitRecord* arithmetic, double low,
                    double high) {
  ChartLine line{"limit: " + bandwidth.name, {}};
  const auto roof = [&](double intensity) {
    const double rate = intensity * bandwidth.value;
    return arithmetic == nullptr ? rate : std::min(rate, arithmetic->value);
  };
  line.points.push_back({low, roof(low)});
  const double ridge = arithmetic == nullptr ? 0 : arithmetic->value / bandwidth.value;
  if (ridge > low && ridge < high) line.points.push_back({ridge, roof(ridge)});
  line.points.push_back({high, roof(high)});
  if (arithmetic != nullptr) line.name += " and " + arithmetic->name;
  return line;
}

// The figure of a device's points; none if none of them can be drawn.
std::vector<Figure> device_figures(const MergedResults& merged, const Platform& platform,
                                   const std::vector<RooflinePoint>& all) {
  std::vector<RooflinePoint> points;
  double low = 0, high = 0;
  for (const RooflinePoint& point : all) {
    if (!(point.platform == platform) || !is_drawn(point)) continue;
    low = points.empty() ? point.intensity : std::min(low, point.intensity);
    high = std::max(high, point.intensity);
    points.push_back(point);
  }
  if (points.empty()) return {};
  LineChart chart{
      "Roofline of " + name_of(merged, platform), "operations a byte", "operations a second", {}};
  std::set<std::pair<const LimitRecord*, const LimitRecord*>> drawn;
  for (const RooflinePoint& point : points) {
    if (point.bandwidth == nullptr) continue;
    if (!drawn.emplace(point.bandwidth, point.arithmetic).second) continue;
    chart.lines.push_back(roof_line(*point.bandwidth, point.arithmetic, low / 2, high * 2));
  }
  for (const RooflinePoint& point : points) {
    chart.lines.push_back({point.name, {{point.intensity, point.operation_rate}}});
  }
  return {{std::move(chart),
           "Below a roof is what its limit leaves unused; both axes are "
           "logarithmic.",
           table_of(merged, points)}};
}

}  // namespace

Section roofline_section(const MergedResults& merged, const std::vector<Group>& groups) {
  Section section{"Rooflines", {}, {}};
  const std::vector<RooflinePoint> points = roofline_of(merged, groups);
  if (points.empty()) return section;
  std::vector<Platform> platforms;
  for (const RooflinePoint& point : points) {
    if (std::ranges::find(platforms, point.platform) == platforms.end()) {
      platforms.push_back(point.platform);
    }
  }
  for (const Platform& platform : platforms) {
    for (Figure& figure : device_figures(merged, platform, points)) {
      section.blocks.emplace_back(std::move(figure));
    }
  }
  section.blocks.emplace_back(
      std::in_place_type<Paragraph>,
      "Bytes and operations are those that the method needs, as each workload declares "
      "them; what a contender's code adds does not count. Work without declared "
      "operations is compared with the limit of its bytes. Where no limit of arithmetic "
      "fits, as for sums of absolute differences, the roof is that of bytes alone, and a "
      "small fraction of it says little.");
  section.blocks.emplace_back(table_of(merged, points));
  return section;
}

}  // namespace millrace::tools
