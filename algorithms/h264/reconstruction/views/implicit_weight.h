// SPDX-License-Identifier: Apache-2.0

// Weights of bi-prediction by the distances of pictures (ITU-T H.264 clause 8.4.2.3.1).
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_IMPLICIT_WEIGHT_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_IMPLICIT_WEIGHT_H_

#include <millrace/algorithms/h264/slice.h>

#include <algorithm>
#include <cstdlib>

namespace millrace::h264 {

// Returns the weight of the reference of list 1 in 64ths; that of list 0 is the rest.
// `picture_order` is that of the picture that is predicted.
inline int implicit_weight(int picture_order, const Reference& first, const Reference& second) {
  constexpr int kEven = 32;
  if (first.is_long_term || second.is_long_term) return kEven;
  const auto distance = [](std::int64_t a, std::int64_t b) {
    return static_cast<int>(std::clamp<std::int64_t>(a - b, -128, 127));
  };
  const int td = distance(second.picture_order, first.picture_order);
  const int tb = distance(picture_order, first.picture_order);
  if (td == 0) return kEven;
  const int tx = (16384 + std::abs(td / 2)) / td;
  const int scale = std::clamp((tb * tx + 32) >> 6, -1024, 1023);  // DistScaleFactor
  const int weight = scale >> 2;
  return weight < -64 || weight > 128 ? kEven : weight;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_IMPLICIT_WEIGHT_H_
