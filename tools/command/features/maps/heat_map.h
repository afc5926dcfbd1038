// SPDX-License-Identifier: Apache-2.0

// Draws a value of each macroblock as a colour.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_MAPS_HEAT_MAP_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_MAPS_HEAT_MAP_H_

#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/tools/command/features/stream/picture_consumer.h>
#include <millrace/tools/video/canvas/rgb_canvas.h>

#include <memory>
#include <string>

namespace millrace::tools {

enum class HeatValue {
  kQp,    // 0 to 51, from blue over green and yellow to red.
  kBits,  // The macroblock's; the same colours by the logarithm, red from 2,048 bits on.
  kType,  // Intra red, PCM magenta, P blue, B green, direct and skipped dark, lost white.
};

// Returns the value of that name: QP, bits or type. Throws Error(kInvalidArgument).
HeatValue heat_value_named(const std::string& name);

// Returns a picture of 16x16 samples a macroblock, without cropping: half the value's colour and
// half the luma of `samples`, which has the picture's size.
RgbCanvas draw_heat(const h264::ParsedPicture& picture, HeatValue value,
                    const h264::SamplePicture& samples);

// Returns a colour of the scale; `position` is 0 to 1, others are taken as the nearer end.
Rgb heat_colour(double position);

// Reconstructs pictures and draws over them, in decoding order: all of them to a .y4m file of 25
// frames a second, the last one to a .png file. Throws Error: kInvalidArgument for another ending,
// kIo.
std::unique_ptr<PictureConsumer> open_heat_map(HeatValue value, const std::string& path,
                                               bool force);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_MAPS_HEAT_MAP_H_
