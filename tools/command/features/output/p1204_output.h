// SPDX-License-Identifier: Apache-2.0

// Features as the published model of ITU-T P.1204.3 reads them.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_P1204_OUTPUT_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_P1204_OUTPUT_H_

#include <millrace/tools/command/features/output/feature_output.h>

#include <memory>
#include <string>

namespace millrace::tools {

// Writes FOLDER/NAME.json.bz2 for each stream that ends well: a list of one object a frame, with
// the 16 members of mode 3. NAME is the stream's file name without its ending. As the model's own
// parser does it, frames before the first intra frame are left out, IsIDR is libavcodec's key
// frame, and StdDev_MotionDif has no mean subtracted. Vector differences stay exact, which there
// are clamped. The folder is made if it is missing. `resumes`: streams whose file is there are
// done. Throws Error(kIo).
std::unique_ptr<FeatureOutput> open_p1204(const std::string& folder, bool force, bool resumes);

// Returns the name of a stream's file in the folder.
std::string p1204_file_name(const std::string& stream);

// Appends a frame's object.
void append_p1204_object(std::string& text, const h264::FrameFeatures& features);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_P1204_OUTPUT_H_
