// SPDX-License-Identifier: Apache-2.0

// QP and bits of a stream's frames as a picture.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_PLOT_OUTPUT_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_PLOT_OUTPUT_H_

#include <millrace/tools/command/features/output/feature_output.h>

#include <memory>
#include <string>

namespace millrace::tools {

// Draws an SVG file of one stream, in decoding order: the bits of each frame by syntax class, and
// below them mean, least and greatest QP; nothing if it has no frame. Throws Error: kIo, and
// kInvalidArgument for a second stream.
std::unique_ptr<FeatureOutput> open_plot(const std::string& path, bool force);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_PLOT_OUTPUT_H_
