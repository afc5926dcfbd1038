// SPDX-License-Identifier: Apache-2.0

// Motion search on one CPU thread with the processor's best SIMD instructions (AVX-512, AVX2, SSE4,
// NEON, ...), chosen at run time once per row of macroblocks.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_SIMD_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_SIMD_H_

#include <millrace/algorithms/motion_estimation/cpu/search_rates.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <cstdint>

namespace millrace::motion {

// Number of differences of 8-bit samples that an instruction adds. The faster choice depends on the
// processor for AVX2 and SSE4, and is measured once per process. For other instruction sets it is
// fixed, and this has no effect.
enum class SadsBy : std::uint8_t { kFastest, kFours, kEights };

// Runs the integer search of search_motion() for macroblock row `row` alone. `rates` is that of the
// search's range and lambda. The result does not depend on `by`. Keeps no state: several threads
// may search rows at once.
template <class Sample>
void search_row(const SearchFrame<Sample>& frame, const SearchRates& rates, int row,
                const MotionField& field, SadsBy by = SadsBy::kFastest);

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_SIMD_H_
