// A file, pipe or standard input, read to its end.
#ifndef MILLRACE_TOOLS_TABLES_WHOLE_FILE_H_
#define MILLRACE_TOOLS_TABLES_WHOLE_FILE_H_

#include <functional>
#include <string>

namespace millrace::tools {

// Reads all bytes of `path`; "-" is standard input. Waits for a pipe's writer, and calls
// `check_stop` several times a second meanwhile, which may throw. Throws Error(kIo) with the path
// and the system's reason where it cannot be read, and for a directory.
std::string read_whole_file(const std::string& path, const std::function<void()>& check_stop);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_WHOLE_FILE_H_
