// SPDX-License-Identifier: Apache-2.0

// Texts of all ranks, such as their reports, on rank 0.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_GATHER_TEXTS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_GATHER_TEXTS_H_

#include <millrace/runtime/ranks/communicator.h>

#include <string>
#include <vector>

namespace millrace::tools {

// Collective. Returns the text of each rank on rank 0, indexed by rank, and nothing on the others.
// Throws what the communicator throws.
std::vector<std::string> gather_texts(Communicator& world, const std::string& text);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_GATHER_TEXTS_H_
