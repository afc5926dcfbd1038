// SPDX-License-Identifier: Apache-2.0

// Conversion of text files to UTF-8.
#ifndef MILLRACE_TOOLS_TABLES_TEXT_ENCODING_H_
#define MILLRACE_TOOLS_TABLES_TEXT_ENCODING_H_

#include <string>

namespace millrace::tools {

// Returns a file's text without its byte order mark: UTF-16 with a mark becomes UTF-8, and all
// other text stays as it is. Throws Error(kIo) that names the file for half a UTF-16 character, for
// UTF-32, and for what is no text: gzip, zip (.npz, .xlsx), and bytes of 0.
std::string to_utf8(std::string bytes, const std::string& name);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_TEXT_ENCODING_H_
