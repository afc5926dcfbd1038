// SPDX-License-Identifier: Apache-2.0

// Maps of values of the macroblocks of a stream, as arrays of a .npz file.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_MAPS_MACROBLOCK_MAPS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_MAPS_MACROBLOCK_MAPS_H_

#include <millrace/tools/command/features/stream/picture_consumer.h>

#include <memory>
#include <string>

namespace millrace::tools {

// Arrays of frames in decoding order, rows and columns of macroblocks:
//   qp            uint8 [N, H, W]
//   type          uint8 [N, H, W], index into "type_names"
//   bits          uint32 [N, H, W, 4], by "bit_names"
//   references    int8 [N, H, W, 2, 4], by list and 8x8 block; -1: none
//   vectors       int16 [N, H, W, 2, 16, 2], by list and 4x4 block in raster order; x, y in quarter
//                 samples
//   coefficients  uint16 [N, H, W], number of luma and chroma coefficients that are not 0; of I_PCM
//                 samples that are not 0
//   picture_order int32 [N]
// All pictures must have the size of the first. Throws Error(kIo).
std::unique_ptr<PictureConsumer> open_macroblock_maps(const std::string& path, bool force);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_MAPS_MACROBLOCK_MAPS_H_
