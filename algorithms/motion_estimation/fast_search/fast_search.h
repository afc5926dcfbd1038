// SPDX-License-Identifier: Apache-2.0

// Searches for comparison with search_motion(), which evaluates every candidate. They work as
// encoders do: they evaluate a fraction of the candidates, or predict in another order.
//
//   fast_search<std::uint8_t>(frame, SearchPattern::kDiamond, {vectors, costs}, {.range = 32});
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_H_

#include <millrace/algorithms/motion_estimation/fast_search/coding_order.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <cstdint>

namespace millrace::motion {

// The candidates of its window that a partition is compared with; fast_search.cc has those of the
// fast patterns.
enum class SearchPattern : std::uint8_t { kFull, kDiamond, kMultiHexagon };

// All of these functions run on the calling thread, in host memory, with the arguments of
// search_motion(), which are valid. Costs, the window and the refinement to half and quarter
// samples are those of search_motion(); only the choice of candidates at whole samples differs.

// Predicts each partition by frame.predictors. With kFull the result is that of search_motion().
template <class Sample>
void fast_search(const SearchFrame<Sample>& frame, SearchPattern pattern, const MotionField& field,
                 const SearchOptions& options = {});

// Searches each partition in a window around the standard's predictor (median_predictor.h), which
// requires the macroblocks before it. frame.predictors is not read. With kFull this is the full
// search of the reference encoder.
template <class Sample>
void search_in_coding_order(const SearchFrame<Sample>& frame, SearchPattern pattern,
                            const CodedMotion& motion, const SearchOptions& options = {});

// Computes the costs of the vectors of `field`, found by any search of this frame with these
// options, when they are coded as differences from the standard's predictors; and the modes chosen
// by these costs.
template <class Sample>
void cost_in_coding_order(const SearchFrame<Sample>& frame, const MotionField& field,
                          const CodedMotion& motion, const SearchOptions& options = {});

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_H_
