// What a backend has to have for motion_search.h. Arguments are checked.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/queue.h>

namespace millrace::motion {

// Throws kInvalidArgument for options out of range.
void check_search_options(const SearchOptions& options);

template <class Sample>
struct SearchMotionOp {
  using Function = void(Queue&, const SearchFrame<Sample>&, const MotionField&,
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
