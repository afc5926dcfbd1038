// SPDX-License-Identifier: Apache-2.0

// Decodes many H.264 streams to the files of a folder.
#ifndef MILLRACE_TOOLS_COMMAND_DECODE_STREAM_FOLDER_H_
#define MILLRACE_TOOLS_COMMAND_DECODE_STREAM_FOLDER_H_

#include <millrace/runtime/ranks/communicator.h>
#include <millrace/tools/command/decode/decode_options.h>
#include <millrace/tools/command/features/stream_name.h>

#include <cstddef>
#include <vector>

namespace millrace::tools {

// Collective. Decodes the streams of the options, which have a folder: each rank a portion of them,
// on its device or on its portion of the host's cores; devices of a group share them. A stream that
// fails does not end the others. Then rank 0 writes --json, of all ranks. Throws ExitStatus(1) if
// some streams failed, 2 if all did, and 128 + signal after a signal.
void decode_to_folder(const DecodeOptions& options, Communicator& world);

// Returns the streams of a rank. Those whose files have one name are of one rank, which finds that
// out.
std::vector<StreamName> decoded_by_rank(const std::vector<StreamName>& all, std::size_t rank,
                                        std::size_t ranks);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DECODE_STREAM_FOLDER_H_
