// SPDX-License-Identifier: Apache-2.0

// Drawings of points, relays and the links between them.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_RELAY_MAP_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_RELAY_MAP_H_

#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/algorithms/three_star/placement/position.h>
#include <millrace/tools/command/three_star/network/network_nodes.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>
#include <millrace/tools/video/canvas/rgb_canvas.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace millrace::tools {

// A line in tenths of a pixel from the top left corner; a dot ends where it begins.
struct MapStroke {
  std::int32_t from_x = 0;
  std::int32_t from_y = 0;
  std::int32_t to_x = 0;
  std::int32_t to_y = 0;

  friend auto operator<=>(const MapStroke&, const MapStroke&) = default;
};

struct MapLayer {
  std::string name;
  Rgb colour = {};
  double thickness = 1;  // Width in pixels; the diameter of a dot.
  std::vector<MapStroke> strokes = {};
  double legend_x = 0;  // Position of its line in the legend, in pixels.
};

// Nodes that would cover each other are drawn once: all nodes of a pixel are one if there are many,
// so that the size of a drawing is bounded by its area.
class RelayMap {
 public:
  RelayMap(const SensorGrid& grid, const three_star::Placement& placement);

  int width() const { return width_; }
  int height() const { return height_; }
  double legend_y() const { return height_ - 28.0; }

  // Returns the layers, the lowest first.
  const std::vector<MapLayer>& layers() const { return layers_; }

  // Length of the scale bar, and the distance it stands for, such as "500 km".
  double bar_pixels() const { return bar_pixels_; }
  const std::string& bar_name() const { return bar_name_; }

 private:
  // Layers, the lowest first. The last one is there only if the map has such relays.
  enum Layer : std::size_t { kLinks, kRelayLinks, kOnTree, kPoints, kOfThree, kFixed };

  struct Extent {  // Counted in steps.
    double width = 0;
    double height = 0;
  };

  Extent extent_of(const NetworkNodes& nodes);
  void choose_bar(const SensorGrid& grid);
  void name_layers(const SensorGrid& grid, const three_star::Placement& placement);
  double lay_out_legend();  // Returns the width in pixels.
  void fit(const Extent& extent, double legend_width);
  void add_strokes(const SensorGrid& grid, const three_star::Placement& placement);

  std::int32_t x_of(double x) const { return tenths((x - left_) * scale_ + margin_x_); }
  std::int32_t y_of(double y) const { return tenths((top_ - y) * scale_ + margin_y_); }
  std::int32_t tenths(double pixels) const;

  int width_ = 0;
  int height_ = 0;
  double scale_ = 1;  // Pixels a step of the grid.
  double left_ = 0;   // Steps.
  double top_ = 0;
  double margin_x_ = 0;  // Pixels.
  double margin_y_ = 0;
  bool is_coarse_ = false;  // Positions are rounded to whole pixels.
  double bar_pixels_ = 0;
  std::string bar_name_;
  std::vector<MapLayer> layers_;
};

void write_svg(const RelayMap& map, std::ostream& out);

RgbCanvas draw(const RelayMap& map);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_RELAY_MAP_H_
