// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_FILES_OUTPUT_MAKE_FOLDER_H_
#define MILLRACE_TOOLS_FILES_OUTPUT_MAKE_FOLDER_H_

#include <string>

namespace millrace::tools {

// Makes a folder for output files, and those above it, unless they are there. Throws Error (kIo)
// where it cannot.
void make_folder(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_OUTPUT_MAKE_FOLDER_H_
