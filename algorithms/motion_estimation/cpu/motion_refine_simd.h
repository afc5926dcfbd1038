// SPDX-License-Identifier: Apache-2.0

// The refinement of motion search to half and quarter samples, and P_Skip's distortions, on one CPU
// thread with the processor's best SIMD instructions, chosen at run time once per row.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_REFINE_SIMD_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_REFINE_SIMD_H_

#include <millrace/algorithms/motion_estimation/cpu/half_samples.h>
#include <millrace/algorithms/motion_estimation/cpu/search_rates.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <cstdint>

namespace millrace::motion {

// The functions keep no state: several threads may process rows at once.

// Computes the half samples of rows 16 * row to 16 * row + 15 of a plane, and of the margins above
// the first and below the last row. `to` has the plane's size.
template <class Sample>
void interpolate_row(const LumaPlane<Sample>& plane, int row, const HalfSamples<Sample>& to);

// Refines the results of search_row() in a row of macroblocks, with the same rates. `half_samples`
// covers the whole reference; `precision` is not kInteger.
template <class Sample>
void refine_row(const SearchFrame<Sample>& frame, const HalfSamples<Sample>& half_samples,
                const SearchRates& rates, Precision precision, int row, const MotionField& field);

// Computes the distortion of P_Skip's vector for each macroblock of a row.
template <class Sample>
void find_skip_distortions(const SearchFrame<Sample>& frame, Precision precision, int row,
                           std::uint32_t* distortions);

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_REFINE_SIMD_H_
