#include <millrace/tools/command/three_star_grid.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <utility>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

using three_star::Position;
using three_star::StarFileUnits;

constexpr double kEarthRadius = 6'371'008.8;  // Metres: the mean of the ellipsoid of WGS 84.
constexpr double kRadian = std::numbers::pi / 180;
constexpr double kStepsPerRadius = 10'000;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kInvalidArgument, what);
}

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

bool is_whole(double number) { return number == std::floor(number); }

// Of a coordinate, in steps; rounded once or twice, not by the size of the origin.
double steps_from(double origin, double step, double coordinate) {
  return std::fma(-origin, step, coordinate) / step;
}

// The range of a coordinate.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }

  // What to count from so that all fit into 32 bits; 0 where that will do. Numbers of steps from 0
  // may be too large for doubles; those from the origin are not.
  double origin(double step) const {
    constexpr double kLow = std::numeric_limits<std::int32_t>::min();
    constexpr double kHigh = std::numeric_limits<std::int32_t>::max();
    if (std::round(low / step) >= kLow && std::round(high / step) <= kHigh) return 0;
    const double middle = std::round((low / step + high / step) / 2);
    if (!(std::round(steps_from(middle, step, high)) <= kHigh - 1 &&
          std::round(steps_from(middle, step, low)) >= kLow + 1)) {
      refuse("coordinates from " + text_of(low) + " to " + text_of(high) +
             " do not fit into 32 bits on a grid of " + text_of(step) +
             "; a larger --grid or --radius will do");
    }
    return middle;
  }
};

}  // namespace

SensorGrid::SensorGrid(const PointFile& file, const GridOptions& options)
    : input_radius_(options.radius) {
  choose_projection(file, options);
  if (!is_lat_lng_) {
    choose_step(file.points, options);
    round(file.points);
    return;
  }
  std::vector<Position> plane;
  plane.reserve(file.points.size());
  for (const Position& degrees : file.points) plane.push_back(to_plane(degrees));
  choose_step(plane, options);
  round(plane);
}

SensorGrid::SensorGrid(std::vector<three_star::Point> points, std::int32_t radius,
                       const StarFileUnits& units)
    : is_lat_lng_(units.projection != StarFileUnits::kNone),
      projection_(units.projection == StarFileUnits::kMercator ? Projection::kMercator
                                                               : Projection::kEquirectangular),
      step_(units.step),
      radius_(radius),
      input_radius_(units.radius),
      origin_x_(units.origin_x),
      origin_y_(units.origin_y),
      is_rounded_(units.is_rounded != 0),
      points_(std::move(points)) {
  if (is_lat_lng_) set_latitudes(units.least_latitude, units.most_latitude);
}

StarFileUnits SensorGrid::units() const {
  const auto projection = projection_ == Projection::kMercator ? StarFileUnits::kMercator
                                                               : StarFileUnits::kEquirectangular;
  return {.radius = input_radius_,
          .step = step_,
          .origin_x = origin_x_,
          .origin_y = origin_y_,
          .least_latitude = least_latitude_,
          .most_latitude = most_latitude_,
          .projection = is_lat_lng_ ? projection : StarFileUnits::kNone,
          .is_rounded = is_rounded_ ? 1U : 0U};
}

std::string SensorGrid::projection_name() const {
  if (!is_lat_lng_) return "";
  return projection_ == Projection::kMercator ? "mercator" : "equirectangular";
}

std::string SensorGrid::projection_summary() const {
  const auto distortion = [&](double latitude) {
    return middle_cosine_ / std::max(std::cos(latitude * kRadian), 1e-6);
  };
  const double ends[] = {distortion(least_latitude_), distortion(most_latitude_)};
  double least = std::min(ends[0], ends[1]);
  if (least_latitude_ < 0 && most_latitude_ > 0) least = distortion(0);
  char text[256];
  std::snprintf(text, sizeof text,
                "%s projection, true at latitude %.1f; %s seem %.2f to %.2f times as long as they "
                "are at latitudes %.1f to %.1f",
                projection_name().c_str(), std::acos(middle_cosine_) / kRadian,
                projection_ == Projection::kMercator ? "distances" : "distances from east to west",
                least, std::max(ends[0], ends[1]), least_latitude_, most_latitude_);
  return text;
}

Position SensorGrid::to_input(const Position& place) const {
  const double x = std::fma(origin_x_, step_, place.x * step_);
  const double y = std::fma(origin_y_, step_, place.y * step_);
  if (!is_lat_lng_) return {x, y};
  const double longitude = x / (kEarthRadius * middle_cosine_) / kRadian;
  if (projection_ == Projection::kEquirectangular) return {y / kEarthRadius / kRadian, longitude};
  return {std::atan(std::sinh(y / (kEarthRadius * middle_cosine_))) / kRadian, longitude};
}

void SensorGrid::choose_projection(const PointFile& file, const GridOptions& options) {
  is_lat_lng_ = file.columns == PointColumns::kLatLng ||
                (file.columns == PointColumns::kUnnamed && options.projection.has_value());
  if (!is_lat_lng_) {
    if (options.projection) refuse("--projection is for columns lat and lng; these are x and y");
    return;
  }
  projection_ = options.projection.value_or(Projection::kEquirectangular);
  const double most = projection_ == Projection::kMercator ? 89 : 90;
  Extent latitudes;
  for (std::size_t i = 0; i < file.points.size(); ++i) {
    const Position& degrees = file.points[i];
    if (std::abs(degrees.x) > most || std::abs(degrees.y) > 360) {
      throw Error(ErrorCode::kIo, file.place_of(i) + ": latitude " + text_of(degrees.x) +
                                      " and longitude " + text_of(degrees.y) + "; at most " +
                                      text_of(most) + " and 360 can be projected");
    }
    latitudes.include(degrees.x);
  }
  set_latitudes(latitudes.low, latitudes.high);
}

void SensorGrid::set_latitudes(double least, double most) {
  least_latitude_ = least;
  most_latitude_ = most;
  middle_cosine_ = std::cos((least + most) / 2 * kRadian);
}

void SensorGrid::choose_step(std::span<const Position> plane, const GridOptions& options) {
  const auto is_on_grid = [](const Position& point) {
    return is_whole(point.x) && is_whole(point.y);
  };
  step_ = options.step;
  if (step_ == 0) {
    const bool is_exact = !is_lat_lng_ && is_whole(options.radius) &&
                          std::all_of(plane.begin(), plane.end(), is_on_grid);
    step_ = is_exact ? 1 : options.radius / kStepsPerRadius;
  }
  const double steps = std::round(options.radius / step_);
  if (std::abs(options.radius / step_ - steps) > 1e-9 * steps) {
    refuse("--radius " + text_of(options.radius) + " is no whole number of steps of a grid of " +
           text_of(step_));
  }
  if (steps > three_star::kMostRadius) {
    refuse("--radius " + text_of(options.radius) + " is " + text_of(steps) +
           " steps of a grid of " + text_of(step_) + "; the search is exact up to " +
           std::to_string(three_star::kMostRadius) + ", so --grid is to be larger");
  }
  radius_ = static_cast<std::int32_t>(steps);
}

void SensorGrid::round(std::span<const Position> plane) {
  Extent x;
  Extent y;
  for (const Position& point : plane) {
    x.include(point.x);
    y.include(point.y);
  }
  if (!plane.empty()) {
    origin_x_ = x.origin(step_);
    origin_y_ = y.origin(step_);
  }
  points_.reserve(plane.size());
  for (const Position& point : plane) {
    const Position steps = {steps_from(origin_x_, step_, point.x),
                            steps_from(origin_y_, step_, point.y)};
    const Position place = {std::round(steps.x), std::round(steps.y)};
    is_rounded_ = is_rounded_ || place != steps;
    points_.push_back({static_cast<std::int32_t>(place.x), static_cast<std::int32_t>(place.y)});
  }
}

Position SensorGrid::to_plane(const Position& degrees) const {
  const double x = kEarthRadius * middle_cosine_ * degrees.y * kRadian;
  if (projection_ == Projection::kEquirectangular) {
    return {x, kEarthRadius * degrees.x * kRadian};
  }
  return {x, kEarthRadius * middle_cosine_ * std::asinh(std::tan(degrees.x * kRadian))};
}

}  // namespace millrace::tools
