// SPDX-License-Identifier: Apache-2.0

// Joins the motion that ranks have found in rows of a picture.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_WHOLE_MOTION_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_WHOLE_MOTION_H_

#include <millrace/algorithms/motion_estimation/picture_motion.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::motion {

// Returns all vectors of `motion`, then all costs, then its modes, as bytes.
std::vector<std::byte> packed(const PictureMotion& motion);

// A whole picture's motion, assembled from bands.
class WholeMotion {
 public:
  // Begins a picture of `macroblocks` macroblocks with the arrays that `band` has.
  void begin(const PictureMotion& band, std::size_t macroblocks);

  // Copies the macroblocks of `band` to `first` and those after it.
  void put(const PictureMotion& band, std::size_t first);

  // Copies `count` macroblocks in the form that packed() returned.
  void put(std::span<const std::byte> band, std::size_t first, std::size_t count);

  // Valid until begin().
  const PictureMotion& motion() const { return motion_; }

 private:
  PictureMotion motion_;
  std::array<std::vector<MotionVector>, kMostReferences> vectors_;
  std::array<std::vector<std::uint32_t>, kMostReferences> costs_;
  std::vector<MacroblockMode> modes_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_WHOLE_MOTION_H_
