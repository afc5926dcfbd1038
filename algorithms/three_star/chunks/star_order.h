// SPDX-License-Identifier: Apache-2.0

// Visits any number of 3-stars in order.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_ORDER_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_ORDER_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace millrace::three_star {

// Passes all chunks of some points to a visitor, the same ones whenever it is called.
using ChunkSource = std::function<SearchReport(const ChunkVisitor&)>;

// Passes all 3-stars of `source` to `visitor` ordered by a, then b, then c, several at a time, on
// the calling thread. Takes about `memory_bytes`, and 8 bytes a point for each thread, unless one
// point alone is the lowest of so many 3-stars that they need more: 3-stars are kept compressed,
// and expanded and sorted by the queue's device (radix_sort) group by group of a; if they do not
// fit even compressed, the source is called again for each group. Throws what `source`,
// visit_three_stars() and `visitor` throw. Returns the report of the first call.
SearchReport visit_in_order(Queue& queue, std::span<const Point> points, std::int32_t radius,
                            const ChunkSource& source, const StarVisitor& visitor,
                            std::size_t memory_bytes = std::size_t{600} << 20);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_ORDER_H_
