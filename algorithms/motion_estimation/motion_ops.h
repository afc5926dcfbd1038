// SPDX-License-Identifier: Apache-2.0

// What a backend has to have for motion_search.h. Arguments are checked.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/queue.h>

#include <span>
#include <string>

namespace millrace::motion {

// Throws kInvalidArgument for options out of range.
void check_search_options(const SearchOptions& options);

// The same for rows that a picture of so many does not have; `name` is what they are called there.
void check_rows(const std::string& name, const MacroblockRows& rows, int picture_rows);

// Of frames in turn, all of one size, and as many fields; one or more.
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
