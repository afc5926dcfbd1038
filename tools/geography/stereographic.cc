// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/geography/stereographic.h>

#include <cmath>

namespace millrace::tools {

using three_star::Position;

Stereographic::Stereographic(const LatLng& centre, double scale)
    : centre_(centre), scale_(scale), up_(direction_of(centre)) {
  const double latitude = centre.latitude * kRadian;
  const double longitude = centre.longitude * kRadian;
  east_ = {-std::sin(longitude), std::cos(longitude), 0};
  north_ = {-std::sin(latitude) * std::cos(longitude), -std::sin(latitude) * std::sin(longitude),
            std::cos(latitude)};
}

// The scale is 1 / cos^2(angle / 2) times that of the centre (Snyder, equation 21-4).
Stereographic Stereographic::balanced(const LatLng& centre, double angle) {
  return {centre, std::cos(angle / 2)};
}

Position Stereographic::to_plane(const Direction& direction) const {
  const double factor = 2 * kEarthRadius * scale_ / (1 + dot(direction, up_));
  return {factor * dot(direction, east_), factor * dot(direction, north_)};
}

Direction Stereographic::to_sphere(const Position& position) const {
  const double unit = 2 * kEarthRadius * scale_;
  const double x = position.x / unit;
  const double y = position.y / unit;
  const double squared = x * x + y * y;
  const double along = (1 - squared) / (1 + squared);
  const double across = 2 / (1 + squared);
  const auto sum = [&](double up, double east, double north) {
    return along * up + across * (x * east + y * north);
  };
  return {sum(up_.x, east_.x, north_.x), sum(up_.y, east_.y, north_.y),
          sum(up_.z, east_.z, north_.z)};
}

// A distance in the plane is the chord of the sphere, sin(d / 2) / (d / 2) of the arc d, times the
// mean scale of its ends. A circle of radius r has sin(r) / r * 2 / (cos(r) + cos(t)), t from the
// centre, which is at most 1 / cos^2(t / 2) * (1 + r^2 / 6).
ScaleRange balanced_scale(double angle, double reach) {
  const double edge = std::cos(angle / 2);
  return {edge * (1 - reach * reach / 6), (1 + reach * reach / 6) / edge};
}

double widest_angle(double error) { return 2 * std::acos(1 / (1 + error)); }

}  // namespace millrace::tools
