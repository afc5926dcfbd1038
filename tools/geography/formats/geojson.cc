// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/geography/formats/geometry_sink.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using nlohmann::json;

// Values nested deeper are no GeoJSON, and would take stack.
constexpr int kMostDepth = 200;

json parse(std::string_view text, const GeometrySink& sink) {
  bool is_deep = false;
  const auto check_depth = [&](int depth, json::parse_event_t /*event*/, json& /*value*/) {
    is_deep = is_deep || depth > kMostDepth;
    return !is_deep;
  };
  try {
    json value = json::parse(text, check_depth);
    if (is_deep) sink.reject("", "nests values too deeply; GeoJSON needs no more than nine levels");
    return value;
  } catch (const json::parse_error& error) {
    sink.reject(
        "", "is not valid JSON at byte " + std::to_string(error.byte) + "; export the file again");
  }
}

std::string type_of(const json& value) {
  if (!value.is_object()) return "";
  const auto found = value.find("type");
  return found != value.end() && found->is_string() ? found->get<std::string>() : "";
}

class GeoJsonReader {
 public:
  explicit GeoJsonReader(GeometrySink sink) : sink_(std::move(sink)) {}

  GeometryFile read(std::string_view text) {
    const json value = parse(text, sink_);
    const std::string type = type_of(value);
    check_system(value);
    if (type == "FeatureCollection") {
      const auto features = value.find("features");
      if (features == value.end() || !features->is_array()) {
        sink_.reject(
            "", "is a FeatureCollection without an array of features; give it \"features\": [...]");
      }
      for (std::size_t i = 0; i < features->size(); ++i) {
        take_feature((*features)[i], "features[" + std::to_string(i) + "]");
      }
    } else if (type == "Feature") {
      take_feature(value, "");
    } else {
      take_geometry(value, "", {});
    }
    return sink_.take();
  }

 private:
  // GeoJSON before RFC 7946 could name a coordinate reference system.
  void check_system(const json& value) const {
    const auto crs = value.is_object() ? value.find("crs") : value.end();
    if (!value.is_object() || crs == value.end() || crs->is_null()) return;
    std::string system = "another system";
    if (crs->is_object() && crs->contains("properties") && (*crs)["properties"].is_object()) {
      const json& properties = (*crs)["properties"];
      if (properties.contains("name") && properties["name"].is_string()) {
        system = properties["name"].get<std::string>().substr(0, 60);
      }
    }
    for (const char* const known : {"CRS84", "EPSG::4326", "EPSG:4326"}) {
      if (system.ends_with(known)) return;
    }
    sink_.reject("", "has coordinates in '" + system +
                         "'; convert them to longitudes and latitudes of WGS 84");
  }

  void take_feature(const json& feature, const std::string& location) {
    if (type_of(feature) != "Feature") {
      sink_.reject(location, "is no Feature; give one, whose type is \"Feature\"");
    }
    const auto geometry = feature.find("geometry");
    if (geometry == feature.end()) {
      sink_.reject(location, "has no geometry; give it one, or leave the feature out");
    }
    if (geometry->is_null()) {
      sink_.reject(location, "has a geometry of null; leave the feature out");
    }
    const auto properties = feature.find("properties");
    const bool has_properties = properties != feature.end() && properties->is_object();
    const std::string type = type_of(*geometry);
    if (has_properties && sink_.wants_points() && type.ends_with("LineString")) {
      const auto kind = properties->find("kind");
      if (kind != properties->end() && *kind == "link") return;
    }
    std::optional<double> range;
    if (has_properties && sink_.wants_points()) range = range_of(*properties, location);
    take_geometry(*geometry, location, range);
  }

  std::optional<double> range_of(const json& properties, const std::string& location) const {
    const auto range = properties.find("range");
    if (range == properties.end() || range->is_null()) return {};
    if (!range->is_number()) {
      sink_.reject(location, "range is " + range->dump().substr(0, 40) +
                                 "; give a number greater than 0, or leave it out");
    }
    return range->get<double>();
  }

  void take_geometry(const json& geometry, const std::string& location,
                     const std::optional<double>& range) {
    const std::string type = type_of(geometry);
    if (type.empty()) {
      sink_.reject(
          location,
          "is no GeoJSON: it has no type; give a FeatureCollection, a Feature or a geometry");
    }
    const bool is_point = type == "Point" || type == "MultiPoint";
    const bool is_polygon = type == "Polygon" || type == "MultiPolygon";
    if (!is_known(type)) {
      sink_.reject(location,
                   "is of type '" + type.substr(0, 40) + "', which is not one of GeoJSON's; give " +
                       (sink_.wants_points() ? "Point or MultiPoint" : "Polygon or MultiPolygon"));
    }
    if (sink_.wants_points() ? !is_point : !is_polygon) sink_.reject_type(location, type);
    const auto coordinates = geometry.find("coordinates");
    if (coordinates == geometry.end() || !coordinates->is_array()) {
      sink_.reject(location,
                   "is a " + type + " without coordinates; give it \"coordinates\": [...]");
    }
    if (type == "Point") {
      sink_.add_point({position(*coordinates, location), range, location});
    } else if (type == "MultiPoint") {
      for (const json& each : *coordinates) {
        sink_.add_point({position(each, location), range, location});
      }
    } else if (type == "Polygon") {
      sink_.add_polygon(polygon(*coordinates, location));
    } else {
      for (const json& each : *coordinates) sink_.add_polygon(polygon(each, location));
    }
  }

  static bool is_known(const std::string& type) {
    constexpr const char* kTypes[] = {
        "Point",           "MultiPoint",   "LineString",        "Polygon",
        "MultiLineString", "MultiPolygon", "GeometryCollection"};
    return std::ranges::find(kTypes, type) != std::end(kTypes);
  }

  // Longitude and latitude, and an altitude that is not used.
  LatLng position(const json& numbers, const std::string& location) const {
    const bool is_pair = numbers.is_array() && numbers.size() >= 2 && numbers[0].is_number() &&
                         numbers[1].is_number();
    if (!is_pair) {
      sink_.reject(
          location,
          numbers.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 40) +
              " is not a longitude and a latitude; write them in degrees, such as [13.40,52.52]");
    }
    return {numbers[1].get<double>(), numbers[0].get<double>()};
  }

  GeometryPolygon polygon(const json& rings, const std::string& location) const {
    GeometryPolygon polygon;
    polygon.location = location;
    if (!rings.is_array() || rings.empty()) {
      sink_.reject(location, "is a polygon without rings; give the ring of its corners");
    }
    for (const json& ring : rings) {
      if (!ring.is_array()) {
        sink_.reject(
            location,
            "has a ring that is not an array; give an array of positions, such as [13.40,52.52]");
      }
      std::vector<LatLng>& corners = polygon.rings.emplace_back();
      for (const json& corner : ring) corners.push_back(position(corner, location));
    }
    return polygon;
  }

  GeometrySink sink_;
};

}  // namespace

GeometryFile read_geojson(std::string_view text, GeometrySink sink) {
  return GeoJsonReader(std::move(sink)).read(text);
}

}  // namespace millrace::tools
