// SPDX-License-Identifier: Apache-2.0

// A document as a page of HTML that needs nothing beside itself: no script, no network.
#ifndef MILLRACE_TOOLS_REPORT_PAGE_PAGE_H_
#define MILLRACE_TOOLS_REPORT_PAGE_PAGE_H_

#include <millrace/tools/report/page/document.h>

#include <ostream>
#include <string>

namespace millrace::tools {

// `out` shows what could not be written, in its own way.
void write_page(std::ostream& out, const Document& document);

// Its CSS, but for that of charts.
std::string page_style();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PAGE_PAGE_H_
