// SPDX-License-Identifier: Apache-2.0

// The points of a file on a grid of whole numbers, on which the search is exact.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_SENSOR_GRID_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_SENSOR_GRID_H_

#include <millrace/algorithms/three_star/chunks/star_file.h>
#include <millrace/algorithms/three_star/placement/position.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/tools/command/three_star/points/point_file.h>
#include <millrace/tools/geography/sphere.h>
#include <millrace/tools/geography/stereographic.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {

// Projections of degrees to a plane.
enum class Projection {
  // Projects each region of points about its own centre: distances differ from the sphere's by at
  // most kMostScaleError.
  kStereographic,
  // Projects all points at once, in metres that are true at their middle latitude.
  kEquirectangular,
  kMercator,
};

// The fraction by which Projection::kStereographic may lengthen or shorten distances.
inline constexpr double kMostScaleError = 0.0005;

struct GridOptions {
  double radius = 0;                          // Counted in the input's units; metres for latitudes.
  double step = 0;                            // Width of the grid; 0: the default below.
  std::optional<Projection> projection = {};  // Only latitudes use it; default: stereographic.
};

class SensorGrid {
 public:
  // The grid has a width of 1 for whole coordinates and a whole radius, else of a 10,000th of the
  // radius. Degrees are projected in several regions, side by side on the grid, if the error of one
  // projection would exceed kMostScaleError. Throws Error(kInvalidArgument) if the radius is not a
  // whole number of steps, or too many for the search or for that error, if a projection is given
  // for x and y, or if the points do not fit into 32 bits; Error(kIo) for values that are not
  // degrees. `relays`, unless null, are relays that exist: they are projected with the points, so
  // Error(kInvalidArgument) is thrown also as check_placement() does, and if the columns differ.
  SensorGrid(const PointFile& file, const GridOptions& options, const PointFile* relays = nullptr);

  // Makes the grid of a file of 3-stars, which its reader has checked.
  SensorGrid(std::vector<three_star::Point> points, std::int32_t radius,
             const three_star::StarFileUnits& units, std::vector<std::uint32_t> origins = {});

  // Returns the units for such a file.
  three_star::StarFileUnits units() const;

  // The points of the input in its order, then copies of those that several regions need.
  const std::vector<three_star::Point>& points() const { return points_; }
  // Returns the original point of each copy.
  const std::vector<std::uint32_t>& origins() const { return origins_; }
  std::size_t inputs() const { return points_.size() - origins_.size(); }

  // The relays that exist.
  const std::vector<three_star::Point>& relays() const { return relays_; }

  std::int32_t radius() const { return radius_; }
  // Returns the radius in the input's units.
  double input_radius() const { return input_radius_; }

  double step() const { return step_; }
  bool is_rounded() const { return is_rounded_; }
  bool is_lat_lng() const { return is_lat_lng_; }

  // Returns "" for x and y.
  std::string projection_name() const;
  // Describes the projection of latitudes: the errors of distances.
  std::string projection_summary() const;
  // Range of distances in the plane relative to the sphere's; 1 for x and y.
  ScaleRange scale() const;
  // Number of projections; 1 for x and y.
  std::size_t regions() const { return regions_; }

  // Throws Error(kInvalidArgument) if regions() is more than 1: relays cannot join regions.
  void check_placement() const;

  // Converts a position on the grid to the file's units, for one region. Longitudes are from 0 to
  // 360 if the input has some beyond 180, else from -180 to 180.
  three_star::Position to_input(const three_star::Position& position) const;

  // The inverse, for one region. Longitudes may have any turn: those of a projection of all points
  // at once are taken as they are, from middle_longitude() on in both directions.
  three_star::Position to_grid(const three_star::Position& input) const;
  double middle_longitude() const { return middle_longitude_; }

  // Projection of the only region, or nullopt if it is another one or for x and y.
  std::optional<Stereographic> region() const;

  Projection projection() const { return projection_; }
  // Origin of the grid, in steps.
  three_star::Position origin() const { return {origin_x_, origin_y_}; }
  double middle_cosine() const { return middle_cosine_; }

 private:
  void choose_projection(const PointFile& file, const GridOptions& options, std::size_t points,
                         const PointFile* relays);
  void set_latitudes(double least, double most);
  void choose_step(std::span<const three_star::Position> plane, const GridOptions& options);
  void project_at_once(const PointFile& file);
  void project_on_sphere(const PointFile& file);
  void project_regions(std::span<const Direction> directions);
  void round(std::span<const three_star::Position> plane);
  three_star::Position to_plane(const three_star::Position& degrees) const;
  double written_longitude(double longitude) const;
  std::string span_text() const;

  bool is_lat_lng_ = false;
  Projection projection_ = Projection::kStereographic;
  double least_latitude_ = 0;
  double most_latitude_ = 0;
  double middle_cosine_ = 1;         // Cosine of the middle latitude.
  std::optional<double> seam_ = {};  // The longitude where distances are cut off.
  double middle_longitude_ = 0;      // Middle of a projection of all points at once.
  bool is_east_alone_ = false;       // Longitudes are written as 0 to 360.

  Stereographic stereographic_ = {{}, 1};  // Projection of the only region.
  ScaleRange scale_ = {};                  // Range over all regions.
  std::size_t regions_ = 1;
  double span_ = 0;  // Width of the area of the points on the sphere, in radians.

  double step_ = 1;
  std::int32_t radius_ = 1;  // Counted in steps.
  double input_radius_ = 1;
  double origin_x_ = 0;  // Origin of the grid, in steps.
  double origin_y_ = 0;
  bool is_rounded_ = false;
  std::vector<three_star::Point> points_;
  std::vector<std::uint32_t> origins_;
  std::vector<three_star::Point> relays_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_POINTS_SENSOR_GRID_H_
