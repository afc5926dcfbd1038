// SPDX-License-Identifier: Apache-2.0

// The operations that a backend implements for motion_search.h, and calls of them for callers that
// have checked the arguments.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/core/queue.h>

#include <algorithm>
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

// Both enqueue what search_motion() and decide_modes() do, with arguments that those would accept,
// and do not check them.
template <class Sample>
void search_checked(Queue& queue, std::span<const SearchFrame<Sample>> frames,
                    std::span<const MotionField> fields, const SearchOptions& options) {
  if (frames.empty()) return;
  OpTable<SearchMotionOp<Sample>>::at(queue)(queue, frames, fields, options);
}

template <class Sample>
void decide_checked(Queue& queue, const SearchFrame<Sample>& frame,
                    std::span<const MotionField> fields, MacroblockMode* modes,
                    const SearchOptions& options) {
  ReferenceFields references;
  std::ranges::copy(fields, references.fields);
  references.count = static_cast<int>(fields.size());
  OpTable<DecideModesOp<Sample>>::at(queue)(queue, frame, references, modes, options);
}

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_OPS_H_
