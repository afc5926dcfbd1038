// SPDX-License-Identifier: Apache-2.0

// The oblique stereographic projection of a sphere.
//
// It is conformal, and circles stay circles (J. P. Snyder, "Map Projections: A Working Manual",
// USGS Professional Paper 1395, 1987, chapter 21).
#ifndef MILLRACE_TOOLS_GEOGRAPHY_STEREOGRAPHIC_H_
#define MILLRACE_TOOLS_GEOGRAPHY_STEREOGRAPHIC_H_

#include <millrace/algorithms/three_star/placement/position.h>
#include <millrace/tools/geography/sphere.h>

namespace millrace::tools {

// Range of distances in a plane, and of radii of circles, relative to those on the sphere.
struct ScaleRange {
  double least = 1;
  double most = 1;
};

class Stereographic {
 public:
  // Projects about `centre`, where a metre in the plane is `scale` times one on the sphere.
  Stereographic(const LatLng& centre, double scale);

  // Returns the projection whose scale has the same error at the centre and at `angle` from it.
  static Stereographic balanced(const LatLng& centre, double angle);

  const LatLng& centre() const { return centre_; }
  double scale() const { return scale_; }

  // Returns metres from the centre, to the east and to the north there.
  three_star::Position to_plane(const Direction& direction) const;
  Direction to_sphere(const three_star::Position& position) const;

 private:
  LatLng centre_;
  double scale_;
  Direction up_;
  Direction east_;
  Direction north_;
};

// Returns the scale of distances up to twice `reach`, and of circles up to that radius, with all
// their points at angles of up to `angle` from the centre of a balanced projection.
ScaleRange balanced_scale(double angle, double reach);

// Returns the largest angle whose balanced projection has a scale error of at most `error`.
double widest_angle(double error);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_GEOGRAPHY_STEREOGRAPHIC_H_
