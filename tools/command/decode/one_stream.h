// SPDX-License-Identifier: Apache-2.0

// Decodes one H.264 stream to a file.
#ifndef MILLRACE_TOOLS_COMMAND_DECODE_ONE_STREAM_H_
#define MILLRACE_TOOLS_COMMAND_DECODE_ONE_STREAM_H_

#include <millrace/tools/command/decode/decode_options.h>

namespace millrace::tools {

// Decodes the stream of the options, which have one and no folder, and prints what it has. A thread
// of the decoder, or a device, reconstructs pictures beside the thread that parses. Throws Error
// for a stream without a picture, a file that cannot be read or written, and what a device throws.
void decode_one_stream(const DecodeOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DECODE_ONE_STREAM_H_
