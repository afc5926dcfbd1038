// SPDX-License-Identifier: Apache-2.0

// Standard streams that were closed before the process started.
#ifndef MILLRACE_TOOLS_FILES_STANDARD_STREAMS_H_
#define MILLRACE_TOOLS_FILES_STANDARD_STREAMS_H_

namespace millrace::tools {

// Opens /dev/null on each of the descriptors 0 to 2 that is closed, so that no file gets one of
// them and is mixed with notes and tables. Reading such a standard input and writing such a
// standard output then fail with EBADF; what goes to such a standard error is dropped. Called once,
// first in main().
void hold_standard_streams();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_STANDARD_STREAMS_H_
