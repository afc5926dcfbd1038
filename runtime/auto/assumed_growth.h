// SPDX-License-Identifier: Apache-2.0

// The growth that is assumed of a queue before any run of its kind.
#ifndef MILLRACE_RUNTIME_AUTO_ASSUMED_GROWTH_H_
#define MILLRACE_RUNTIME_AUTO_ASSUMED_GROWTH_H_

#include <millrace/runtime/auto/policy_model.h>

namespace millrace {

// Returns `known` with the features assumed for a queue whose growth is unknown, with items of a
// microsecond each. A set that may open joins is assumed to grow a tree of 4 million items, as a
// recursion without a cut-off. Other sets that spawn are assumed to have 32,768 items, or eight
// times the roots if that is more: a tree that doubles from wave to wave from one root, chains from
// several. On an H200 waves take up to 20 times as long on chains as persistent threads, which take
// at most 2.2 times as long as waves on trees (docs/experiments/does_auto_find_the_best_policy.md).
// A set that does not spawn has one wave.
WorkFeatures assumed_growth(WorkFeatures known);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_ASSUMED_GROWTH_H_
