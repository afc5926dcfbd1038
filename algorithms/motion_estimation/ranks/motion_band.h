// SPDX-License-Identifier: Apache-2.0

// What is found of a band of rows of a picture: as bytes, and as a part of the whole.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_MOTION_BAND_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_MOTION_BAND_H_

#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::motion {

// All vectors of `motion`, then all costs, then its modes.
std::vector<std::byte> packed(const PictureMotion& motion);

// A whole picture's motion, put together of bands.
class WholeMotion {
 public:
  // Begins a picture of so many macroblocks, which has what `band` has of its own.
  void begin(const PictureMotion& band, std::size_t macroblocks);

  // Macroblocks from `first` on.
  void put(const PictureMotion& band, std::size_t first);

  // `count` of them, as packed() gave them.
  void put(std::span<const std::byte> band, std::size_t first, std::size_t count);

  // Good until begin().
  const PictureMotion& motion() const { return motion_; }

 private:
  PictureMotion motion_;
  std::array<std::vector<MotionVector>, kMostReferences> vectors_;
  std::array<std::vector<std::uint32_t>, kMostReferences> costs_;
  std::vector<MacroblockMode> modes_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_MOTION_BAND_H_
