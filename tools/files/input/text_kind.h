// SPDX-License-Identifier: Apache-2.0

// Detection of text.
#ifndef MILLRACE_TOOLS_FILES_INPUT_TEXT_KIND_H_
#define MILLRACE_TOOLS_FILES_INPUT_TEXT_KIND_H_

#include <cstdint>
#include <string_view>

namespace millrace::tools {

// Returns the kind of text of a file of `bytes` bytes that begins with `head`: "text", "JSON text"
// and so on. Empty for raw data, and for printable bytes that may as well be data: those without a
// line break, which neither list numbers nor are JSON, and fewer than 16 bytes that are no line of
// numbers.
std::string_view text_kind(std::string_view head, std::uint64_t bytes);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_INPUT_TEXT_KIND_H_
