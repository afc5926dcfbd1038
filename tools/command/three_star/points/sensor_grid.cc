// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>
#include <millrace/tools/geography/longitudes.h>
#include <millrace/tools/geography/region_plane.h>
#include <millrace/tools/geography/sphere_regions.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

namespace millrace::tools {
namespace {

using three_star::Position;
using three_star::StarFileUnits;

constexpr double kStepsPerRadius = 10'000;

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

bool is_whole(double number) { return number == std::floor(number); }

// Returns a coordinate in steps from the origin; it is rounded once or twice, independently of the
// size of the origin.
double steps_from(double origin, double step, double coordinate) {
  return std::fma(-origin, step, coordinate) / step;
}

// Rejects x and y beside latitudes and longitudes.
void check_columns(const PointFile& points, const PointFile& relays) {
  const bool is_known =
      points.columns != PointColumns::kUnnamed && relays.columns != PointColumns::kUnnamed;
  if (!is_known || points.columns == relays.columns) return;
  const auto names = [](PointColumns columns) {
    return columns == PointColumns::kXY ? "x and y" : "latitudes and longitudes";
  };
  reject(relays.name + " has " + names(relays.columns) + ", and " + points.name + " " +
         names(points.columns) + "; give both the same");
}

// Range of a coordinate.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }

  // Returns an origin from which all coordinates fit into 32 bits; 0 if possible. Numbers of steps
  // from 0 may be too large for doubles; those from the origin are not.
  double origin(double step) const {
    constexpr double kLow = std::numeric_limits<std::int32_t>::min();
    constexpr double kHigh = std::numeric_limits<std::int32_t>::max();
    if (std::round(low / step) >= kLow && std::round(high / step) <= kHigh) return 0;
    const double middle = std::round((low / step + high / step) / 2);
    if (!(std::round(steps_from(middle, step, high)) <= kHigh - 1 &&
          std::round(steps_from(middle, step, low)) >= kLow + 1)) {
      reject("coordinates from " + text_of(low) + " to " + text_of(high) +
             " do not fit into 32 bits on a grid of " + text_of(step) +
             "; give a larger --grid or --radius");
    }
    return middle;
  }
};

}  // namespace

SensorGrid::SensorGrid(const PointFile& file, const GridOptions& options, const PointFile* relays)
    : input_radius_(options.radius) {
  const std::size_t points = file.points.size();
  std::optional<PointFile> both;
  if (relays != nullptr) {
    check_columns(file, *relays);
    both = file;
    both->points.insert(both->points.end(), relays->points.begin(), relays->points.end());
    if (both->columns == PointColumns::kUnnamed) both->columns = relays->columns;
  }
  const PointFile& all = both ? *both : file;
  choose_projection(all, options, points, relays);
  if (!is_lat_lng_) {
    choose_step(all.points, options);
    round(all.points);
  } else {
    choose_step({}, options);
    if (projection_ == Projection::kStereographic) {
      project_on_sphere(all);
    } else {
      project_at_once(all);
    }
  }
  if (relays == nullptr) return;
  check_placement();
  relays_.assign(points_.begin() + static_cast<std::ptrdiff_t>(points), points_.end());
  points_.resize(points);
}

SensorGrid::SensorGrid(std::vector<three_star::Point> points, std::int32_t radius,
                       const StarFileUnits& units, std::vector<std::uint32_t> origins)
    : is_lat_lng_(units.projection != StarFileUnits::kNone),
      projection_(units.projection == StarFileUnits::kMercator ? Projection::kMercator
                  : units.projection == StarFileUnits::kEquirectangular
                      ? Projection::kEquirectangular
                      : Projection::kStereographic),
      is_east_alone_(units.is_east_alone != 0),
      stereographic_({units.centre_latitude, units.centre_longitude}, units.centre_scale),
      scale_({units.least_scale, units.most_scale}),
      regions_(units.regions),
      span_(units.span),
      step_(units.step),
      radius_(radius),
      input_radius_(units.radius),
      origin_x_(units.origin_x),
      origin_y_(units.origin_y),
      is_rounded_(units.is_rounded != 0),
      points_(std::move(points)),
      origins_(std::move(origins)) {
  if (is_lat_lng_) set_latitudes(units.least_latitude, units.most_latitude);
}

StarFileUnits SensorGrid::units() const {
  StarFileUnits units = {.radius = input_radius_,
                         .step = step_,
                         .origin_x = origin_x_,
                         .origin_y = origin_y_,
                         .is_rounded = is_rounded_ ? 1U : 0U};
  if (!is_lat_lng_) return units;
  units.least_latitude = least_latitude_;
  units.most_latitude = most_latitude_;
  units.projection = projection_ == Projection::kMercator          ? StarFileUnits::kMercator
                     : projection_ == Projection::kEquirectangular ? StarFileUnits::kEquirectangular
                                                                   : StarFileUnits::kStereographic;
  units.centre_latitude = stereographic_.centre().latitude;
  units.centre_longitude = stereographic_.centre().longitude;
  units.centre_scale = stereographic_.scale();
  units.least_scale = scale_.least;
  units.most_scale = scale_.most;
  units.span = span_;
  units.is_east_alone = is_east_alone_ ? 1 : 0;
  units.regions = static_cast<std::uint32_t>(regions_);
  return units;
}

std::string SensorGrid::projection_name() const {
  if (!is_lat_lng_) return "";
  switch (projection_) {
    case Projection::kEquirectangular: return "equirectangular";
    case Projection::kMercator: return "mercator";
    case Projection::kStereographic: break;
  }
  return "stereographic";
}

ScaleRange SensorGrid::scale() const {
  if (!is_lat_lng_ || projection_ == Projection::kStereographic) return scale_;
  const auto scale_at = [&](double latitude) {
    return middle_cosine_ / std::max(std::cos(latitude * kRadian), 1e-6);
  };
  const double ends[] = {scale_at(least_latitude_), scale_at(most_latitude_)};
  const bool has_equator = least_latitude_ < 0 && most_latitude_ > 0;
  return {has_equator ? scale_at(0) : std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
}

std::string SensorGrid::projection_summary() const {
  const ScaleRange range = scale();
  char text[400];
  if (projection_ == Projection::kStereographic) {
    const std::string where =
        regions_ == 1
            ? "about latitude " + text_of(stereographic_.centre().latitude) + ", longitude " +
                  text_of(written_longitude(stereographic_.centre().longitude))
            : "of " + std::to_string(regions_) + " regions, each about its centre";
    std::snprintf(text, sizeof text,
                  "stereographic projection %s; distances seem %.6f to %.6f times as long as on a "
                  "sphere of %.7g m",
                  where.c_str(), range.least, range.most, kEarthRadius);
    return text;
  }
  std::snprintf(text, sizeof text,
                "%s projection, true at latitude %.1f; %s seem %.2f to %.2f times as long as they "
                "are at latitudes %.1f to %.1f",
                projection_name().c_str(), std::acos(middle_cosine_) / kRadian,
                projection_ == Projection::kMercator ? "distances" : "distances from east to west",
                range.least, range.most, least_latitude_, most_latitude_);
  if (!seam_) return text;
  return std::string(text) + "; none is seen across longitude " + text_of(*seam_);
}

void SensorGrid::check_placement() const {
  if (regions_ == 1) return;
  reject("--place needs points that one projection maps within " + text_of(100 * kMostScaleError) +
         " %, which an area of up to 800 km is; these are " + span_text() +
         "; place the relays of each area separately, or give --projection equirectangular, which "
         "prints the error of its distances");
}

std::string SensorGrid::span_text() const {
  if (span_ == 0 || span_ > 180 * kRadian) return "around the earth";
  return "some " + text_of(std::ceil(span_ * kEarthRadius / 1000)) + " km wide";
}

double SensorGrid::written_longitude(double longitude) const {
  if (is_east_alone_) return longitude < 0 ? longitude + 360 : longitude;
  if (longitude > 180) return longitude - 360;
  return longitude < -180 ? longitude + 360 : longitude;
}

Position SensorGrid::to_input(const Position& position) const {
  const double x = std::fma(origin_x_, step_, position.x * step_);
  const double y = std::fma(origin_y_, step_, position.y * step_);
  if (!is_lat_lng_) return {x, y};
  if (projection_ == Projection::kStereographic) {
    const LatLng degrees = lat_lng_of(stereographic_.to_sphere({x, y}));
    return {degrees.latitude, written_longitude(degrees.longitude)};
  }
  const double longitude = written_longitude(x / (kEarthRadius * middle_cosine_) / kRadian);
  if (projection_ == Projection::kEquirectangular) return {y / kEarthRadius / kRadian, longitude};
  return {std::atan(std::sinh(y / (kEarthRadius * middle_cosine_))) / kRadian, longitude};
}

std::optional<Stereographic> SensorGrid::region() const {
  if (!is_lat_lng_ || projection_ != Projection::kStereographic || regions_ != 1) return {};
  return stereographic_;
}

Position SensorGrid::to_grid(const Position& input) const {
  Position plane = input;
  if (const auto region = this->region()) {
    plane = region->to_plane(direction_of({input.x, input.y}));
  } else if (is_lat_lng_) {
    plane = to_plane(input);
  }
  return {steps_from(origin_x_, step_, plane.x), steps_from(origin_y_, step_, plane.y)};
}

void SensorGrid::choose_projection(const PointFile& file, const GridOptions& options,
                                   std::size_t points, const PointFile* relays) {
  is_lat_lng_ = file.columns == PointColumns::kLatLng ||
                (file.columns == PointColumns::kUnnamed && options.projection.has_value());
  if (!is_lat_lng_) {
    if (options.projection)
      reject(
          "--projection is given for columns x and y; leave it out, or name the columns lat and "
          "lng");
    return;
  }
  projection_ = options.projection.value_or(Projection::kStereographic);
  const double most = projection_ == Projection::kMercator ? 89 : 90;
  Extent latitudes;
  for (std::size_t i = 0; i < file.points.size(); ++i) {
    const Position& degrees = file.points[i];
    if (std::abs(degrees.x) > most || std::abs(degrees.y) > 360) {
      const std::string where = i < points ? file.location_of(i) : relays->location_of(i - points);
      throw Error(ErrorCode::kIo, where + ": latitude " + text_of(degrees.x) + " and longitude " +
                                      text_of(degrees.y) + "; their magnitudes must be at most " +
                                      text_of(most) + " and 360");
    }
    latitudes.include(degrees.x);
    is_east_alone_ = is_east_alone_ || degrees.y > 180;
  }
  set_latitudes(latitudes.low, latitudes.high);
}

void SensorGrid::set_latitudes(double least, double most) {
  least_latitude_ = least;
  most_latitude_ = most;
  middle_cosine_ = std::cos((least + most) / 2 * kRadian);
}

void SensorGrid::project_at_once(const PointFile& file) {
  std::vector<double> longitudes;
  longitudes.reserve(file.points.size());
  for (const Position& degrees : file.points) longitudes.push_back(degrees.y);
  const double gap = cut_at_widest_gap(longitudes);
  if (!longitudes.empty()) {
    const auto [west, east] = std::ranges::minmax(longitudes);
    middle_longitude_ = (west + east) / 2;
  }
  if (gap * kRadian * kEarthRadius * middle_cosine_ < 2 * input_radius_) {
    seam_ = written_longitude(*std::ranges::min_element(longitudes));
  }
  std::vector<Position> plane;
  plane.reserve(file.points.size());
  for (std::size_t i = 0; i < file.points.size(); ++i) {
    plane.push_back(to_plane({file.points[i].x, longitudes[i]}));
  }
  round(plane);
}

void SensorGrid::project_on_sphere(const PointFile& file) {
  std::vector<Direction> directions;
  directions.reserve(file.points.size());
  for (const Position& degrees : file.points)
    directions.push_back(direction_of({degrees.x, degrees.y}));
  std::vector<std::uint32_t> all(directions.size());
  std::iota(all.begin(), all.end(), 0U);
  const double reach = input_radius_ / kEarthRadius;
  const double widest = widest_angle(kMostScaleError);
  if (reach > widest) {
    reject("--radius " + text_of(input_radius_) + " is more than the " +
           text_of(std::floor(widest * kEarthRadius)) + " m up to which distances are within " +
           text_of(100 * kMostScaleError) +
           " %; give a smaller --radius, or --projection equirectangular, which prints the error "
           "of its distances");
  }
  const auto cap = cap_of(directions, all);
  if (cap) span_ = 2 * cap->radius;
  const double steps = span_ * kEarthRadius / step_;
  constexpr double kMostSteps = 0x1p32 * 0.99;
  if (!cap || cap->radius + reach > widest || steps > kMostSteps) {
    project_regions(directions);
    return;
  }
  stereographic_ = Stereographic::balanced(lat_lng_of(cap->centre), cap->radius + reach);
  scale_ = balanced_scale(cap->radius + reach, reach);
  std::vector<Position> plane;
  plane.reserve(directions.size());
  for (const Direction& position : directions) plane.push_back(stereographic_.to_plane(position));
  round(plane);
}

void SensorGrid::project_regions(std::span<const Direction> directions) {
  const double reach = input_radius_ / kEarthRadius;
  // Limits the width so that many regions fit on the grid.
  constexpr double kMostSteps = 0x1p28;
  const double widest =
      std::min(widest_angle(kMostScaleError) - reach, kMostSteps * step_ / kEarthRadius);
  constexpr double kMargin = 1.001;  // Allows for distances that the projection shortens.
  const auto regions = split_sphere(directions, kMargin * 2 * reach, widest);
  if (!regions) {
    reject("--radius " + text_of(input_radius_) + " joins points in an area that is " +
           span_text() + ", where distances would be wrong by more than " +
           text_of(100 * kMostScaleError) +
           " %; give a smaller --radius, fewer points, or --projection equirectangular, which "
           "prints the error of its distances");
  }
  auto plane = lay_out(directions, *regions, reach, step_, 2 * std::int64_t{radius_} + 2);
  if (!plane) {
    reject(std::to_string(regions->regions.size()) +
           " regions of points do not fit into 32 bits on a grid of " + text_of(step_) +
           " m; give a larger --grid or --radius");
  }
  regions_ = regions->regions.size();
  scale_ = plane->scale;
  points_ = std::move(plane->points);
  origins_ = std::move(plane->origins);
  is_rounded_ = true;
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
    reject("--radius " + text_of(options.radius) + " is not a whole number of steps of a grid of " +
           text_of(step_) + "; give a --grid that divides it");
  }
  if (steps > three_star::kMostRadius) {
    reject("--radius " + text_of(options.radius) + " is " + text_of(steps) +
           " steps of a grid of " + text_of(step_) + "; the search is exact up to " +
           std::to_string(three_star::kMostRadius) + ", so give a larger --grid");
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
    const Position position = {std::round(steps.x), std::round(steps.y)};
    is_rounded_ = is_rounded_ || position != steps;
    points_.push_back(
        {static_cast<std::int32_t>(position.x), static_cast<std::int32_t>(position.y)});
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
