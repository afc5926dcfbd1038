// SPDX-License-Identifier: Apache-2.0

// Argument checks of the public functions of this folder.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_ARGUMENTS_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_ARGUMENTS_H_

#include <millrace/algorithms/idct/macroblock.h>

#include <cstdint>

namespace millrace::idct {

// Throw kInvalidArgument for the arguments that idct.h says inverse_transform() and reconstruct()
// reject. The contents of the arrays are not read.
void check_residual_arguments(const MacroblockQueue& macroblocks, const std::int16_t* residual);
void check_picture_arguments(const MacroblockQueue& macroblocks, const ConstPlane& prediction,
                             const Plane& output);

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_ARGUMENTS_H_
