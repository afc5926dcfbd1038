// Points of a file on the grid of whole numbers that the search is exact on.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_GRID_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_GRID_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/relay_position.h>
#include <millrace/algorithms/three_star/star_file.h>
#include <millrace/tools/command/three_star_input.h>

namespace millrace::tools {

// From degrees to a plane, in metres that are true at the middle latitude of all points.
enum class Projection { kEquirectangular, kMercator };

struct GridOptions {
  double radius = 0;                          // In the input's units; in metres for latitudes.
  double step = 0;                            // How wide the grid is; 0: see default below.
  std::optional<Projection> projection = {};  // For latitudes; default: equirectangular.
};

class SensorGrid {
 public:
  // The grid is 1 wide for whole coordinates and a whole radius, else a 10,000th of the radius.
  // Throws Error(kInvalidArgument) where the radius is no whole number of steps, or too many for
  // the search, a projection is asked for x and y, or no 32 bits hold the points; Error(kIo) for
  // what are no degrees.
  SensorGrid(const PointFile& file, const GridOptions& options);

  // The grid of a file of 3-stars, which its reader has checked.
  SensorGrid(std::vector<three_star::Point> points, std::int32_t radius,
             const three_star::StarFileUnits& units);

  // For such a file.
  three_star::StarFileUnits units() const;

  const std::vector<three_star::Point>& points() const { return points_; }
  std::int32_t radius() const { return radius_; }
  // In the input's units.
  double input_radius() const { return input_radius_; }

  double step() const { return step_; }
  bool is_rounded() const { return is_rounded_; }
  bool is_lat_lng() const { return is_lat_lng_; }

  // "" for x and y.
  std::string projection_name() const;
  // A sentence for people, about latitudes: which distances are wrong, and how much.
  std::string projection_summary() const;

  // A place on the grid as the file would have it.
  three_star::Position to_input(const three_star::Position& place) const;

 private:
  void set_latitudes(double least, double most);
  void choose_projection(const PointFile& file, const GridOptions& options);
  void choose_step(std::span<const three_star::Position> plane, const GridOptions& options);
  void round(std::span<const three_star::Position> plane);
  three_star::Position to_plane(const three_star::Position& degrees) const;

  bool is_lat_lng_ = false;
  Projection projection_ = Projection::kEquirectangular;
  double least_latitude_ = 0;
  double most_latitude_ = 0;
  double middle_cosine_ = 1;  // Of the middle latitude.

  double step_ = 1;
  std::int32_t radius_ = 1;  // In steps.
  double input_radius_ = 1;
  double origin_x_ = 0;  // In steps: what the grid counts from.
  double origin_y_ = 0;
  bool is_rounded_ = false;
  std::vector<three_star::Point> points_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_GRID_H_
