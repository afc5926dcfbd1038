// SPDX-License-Identifier: Apache-2.0

// Compiles the file named by HWY_TARGET_INCLUDE once for each target of Highway whose vectors have
// a fixed length. Vectors of other targets cannot be members of classes, as they are in this
// folder.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_TARGETS_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_TARGETS_H_

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_MOTION_TARGETS_H_
