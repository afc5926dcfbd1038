// SPDX-License-Identifier: Apache-2.0

// Names of the files of a folder that has one for each stream.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_STREAM_FILE_STEM_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_STREAM_FILE_STEM_H_

#include <string>

namespace millrace::tools {

// Returns the name of the stream's file without its ending: that of the stream's file, and of a
// stream of a capture "FILE-ADDRESS-PORT-SSRC". Streams of several folders may have the same one.
std::string stream_file_stem(const std::string& stream);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_STREAM_FILE_STEM_H_
