// SPDX-License-Identifier: Apache-2.0

// Argument checks of HostTransform. All throw kInvalidArgument, or as said below.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_ARGUMENTS_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_ARGUMENTS_H_

#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/core/device.h>

#include <cstddef>

namespace millrace::idct {

// Returns the options with values chosen for the device where the caller has left them open.
HostTransformOptions checked(const Device& device, HostTransformOptions options);

void check_input(const HostInput& input);
void check_pictures(const HostInput& input, const HostPrediction& prediction, const Plane& output);

// Throws kUnsupported for a prediction that a group of several devices cannot read.
void check_group_prediction(const HostPrediction& prediction);

void check_features(const HostInput& input, std::size_t picture_size, std::size_t features);

// Returns the number of macroblocks per chunk, a multiple of `row`.
std::size_t checked_step(const HostInput& input, const HostTransformOptions& options,
                         std::size_t row);

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_HOST_ARGUMENTS_H_
