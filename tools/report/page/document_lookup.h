// SPDX-License-Identifier: Apache-2.0

// Finds sections and blocks of a document, for tests of what makes one.
#ifndef MILLRACE_TOOLS_REPORT_PAGE_DOCUMENT_LOOKUP_H_
#define MILLRACE_TOOLS_REPORT_PAGE_DOCUMENT_LOOKUP_H_

#include <millrace/tools/report/page/document.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace millrace::tools {

// Returns the section with this title. Throws std::runtime_error if there is none.
inline const Section& section(const Document& document, const std::string& title) {
  const auto found = std::ranges::find(document.sections, title, &Section::title);
  if (found == document.sections.end()) throw std::runtime_error("no section " + title);
  return *found;
}

// Returns copies of the section's blocks of type T, in order.
template <class T>
std::vector<T> blocks(const Section& section) {
  std::vector<T> found;
  for (const Block& block : section.blocks) {
    if (const T* each = std::get_if<T>(&block)) found.push_back(*each);
  }
  return found;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PAGE_DOCUMENT_LOOKUP_H_
