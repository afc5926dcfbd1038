// SPDX-License-Identifier: Apache-2.0

// Searches for comparison with search_motion(), which looks at every candidate: those of encoders,
// that look at few of them or predict in another order.
//
//   fast_search<std::uint8_t>(frame, SearchPattern::kDiamond, {vectors, costs}, {.range = 32});
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_H_

#include <millrace/algorithms/motion_estimation/fast_search/coding_order.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <cstdint>

namespace millrace::motion {

// Which candidates of its window a partition is compared with; those of the fast ones are in
// fast_search_patterns.h.
enum class SearchPattern : std::uint8_t { kFull, kDiamond, kMultiHexagon };

// All of these run on the calling thread, in host memory, with the arguments of search_motion(),
// which are valid. Costs, the window and the refinement to half and quarter samples are those of
// search_motion(); only the choice of candidates at whole samples is another.

// Each partition is predicted by frame.predictors. kFull gives what search_motion() gives.
template <class Sample>
void fast_search(const SearchFrame<Sample>& frame, SearchPattern pattern, const MotionField& field,
                 const SearchOptions& options = {});

// Each partition has the standard's predictor (median_predictor.h) and a window around it; the
// macroblocks before it have to be searched. frame.predictors is not read. With kFull, the full
// search of the reference encoder.
template <class Sample>
void search_in_coding_order(const SearchFrame<Sample>& frame, SearchPattern pattern,
                            const CodedMotion& motion, const SearchOptions& options = {});

// What the vectors of `field`, found by any search of this frame with these options, cost where
// they are coded, as differences from the standard's predictors; and the modes chosen by that.
template <class Sample>
void cost_in_coding_order(const SearchFrame<Sample>& frame, const MotionField& field,
                          const CodedMotion& motion, const SearchOptions& options = {});

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_H_
