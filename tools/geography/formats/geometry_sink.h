// SPDX-License-Identifier: Apache-2.0

// Collects the geometries of a file, and rejects those of the wrong kind.
#ifndef MILLRACE_TOOLS_GEOGRAPHY_FORMATS_GEOMETRY_SINK_H_
#define MILLRACE_TOOLS_GEOGRAPHY_FORMATS_GEOMETRY_SINK_H_

#include <millrace/tools/geography/formats/geometry_file.h>

#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

class GeometrySink {
 public:
  GeometrySink(std::string name, GeometryUse use) : name_(std::move(name)), use_(use) {}

  bool wants_points() const { return use_ == GeometryUse::kPoints; }
  const std::string& name() const { return name_; }

  // Each throws Error(kIo) with the name and `location`.
  [[noreturn]] void reject(const std::string& location, const std::string& what) const;
  // Rejects a geometry by the name of its type.
  [[noreturn]] void reject_type(const std::string& location, const std::string& type) const;
  void add_point(GeometryPoint point);
  void add_polygon(GeometryPolygon polygon);

  GeometryFile take() { return std::move(file_); }

 private:
  void check_position(const std::string& location, const LatLng& position) const;

  const std::string name_;
  const GeometryUse use_;
  GeometryFile file_;
};

// One format each; see read_geometry().
GeometryFile read_geojson(std::string_view text, GeometrySink sink);
GeometryFile read_kml(std::string_view text, GeometrySink sink);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_GEOGRAPHY_FORMATS_GEOMETRY_SINK_H_
