// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/network/relay_page.h>
#include <millrace/tools/command/three_star/network/relay_page_text.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::AreaPolygon;
using three_star::Position;

// Returns little-endian words in base64.
std::string base64(std::span<const std::uint32_t> words) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t bytes = 4 * words.size();
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < bytes ? words[i / 4] >> (8 * (i % 4)) & 0xff : 0;
  };
  std::string text;
  text.reserve((bytes + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes; i += 3) {
    const std::uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[three >> shift & 63];
  }
  for (std::size_t i = bytes; i % 3 != 0; ++i) text[text.size() - 1 - (i - bytes)] = '=';
  return text;
}

// The area of all nodes, in steps.
struct Bounds {
  Position low = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Position high = {-low.x, -low.y};

  void include(const Position& position) {
    low = {std::min(low.x, position.x), std::min(low.y, position.y)};
    high = {std::max(high.x, position.x), std::max(high.y, position.y)};
  }
  double width() const { return std::max({high.x - low.x, high.y - low.y, 1.0}); }
};

nlohmann::json rings_of(std::span<const AreaPolygon> polygons, const Bounds& bounds, double step) {
  // Corners far outside of the map are moved to its surroundings.
  const double far = 100 * bounds.width();
  auto json = nlohmann::json::array();
  for (const AreaPolygon& polygon : polygons) {
    auto rings = nlohmann::json::array();
    for (const auto& ring : polygon.rings) {
      auto numbers = nlohmann::json::array();
      for (const Position& corner : ring) {
        numbers.push_back(std::clamp(corner.x - bounds.low.x, -far, far) * step);
        numbers.push_back(std::clamp(corner.y - bounds.low.y, -far, far) * step);
      }
      rings.push_back(std::move(numbers));
    }
    json.push_back(std::move(rings));
  }
  return json;
}

nlohmann::json projection_of(const SensorGrid& grid) {
  if (!grid.is_lat_lng()) return {{"name", "plane"}};
  nlohmann::json json = {{"name", grid.projection_name()}};
  if (const auto region = grid.region()) {
    json["latitude"] = region->centre().latitude;
    json["longitude"] = region->centre().longitude;
    json["scale"] = region->scale();
  } else {
    json["cosine"] = grid.middle_cosine();
    json["longitude"] = grid.middle_longitude();
  }
  return json;
}

}  // namespace

void write_relay_page(const NetworkNodes& nodes, const SensorGrid& grid,
                      std::span<const AreaPolygon> polygons, std::ostream& out) {
  Bounds bounds;
  for (std::uint32_t i = 0; i < nodes.count(); ++i) bounds.include(nodes.position(i));
  if (nodes.count() == 0) bounds.include({0, 0});
  // Positions are whole numbers of units, of which 2^31 are as wide as the map.
  const double unit = bounds.width() / 0x1p31;
  std::vector<std::uint32_t> positions;
  std::array<std::size_t, 4> counts{};
  std::vector<std::uint32_t> fixed;
  for (std::uint32_t i = 0; i < nodes.count(); ++i) {
    const Position position = nodes.position(i);
    positions.push_back(static_cast<std::uint32_t>((position.x - bounds.low.x) / unit));
    positions.push_back(static_cast<std::uint32_t>((position.y - bounds.low.y) / unit));
    const NodeKind kind = nodes.kind(i);
    ++counts[static_cast<std::size_t>(kind)];
    if (kind == NodeKind::kFixedRelay) {
      fixed.push_back(static_cast<std::uint32_t>(std::stoul(nodes.name(i).substr(1))));
    }
  }
  std::vector<std::uint32_t> links;
  for (const three_star::Link& link : nodes.links()) {
    links.push_back(link.a);
    links.push_back(link.b);
  }
  const double step = grid.step();
  const Position origin = grid.origin();
  const nlohmann::json data = {{"unit", unit * step},
                               {"left", (bounds.low.x + origin.x) * step},
                               {"bottom", (bounds.low.y + origin.y) * step},
                               {"width", (bounds.high.x - bounds.low.x) * step},
                               {"height", (bounds.high.y - bounds.low.y) * step},
                               {"radius", grid.input_radius()},
                               {"projection", projection_of(grid)},
                               {"counts", counts},
                               {"fixed", fixed},
                               {"polygons", rings_of(polygons, bounds, step)},
                               {"positions", base64(positions)},
                               {"links", base64(links)}};
  out << kRelayPageHead << data.dump() << kRelayPageScript;
}

}  // namespace millrace::tools
