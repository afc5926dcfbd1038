// SPDX-License-Identifier: Apache-2.0

// Positions on a sphere that approximates the earth.
#ifndef MILLRACE_TOOLS_GEOGRAPHY_SPHERE_H_
#define MILLRACE_TOOLS_GEOGRAPHY_SPHERE_H_

#include <algorithm>
#include <cmath>
#include <numbers>

namespace millrace::tools {

// Radius in metres: the mean radius of the ellipsoid of WGS 84, (2 a + b) / 3. Distances on the
// sphere and on the ellipsoid differ by up to 0.56 %.
inline constexpr double kEarthRadius = 6'371'008.8;
inline constexpr double kRadian = std::numbers::pi / 180;

// A position in degrees.
struct LatLng {
  double latitude = 0;
  double longitude = 0;

  friend bool operator==(const LatLng&, const LatLng&) = default;
};

// A position as a unit vector from the earth's centre; sums of such vectors have other lengths.
struct Direction {
  double x = 0;
  double y = 0;
  double z = 0;
};

inline Direction direction_of(const LatLng& position) {
  const double latitude = position.latitude * kRadian;
  const double longitude = position.longitude * kRadian;
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

// Returns a longitude from -180 to 180.
inline LatLng lat_lng_of(const Direction& position) {
  return {std::atan2(position.z, std::hypot(position.x, position.y)) / kRadian,
          std::atan2(position.y, position.x) / kRadian};
}

inline double dot(const Direction& a, const Direction& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Returns the angle of the great circle between two positions, in radians, accurate for near ones
// as well.
inline double angle_between(const Direction& a, const Direction& b) {
  const double chord = std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  return 2 * std::asin(std::min(chord / 2, 1.0));
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_GEOGRAPHY_SPHERE_H_
