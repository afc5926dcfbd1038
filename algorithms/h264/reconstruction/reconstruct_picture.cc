// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_view.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>

namespace millrace::h264 {

void reconstruct_picture(const ParsedPicture& picture, const FindPicture& find,
                         SamplePicture& output) {
  const ReconstructionInput input(picture, find);
  reconstruct_view<ScalarKernels>(input.view(output));
}

}  // namespace millrace::h264
