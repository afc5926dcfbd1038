// SPDX-License-Identifier: Apache-2.0

// Searches one strip (strip_plan.h) by one device, with indices and ids of all points.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GROUP_STRIP_SEARCH_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GROUP_STRIP_SEARCH_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/group/strip_plan.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/queue.h>

namespace millrace::three_star {

// Finds the 3-stars that belong to `strip`, like compress_three_stars(), in chunks of `grid`; only
// counts them if there is no visitor. `grid` has all points, and options.radius is its radius.
SearchReport search_strip(Queue& queue, const CellGrid& grid, const Strip& strip,
                          const SearchOptions& options, const ChunkVisitor* visitor);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GROUP_STRIP_SEARCH_H_
