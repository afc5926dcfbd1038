// SPDX-License-Identifier: Apache-2.0

// Motion estimation in the order in which the standard codes it: macroblocks in raster order, each
// partition predicted by its neighbours' vectors in the modes that were chosen for them.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_CODING_ORDER_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_CODING_ORDER_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace millrace::motion {

// A partition's vector, in quarter samples, and J.
struct MotionEstimate {
  MotionVector vector{};
  std::uint32_t cost = 0;
};

// Source of estimates. The functions are called in coding order.
struct EstimateSource {
  // Estimates a partition with this (limited) predictor. The halves and quarters of a partition
  // follow it.
  std::function<MotionEstimate(std::size_t macroblock, int partition,
                               const MotionVector& predictor)>
      estimate;

  // Returns a macroblock's distortion at P_Skip's vector.
  std::function<std::uint32_t(std::size_t macroblock, const MotionVector& vector)> skip_distortion;
};

// Arrays in host memory; `modes` and `skip_vectors` have one element a macroblock.
struct CodedMotion {
  MotionField field;
  MacroblockMode* modes = nullptr;
  // P_Skip's vectors, also of macroblocks that did not choose it.
  MotionVector* skip_vectors = nullptr;
};

// Fills `motion` for a picture of columns x rows macroblocks with one reference. A quarter's
// partitions are predicted within the shape that they belong to. Modes are chosen as decide_modes()
// specifies, with the standard's vector for P_Skip, rounded as candidate_block.
void estimate_in_coding_order(int columns, int rows, const EstimateSource& source,
                              const CodedMotion& motion, const SearchOptions& options);

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_CODING_ORDER_H_
