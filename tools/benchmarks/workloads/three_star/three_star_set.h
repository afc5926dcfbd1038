// SPDX-License-Identifier: Apache-2.0

// Checks that all 3-stars that are visited are the right ones.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_SET_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_SET_H_

#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/queue.h>

#include <cstdint>
#include <span>

namespace millrace::tools {

// The number of 3-stars, and their hash (algorithms/three_star/set_hash.h).
struct ThreeStarSet {
  std::uint64_t count = 0;
  std::uint64_t hash = 0;

  bool operator==(const ThreeStarSet&) const = default;
};

// Visits those of `points` by `visit`, which is visit_three_stars() or does the same. Throws
// kInternal where one is none by the definition, or where those of some sensors are not the set
// that trying all pairs of their neighbours gives.
using VisitThreeStars = three_star::SearchReport(Queue& queue,
                                                 std::span<const three_star::Point> points,
                                                 const three_star::SearchOptions& options,
                                                 const three_star::StarVisitor& visitor);
ThreeStarSet checked_three_star_set(VisitThreeStars* visit, Queue& queue,
                                    std::span<const three_star::Point> points,
                                    const three_star::SearchOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_SET_H_
