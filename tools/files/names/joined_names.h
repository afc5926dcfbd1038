// SPDX-License-Identifier: Apache-2.0

// Lists names in a line of text.
#ifndef MILLRACE_TOOLS_FILES_NAMES_JOINED_NAMES_H_
#define MILLRACE_TOOLS_FILES_NAMES_JOINED_NAMES_H_

#include <string>
#include <string_view>

namespace millrace::tools {

// Returns the names with `between` between them. `Names` is a range of strings.
template <class Names>
std::string joined_names(const Names& names, std::string_view between = ", ") {
  std::string text;
  bool is_first = true;
  for (const auto& name : names) {
    if (!is_first) text += between;
    text += name;
    is_first = false;
  }
  return text;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_NAMES_JOINED_NAMES_H_
