// SPDX-License-Identifier: Apache-2.0

// The inputs and runs that searches for 3-stars are timed with: points, ways to receive the 3-stars
// found, and checks of the result.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_WORKLOAD_H_

#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::tools {

// Points are of this square.
inline constexpr std::int32_t kThreeStarWidth = 2000;
inline constexpr std::int32_t kThreeStarRadius = 50;

// Normal around centers of 400 points each: cells with up to some tens of times the mean.
std::vector<three_star::Point> clustered_points(std::size_t count);

// Searches, and sets `bytes` to those that the caller gets to see.
using ThreeStarWork = three_star::SearchReport(Queue& queue,
                                               std::span<const three_star::Point> points,
                                               const three_star::SearchOptions& options,
                                               std::uint64_t& bytes);

ThreeStarWork count_only;       // None.
ThreeStarWork compress_only;    // All chunks, which nobody reads.
ThreeStarWork count_by_sensor;  // 12 of each, as counts by sensor; throws kInternal as below.
ThreeStarWork visit_ids;        // 12 of each, some 3-stars at a time.
ThreeStarWork bring_raw;        // Raw 3-stars go to pinned memory, and nobody reads them.

// In how many 3-stars each sensor is, by compressed chunks. Throws kInternal where that is not
// three times as many as the report says, or for some sensors not what trying all pairs of their
// neighbours gives.
std::vector<std::uint64_t> checked_three_stars(Queue& queue,
                                               std::span<const three_star::Point> points,
                                               const three_star::SearchOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_WORKLOAD_H_
