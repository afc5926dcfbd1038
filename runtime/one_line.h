// Messages that end no line and reach no terminal with what is in them.
#ifndef MILLRACE_RUNTIME_ONE_LINE_H_
#define MILLRACE_RUNTIME_ONE_LINE_H_

#include <string>

namespace millrace {

// The message on one line. Control characters, which names of files and fields of tables may have
// in them, are written as \n or \x1b. Any thread.
std::string one_line(const std::string& message);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_ONE_LINE_H_
