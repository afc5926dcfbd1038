// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cpu/large_corners.h>
#include <millrace/algorithms/three_star/cpu/star_simd.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_stopped.h>

#include <algorithm>
#include <utility>

namespace millrace::three_star {

void LargeCorners::start(std::vector<std::uint32_t> corners) {
  corners_ = std::move(corners);
  for (std::size_t first = 0; first < corners_.size(); first += kPiece) {
    jobs_.start([this, first] { search(first); });
  }
}

std::uint64_t LargeCorners::wait() {
  jobs_.wait();
  return three_stars_;
}

void LargeCorners::search(std::size_t first) {
  StarScratch scratch;
  const std::size_t end = std::min(first + kPiece, corners_.size());
  try {
    for (std::size_t i = first; i < end && !has_failed_; ++i) {
      if (options_.stop.stop_requested()) throw Error(ErrorCode::kCancelled, kStoppedByRequest);
      const std::uint32_t corner = corners_[i];
      const PointRun run = {{corner, corner + 1}, grid_.neighbours(grid_.cell_of(corner))};
      three_stars_ += compress_stars(grid_, run, options_.radius, scratch, visitor_).three_stars;
    }
  } catch (...) {
    has_failed_ = true;
    throw;
  }
}

}  // namespace millrace::three_star
