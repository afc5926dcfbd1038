// 3-stars in order, however many they are.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_STAR_ORDER_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_STAR_ORDER_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/queue.h>

#include <cstddef>
#include <span>

namespace millrace::three_star {

// Hands all 3-stars to `visitor` ordered by a, then b, then c, some at a time, on the calling
// thread. About `memory_bytes` are taken, unless one point alone is the lowest of so many 3-stars
// that they need more: 3-stars are compressed, and written out and sorted (radix_sort) group by
// group of a; where not even compressed they have room, they are searched again for each group.
// Throws as visit_three_stars(); what the visitor throws comes out of the call.
SearchReport visit_in_order(Queue& queue, std::span<const Point> points,
                            const SearchOptions& options, const StarVisitor& visitor,
                            std::size_t memory_bytes = std::size_t{1} << 29);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_STAR_ORDER_H_
