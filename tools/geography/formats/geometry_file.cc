// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/geography/formats/geometry_file.h>
#include <millrace/tools/geography/formats/geometry_sink.h>

#include <cmath>
#include <cstddef>

namespace millrace::tools {
namespace {

// Returns the text behind a byte order mark and blanks.
std::string_view beginning_of(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == text.npos ? std::string_view() : text.substr(first);
}

}  // namespace

void GeometrySink::reject(const std::string& location, const std::string& what) const {
  throw Error(ErrorCode::kIo, name_ + (location.empty() ? "" : ": " + location) + ": " + what);
}

void GeometrySink::reject_type(const std::string& location, const std::string& type) const {
  reject(location,
         "is a " + type + "; give " +
             (wants_points() ? "Point and MultiPoint alone" : "Polygon and MultiPolygon alone"));
}

void GeometrySink::check_position(const std::string& location, const LatLng& position) const {
  // The caller knows the limits of a projection.
  if (std::isfinite(position.latitude) && std::isfinite(position.longitude)) return;
  reject(location, "has a coordinate that is not finite; give finite ones");
}

void GeometrySink::add_point(GeometryPoint point) {
  check_position(point.location, point.position);
  if (point.range && !(*point.range > 0 && std::isfinite(*point.range))) {
    reject(point.location, "range is " + std::to_string(*point.range) +
                               "; give a number greater than 0, or leave it out");
  }
  file_.points.push_back(std::move(point));
}

void GeometrySink::add_polygon(GeometryPolygon polygon) {
  for (std::vector<LatLng>& ring : polygon.rings) {
    for (const LatLng& corner : ring) check_position(polygon.location, corner);
    if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
    if (ring.size() < 3) {
      reject(polygon.location, "has a ring of " + std::to_string(ring.size()) +
                                   " corners; it must have three or more");
    }
  }
  file_.polygons.push_back(std::move(polygon));
}

void make_continuous(std::vector<LatLng>& ring) {
  for (std::size_t i = 1; i < ring.size(); ++i) {
    ring[i].longitude =
        ring[i - 1].longitude + std::remainder(ring[i].longitude - ring[i - 1].longitude, 360);
  }
}

bool is_geometry(std::string_view text) {
  const std::string_view rest = beginning_of(text);
  if (rest.starts_with('<')) return true;
  if (!rest.starts_with('{') && !rest.starts_with('[')) return false;
  // A table may begin with a number or a name in brackets.
  const std::size_t second = rest.find_first_not_of(" \t\r\n", 1);
  return second != rest.npos && std::string_view("\"[{}]").find(rest[second]) != rest.npos;
}

GeometryFile read_geometry(std::string_view text, const std::string& name, GeometryUse use) {
  const std::string_view rest = beginning_of(text);
  GeometrySink sink(name, use);
  if (rest.starts_with('<')) return read_kml(text, std::move(sink));
  if (rest.starts_with('{') || rest.starts_with('[')) return read_geojson(rest, std::move(sink));
  sink.reject("", "is neither GeoJSON nor KML; give one of these");
}

}  // namespace millrace::tools
