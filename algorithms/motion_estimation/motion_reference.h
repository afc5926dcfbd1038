// SPDX-License-Identifier: Apache-2.0

// The definition of motion_search.h in plain loops, one thread, host memory: what tests compare
// with.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFERENCE_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFERENCE_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::motion {

// As search_motion() with valid arguments in host memory.
template <class Sample>
void search_motion_reference(const SearchFrame<Sample>& frame, const MotionField& field,
                             const SearchOptions& options);

// The same of one macroblock: kPartitions elements to each array of `field`.
template <class Sample>
void search_macroblock_reference(const SearchFrame<Sample>& frame, std::size_t macroblock,
                                 const MotionField& field, const SearchOptions& options);

// As decide_modes(), likewise.
template <class Sample>
void decide_modes_reference(const SearchFrame<Sample>& frame, std::span<const MotionField> fields,
                            MacroblockMode* modes, const SearchOptions& options);

// Of a partition of a macroblock against the reference at `vector`: SAD, where the vector is of
// whole samples and `precision` is kInteger, or SATD.
template <class Sample>
std::uint32_t partition_distortion(const SearchFrame<Sample>& frame, std::size_t macroblock,
                                   const Partition& partition, const MotionVector& vector,
                                   Precision precision);

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFERENCE_H_
