// SPDX-License-Identifier: Apache-2.0

// Finds the neighbours of a point that can make 3-stars with it and another neighbour, by their
// directions.
//
// A side of a 3-star is 2 r sin(angle) long, by the angle opposite, and longer than R >= r: so all
// its angles are above 30 degrees, and below 120. Seen from its lowest corner, the third corner is
// 30 to 120 degrees counterclockwise of the second one: a run of the neighbours in order of
// direction.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_ANGLE_WINDOWS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_ANGLE_WINDOWS_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::three_star {

// Directions from 0 to 180 degrees in equal intervals of the pseudo-angle
//   p = y / (|x| + y) where x >= 0, else 2 - y / (|x| + y),
// which grows from 0 to 2 with the angle. A direction's bucket is floor(p * kBuckets / 2), in
// single precision.
inline constexpr int kBuckets = 256;

MILLRACE_FUNCTION constexpr int bucket_of(float x, float y) {
  const float t = y / ((x < 0 ? -x : x) + y);
  const int bucket = static_cast<int>((x < 0 ? 2.0F - t : t) * (kBuckets / 2.0F));
  return bucket < kBuckets ? bucket : kBuckets - 1;
}

// For a neighbour's bucket b, a third corner is in the buckets first[b] to end[b] - 1. These are
// slightly wider than necessary, so that rounding loses none.
class AngleWindows {
 public:
  constexpr AngleWindows() {
    for (int b = 0; b < kBuckets; ++b) {
      const double least = turned(b * kStep - kSlack, kCos30, kSin30);
      const double most = turned((b + 1) * kStep + kSlack, kCos120, kSin120);
      first[b] = static_cast<std::uint16_t>(least < 0 ? kBuckets : (least - kSlack) / kStep);
      const int last = most < 0 ? kBuckets - 1 : static_cast<int>((most + kSlack) / kStep);
      end[b] = static_cast<std::uint16_t>(last < kBuckets ? last + 1 : kBuckets);
    }
  }

  std::uint16_t first[kBuckets] = {};
  std::uint16_t end[kBuckets] = {};

 private:
  static constexpr double kStep = 2.0 / kBuckets;
  static constexpr double kSlack = 1e-5;
  static constexpr double kCos30 = 0.8660254037844386;
  static constexpr double kSin30 = 0.5;
  static constexpr double kCos120 = -0.5;
  static constexpr double kSin120 = 0.8660254037844386;

  // Returns the pseudo-angle of a direction turned counterclockwise; -1 beyond 180 degrees.
  static constexpr double turned(double pseudo_angle, double cosine, double sine) {
    const double p = pseudo_angle < 0 ? 0 : pseudo_angle > 2 ? 2 : pseudo_angle;
    const double x = 1 - p;
    const double y = p < 1 ? p : 2 - p;
    const double turned_x = x * cosine - y * sine;
    const double turned_y = x * sine + y * cosine;
    if (turned_y < 0) return -1;
    const double t = turned_y / ((turned_x < 0 ? -turned_x : turned_x) + turned_y);
    return turned_x >= 0 ? t : 2 - t;
  }
};

inline constexpr AngleWindows kAngleWindows;

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_ANGLE_WINDOWS_H_
