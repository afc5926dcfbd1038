// SPDX-License-Identifier: Apache-2.0

// Gives 3-stars of some of the points the ids that these have among all points.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_RENAMED_STARS_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_RENAMED_STARS_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/three_star.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// A StarVisitor for another one.
class RenamedStars {
 public:
  // `ids` are those of the searched points. Both arguments outlive this object.
  RenamedStars(std::span<const std::uint32_t> ids, const StarVisitor& visitor)
      : ids_(ids), visitor_(&visitor) {}

  void operator()(std::span<const ThreeStar> stars) const {
    std::vector<ThreeStar> of_all(stars.size());
    std::transform(stars.begin(), stars.end(), of_all.begin(), [this](const ThreeStar& star) {
      return star_of(ids_[star.a], ids_[star.b], ids_[star.c]);
    });
    (*visitor_)(of_all);
  }

 private:
  std::span<const std::uint32_t> ids_;
  const StarVisitor* visitor_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_RENAMED_STARS_H_
