// SPDX-License-Identifier: Apache-2.0

// 3-stars in order, however many they are.
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

// Hands all chunks of some points to a visitor, the same ones whenever it is called.
using ChunkSource = std::function<SearchReport(const ChunkVisitor&)>;

// Hands all 3-stars of `source` to `visitor` ordered by a, then b, then c, some at a time, on the
// calling thread. About `memory_bytes` are taken and 8 bytes a point for each
// thread, unless one point alone is the lowest of so many
// 3-stars that they need more: 3-stars are kept compressed, and written out and sorted by the
// queue's device (radix_sort) group by group of a; where not even compressed they have room, the
// source is asked again for each group. Throws what `source`, visit_three_stars() and
// `visitor` throw. Returns the report of the first time.
SearchReport visit_in_order(Queue& queue, std::span<const Point> points, std::int32_t radius,
                            const ChunkSource& source, const StarVisitor& visitor,
                            std::size_t memory_bytes = std::size_t{600} << 20);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_ORDER_H_
