// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/three_star/limits/forbidden_polygons.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/geography/formats/geometry_file.h>
#include <millrace/tools/geography/sphere.h>
#include <millrace/tools/tables/text_encoding.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace millrace::tools {
namespace {

using three_star::AreaPolygon;
using three_star::Position;
using three_star::Ring;

// Longest segment of an edge in degrees. Its projection is within 10 cm of a straight line up to
// latitudes of 80 degrees.
constexpr double kSegmentDegrees = 0.01;
constexpr double kMostSegments = 4096;
constexpr double kMostMercator = 89;

std::vector<LatLng> in_segments(std::vector<LatLng> ring) {
  make_continuous(ring);
  std::vector<LatLng> corners;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const LatLng& from = ring[i];
    LatLng to = ring[(i + 1) % ring.size()];
    to.longitude = from.longitude + std::remainder(to.longitude - from.longitude, 360);
    const double degrees =
        std::max(std::abs(to.latitude - from.latitude), std::abs(to.longitude - from.longitude));
    const double count = std::clamp(std::ceil(degrees / kSegmentDegrees), 1.0, kMostSegments);
    for (double segment = 0; segment < count; ++segment) {
      const double fraction = segment / count;
      corners.push_back({from.latitude + fraction * (to.latitude - from.latitude),
                         from.longitude + fraction * (to.longitude - from.longitude)});
    }
  }
  return corners;
}

class Projector {
 public:
  Projector(const SensorGrid& grid, std::string name) : grid_(grid), name_(std::move(name)) {}

  std::vector<AreaPolygon> all(const GeometryFile& file) const {
    std::vector<AreaPolygon> polygons;
    for (const GeometryPolygon& polygon : file.polygons) {
      if (!grid_.is_lat_lng()) {
        polygons.push_back(plane(polygon));
        continue;
      }
      check_degrees(polygon);
      if (const auto region = grid_.region()) {
        if (is_near(polygon, *region)) polygons.push_back(projected(polygon, 0));
        continue;
      }
      // A polygon may have any turn.
      const double turns =
          std::round((grid_.middle_longitude() - polygon.rings[0][0].longitude) / 360);
      for (const double turn : {turns - 1, turns, turns + 1}) {
        polygons.push_back(projected(polygon, 360 * turn));
      }
    }
    return polygons;
  }

 private:
  void check_degrees(const GeometryPolygon& polygon) const {
    for (const auto& ring : polygon.rings) {
      for (const LatLng& corner : ring) {
        if (std::abs(corner.latitude) <= 90) continue;
        throw Error(ErrorCode::kIo, name_ +
                                        (polygon.location.empty() ? "" : ": " + polygon.location) +
                                        ": latitude " + std::to_string(corner.latitude) +
                                        "; its magnitude must be at most 90");
      }
    }
  }

  static bool is_near(const GeometryPolygon& polygon, const Stereographic& region) {
    const Direction centre = direction_of(region.centre());
    return std::ranges::any_of(polygon.rings, [&](const auto& ring) {
      return std::ranges::any_of(
          ring, [&](const LatLng& corner) { return dot(direction_of(corner), centre) > 0; });
    });
  }

  AreaPolygon plane(const GeometryPolygon& polygon) const {
    AreaPolygon result;
    for (const auto& corners : polygon.rings) {
      Ring& ring = result.rings.emplace_back();
      for (const LatLng& corner : corners) {
        ring.push_back(grid_.to_grid({corner.longitude, corner.latitude}));
      }
    }
    return result;
  }

  AreaPolygon projected(const GeometryPolygon& polygon, double turn) const {
    const bool is_mercator = grid_.projection() == Projection::kMercator;
    AreaPolygon result;
    for (const auto& corners : polygon.rings) {
      Ring& ring = result.rings.emplace_back();
      for (const LatLng& corner : in_segments(corners)) {
        const double latitude = is_mercator
                                    ? std::clamp(corner.latitude, -kMostMercator, kMostMercator)
                                    : corner.latitude;
        const Position position = grid_.to_grid({latitude, corner.longitude + turn});
        if (!std::isfinite(position.x) || !std::isfinite(position.y)) {
          throw Error(ErrorCode::kIo,
                      name_ + ": a polygon reaches the other side of the earth; cut it");
        }
        ring.push_back(position);
      }
    }
    return result;
  }

  const SensorGrid& grid_;
  const std::string name_;
};

}  // namespace

std::vector<AreaPolygon> read_forbidden_polygons(const std::string& path, const SensorGrid& grid) {
  const PositionedFile placed = PositionedFile::open(path);
  std::string bytes(placed.bytes(), '\0');
  placed.read(0, bytes.data(), bytes.size());
  const std::string text = to_utf8(bytes, placed.name());
  const bool is_xml = text.find('<') < text.find_first_of("{[");
  // Expat knows encodings of XML.
  const GeometryFile file =
      read_geometry(is_xml ? bytes : text, placed.name(), GeometryUse::kPolygons);
  if (file.polygons.empty()) {
    throw Error(ErrorCode::kIo,
                placed.name() + ": has no polygons; give one, or leave out --forbidden");
  }
  return Projector(grid, placed.name()).all(file);
}

}  // namespace millrace::tools
