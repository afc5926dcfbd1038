// SPDX-License-Identifier: Apache-2.0

// The checks that the public calls of this folder begin with.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_ARGUMENTS_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_ARGUMENTS_H_

#include <millrace/algorithms/idct/macroblock.h>

#include <cstdint>

namespace millrace::idct {

// Throw kInvalidArgument for what idct.h says that inverse_transform() and reconstruct() refuse,
// but for what is in the arrays. Memory is not read.
void check_residual_arguments(const MacroblockQueue& macroblocks, const std::int16_t* residual);
void check_picture_arguments(const MacroblockQueue& macroblocks, const ConstPlane& prediction,
                             const Plane& output);

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_ARGUMENTS_H_
