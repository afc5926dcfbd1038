// SPDX-License-Identifier: Apache-2.0

// Notes on standard error of streams that the output says nothing about.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_STREAM_NOTE_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_STREAM_NOTE_H_

#include <string>

namespace millrace::tools {

// Prints "millrace: SENTENCE" as one line, whatever names it contains. Any thread may call it.
void print_stream_note(const std::string& sentence);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_STREAM_NOTE_H_
