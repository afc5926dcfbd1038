// SPDX-License-Identifier: Apache-2.0

// The definition of motion_search.h in plain loops, on one thread and in host memory, for tests to
// compare with.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFERENCE_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFERENCE_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::motion {

// Does as search_motion() with valid arguments in host memory.
template <class Sample>
void search_motion_reference(const SearchFrame<Sample>& frame, const MotionField& field,
                             const SearchOptions& options);

// Does as search_motion_reference() for one macroblock: `field` has kPartitions elements in each
// array.
template <class Sample>
void search_macroblock_reference(const SearchFrame<Sample>& frame, std::size_t macroblock,
                                 const MotionField& field, const SearchOptions& options);

// Does as decide_modes() with valid arguments in host memory.
template <class Sample>
void decide_modes_reference(const SearchFrame<Sample>& frame, std::span<const MotionField> fields,
                            MacroblockMode* modes, const SearchOptions& options);

// Returns a partition's distortion against the reference at `vector`: SAD if `precision` is
// kInteger, with a vector of whole samples; else SATD.
template <class Sample>
std::uint32_t partition_distortion(const SearchFrame<Sample>& frame, std::size_t macroblock,
                                   const Partition& partition, const MotionVector& vector,
                                   Precision precision);

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFERENCE_H_
