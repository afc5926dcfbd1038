// SPDX-License-Identifier: Apache-2.0

// The operations that a backend implements for motion_search.h. The caller has checked the
// arguments.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/queue.h>

#include <span>
#include <string>

namespace millrace::motion {

// Throws kInvalidArgument for options out of range.
void check_search_options(const SearchOptions& options);

// Throws kInvalidArgument for rows outside a picture of `picture_rows`. Errors call them `name`.
void check_rows(const std::string& name, const MacroblockRows& rows, int picture_rows);

// Searches one or more frames of one size, one after another, to as many fields.
template <class Sample>
struct SearchMotionOp {
  using Function = void(Queue&, std::span<const SearchFrame<Sample>>, std::span<const MotionField>,
                        const SearchOptions&);
};

// The fields of a choice of modes.
struct ReferenceFields {
  MotionField fields[kMostReferences];
  int count = 0;
};

template <class Sample>
struct DecideModesOp {
  using Function = void(Queue&, const SearchFrame<Sample>&, const ReferenceFields&,
                        MacroblockMode* modes, const SearchOptions&);
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_
