// SPDX-License-Identifier: Apache-2.0

// The oblique stereographic projection of a sphere.
//
// It is conformal, and circles stay circles (J. P. Snyder, "Map Projections: A Working Manual",
// USGS Professional Paper 1395, 1987, chapter 21).
#ifndef MILLRACE_TOOLS_GEOGRAPHY_STEREOGRAPHIC_H_
#define MILLRACE_TOOLS_GEOGRAPHY_STEREOGRAPHIC_H_

#include <millrace/algorithms/three_star/placement/relay_position.h>
#include <millrace/tools/geography/sphere.h>

namespace millrace::tools {

// Range of distances in a plane, and of radii of circles, relative to those on the sphere.
struct ScaleRange {
  double least = 1;
  double most = 1;
};

class Stereographic {
 public:
  // About `centre`, where a metre in the plane is `scale` times one on the sphere.
  Stereographic(const LatLng& centre, double scale);

  // The projection whose scale errs as much at the centre as at an angle of `angle` from it.
  static Stereographic balanced(const LatLng& centre, double angle);

  const LatLng& centre() const { return centre_; }
  double scale() const { return scale_; }

  // In metres from the centre, to the east and to the north there.
  three_star::Position to_plane(const Direction& place) const;
  Direction to_sphere(const three_star::Position& position) const;

 private:
  LatLng centre_;
  double scale_;
  Direction up_;
  Direction east_;
  Direction north_;
};

// The scale of distances up to twice `reach`, and of circles up to that radius, with all their
// points at angles of up to `angle` from the centre of a balanced projection.
ScaleRange balanced_scale(double angle, double reach);

// The largest angle whose balanced projection is within a fraction of `error`.
double widest_angle(double error);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_GEOGRAPHY_STEREOGRAPHIC_H_
