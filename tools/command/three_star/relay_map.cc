// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/relay_map.h>
#include <millrace/tools/video/canvas/canvas_text.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
namespace millrace::tools {
namespace {

using three_star::Placement;
using three_star::Position;

constexpr double kLongSide = 1600;  // Longer side of the points' area, in pixels.
constexpr double kMargin = 24;
constexpr double kLegend = 56;
constexpr double kLegendMark = 40;  // Width of the mark before a line of the legend.
constexpr double kTextRise = 5;     // From the base line of text up to the middle of its letters.
constexpr std::size_t kManyNodes = 20'000;

// Colours that people with any kind of colour vision can distinguish on white (Okabe and Ito,
// "Color universal design", 2008).
constexpr Rgb kWhite = {255, 255, 255};
constexpr Rgb kBlack = {0, 0, 0};
constexpr Rgb kGrey = {150, 150, 150};
constexpr Rgb kOrange = {230, 159, 0};
constexpr Rgb kBlue = {0, 114, 178};
constexpr Rgb kVermilion = {213, 94, 0};
constexpr Rgb kGreen = {0, 158, 115};
constexpr Rgb kPurple = {204, 121, 167};

// Returns the largest of 1, 2 or 5 times a power of ten that is at most `number`.
double round_down(double number) {
  const double power = std::pow(10, std::floor(std::log10(number)));
  for (const double step : {5, 2}) {
    if (step * power <= number) return step * power;
  }
  return power;
}

std::string number_text(double number, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, number < 1e-4 ? "%.1e %s" : "%.10g %s", number, unit);
  return text;
}

std::string svg_colour(const Rgb& colour) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", colour.red, colour.green, colour.blue);
  return text;
}

void write_line(std::ostream& out, double from_x, double to_x, double y, double thickness,
                const Rgb& colour) {
  out << "<path d=\"M" << from_x << ' ' << y << 'H' << to_x << "\" stroke=\"" << svg_colour(colour)
      << "\" stroke-width=\"" << thickness << "\"/>\n";
}

void write_text(std::ostream& out, double x, double y, const std::string& text) {
  out << "<text x=\"" << x << "\" y=\"" << y << "\">" << text << "</text>\n";
}

}  // namespace

RelayMap::RelayMap(const SensorGrid& grid, const Placement& placement) {
  const NetworkNodes nodes(grid, placement);
  is_coarse_ = nodes.count() > kManyNodes;
  const Extent extent = extent_of(nodes);
  scale_ = kLongSide / std::max({extent.width, extent.height, 1.0});
  choose_bar(grid);
  name_layers(grid, placement);
  fit(extent, lay_out_legend());
  add_strokes(grid, placement);
}

RelayMap::Extent RelayMap::extent_of(const NetworkNodes& nodes) {
  if (nodes.count() == 0) return {};
  Position low = nodes.position(0);
  Position high = low;
  for (std::uint32_t node = 1; node < nodes.count(); ++node) {
    const Position position = nodes.position(node);
    low = {std::min(low.x, position.x), std::min(low.y, position.y)};
    high = {std::max(high.x, position.x), std::max(high.y, position.y)};
  }
  left_ = low.x;
  top_ = high.y;
  return {high.x - low.x, high.y - low.y};
}

void RelayMap::fit(const Extent& extent, double legend_width) {
  const double needed = extent.width * scale_ + 2 * kMargin;
  width_ = static_cast<int>(std::ceil(std::max(needed, legend_width)));
  margin_x_ = kMargin + (width_ - needed) / 2;
  margin_y_ = kMargin;
  height_ = static_cast<int>(std::ceil(extent.height * scale_ + 2 * kMargin + kLegend));
}

void RelayMap::choose_bar(const SensorGrid& grid) {
  constexpr double kLongest = 180;
  const double units = round_down(kLongest / scale_ * grid.step());
  bar_pixels_ = units / grid.step() * scale_;
  bar_name_ = !grid.is_lat_lng() ? number_text(units, units == 1 ? "unit" : "units")
              : units >= 1000    ? number_text(units / 1000, "km")
                                 : number_text(units, "m");
}

std::int32_t RelayMap::tenths(double pixels) const {
  // Many nodes are rounded to the middles of pixels.
  return static_cast<std::int32_t>(is_coarse_ ? std::floor(pixels) * 10 + 5
                                              : std::round(pixels * 10));
}

void RelayMap::name_layers(const SensorGrid& grid, const Placement& placement) {
  const std::size_t points = grid.points().size();
  const std::size_t relays = placement.relays.size();
  const auto joining = static_cast<std::size_t>(
      std::count_if(placement.relays.begin(), placement.relays.end(),
                    [](const three_star::Relay& relay) { return relay.joins_three; }));
  const double dot = is_coarse_ ? 1.6 : points + relays > kManyNodes / 10 ? 3.5 : 6;
  layers_.resize(kFixed);
  layers_[kLinks] = {"links", kGrey};
  layers_[kRelayLinks] = {"links of relays", kOrange};
  layers_[kOnTree] = {std::to_string(relays - joining) + " relays on the tree", kVermilion, dot};
  layers_[kPoints] = {std::to_string(points) + " points", kBlue, dot};
  layers_[kOfThree] = {std::to_string(joining) + " relays of three", kGreen, 1.5 * dot};
  if (placement.fixed.empty()) return;
  layers_.push_back(
      {std::to_string(placement.fixed.size()) + " relays that existed", kPurple, 1.5 * dot});
}

double RelayMap::lay_out_legend() {
  double x = kMargin + std::max(bar_pixels_, kLegendMark) + text_width(bar_name_) + 50;
  for (MapLayer& layer : layers_) {
    layer.legend_x = x;
    x += kLegendMark + text_width(layer.name) + 30;
  }
  return x;
}

void RelayMap::add_strokes(const SensorGrid& grid, const Placement& placement) {
  const NetworkNodes nodes(grid, placement);
  const auto add = [&](std::size_t layer, const Position& from, const Position& to) {
    layers_[layer].strokes.push_back({x_of(from.x), y_of(from.y), x_of(to.x), y_of(to.y)});
  };
  for (const auto& [a, b] : placement.links) {
    add(std::max(a, b) < nodes.sensors() ? kLinks : kRelayLinks, nodes.position(a),
        nodes.position(b));
  }
  const auto layer_of = [](NodeKind kind) -> std::size_t {
    switch (kind) {
      case NodeKind::kSensor: return kPoints;
      case NodeKind::kThreeStarRelay: return kOfThree;
      case NodeKind::kTreeRelay: return kOnTree;
      case NodeKind::kFixedRelay: break;
    }
    return kFixed;
  };
  for (std::uint32_t node = 0; node < nodes.count(); ++node) {
    const Position position = nodes.position(node);
    add(layer_of(nodes.kind(node)), position, position);
  }
  for (MapLayer& layer : layers_) {
    std::sort(layer.strokes.begin(), layer.strokes.end());
    const auto end = std::unique(layer.strokes.begin(), layer.strokes.end());
    layer.strokes.erase(end, layer.strokes.end());
  }
  for (const Layer layer : {kLinks, kRelayLinks}) {
    std::erase_if(layers_[layer].strokes, [](const MapStroke& stroke) {
      return stroke.from_x == stroke.to_x && stroke.from_y == stroke.to_y;
    });
  }
}

void write_svg(const RelayMap& map, std::ostream& out) {
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" << map.width() << "\" height=\""
      << map.height() << "\" viewBox=\"0 0 " << map.width() << ' ' << map.height()
      << "\" fill=\"none\" stroke-linecap=\"round\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  for (const MapLayer& layer : map.layers()) {
    out << "<path stroke=\"" << svg_colour(layer.colour) << "\" stroke-width=\"" << layer.thickness
        << "\" d=\"";
    for (const MapStroke& stroke : layer.strokes) {
      out << 'M' << stroke.from_x / 10.0 << ' ' << stroke.from_y / 10.0 << 'l'
          << (stroke.to_x - stroke.from_x) / 10.0 << ' ' << (stroke.to_y - stroke.from_y) / 10.0;
    }
    out << "\"/>\n";
  }
  const double y = map.legend_y();
  write_line(out, kMargin, kMargin + map.bar_pixels(), y, 3, kBlack);
  out << "<g font-family=\"sans-serif\" font-size=\"16\" fill=\"#000000\">\n";
  write_text(out, kMargin + map.bar_pixels() + 10, y + kTextRise, map.bar_name());
  for (const MapLayer& layer : map.layers()) {
    write_text(out, layer.legend_x + kLegendMark, y + kTextRise, layer.name);
  }
  out << "</g>\n";
  for (const MapLayer& layer : map.layers()) {
    const bool is_line = layer.thickness == 1;
    write_line(out, layer.legend_x + (is_line ? 0 : 22), layer.legend_x + (is_line ? 30 : 22), y,
               is_line ? 2 : 8, layer.colour);
  }
  out << "</svg>\n";
}

RgbCanvas draw(const RelayMap& map) {
  RgbCanvas canvas(map.width(), map.height());
  for (int y = 0; y < map.height(); ++y) {
    for (int x = 0; x < map.width(); ++x) canvas.set(x, y, kWhite);
  }
  for (const MapLayer& layer : map.layers()) {
    for (const MapStroke& stroke : layer.strokes) {
      canvas.line({stroke.from_x / 10.0, stroke.from_y / 10.0},
                  {stroke.to_x / 10.0, stroke.to_y / 10.0}, layer.thickness, layer.colour);
    }
  }
  const double y = map.legend_y();
  const double text_y = y + kTextRise;
  canvas.line({kMargin, y}, {kMargin + map.bar_pixels(), y}, 3, kBlack);
  draw_text(canvas, kMargin + map.bar_pixels() + 10, text_y, map.bar_name(), kBlack);
  for (const MapLayer& layer : map.layers()) {
    const bool is_line = layer.thickness == 1;
    const double x = layer.legend_x + (is_line ? 0 : 22);
    canvas.line({x, y}, {x + (is_line ? 30 : 0), y}, is_line ? 2 : 8, layer.colour);
    draw_text(canvas, layer.legend_x + kLegendMark, text_y, layer.name, kBlack);
  }
  return canvas;
}

}  // namespace millrace::tools
