// SPDX-License-Identifier: Apache-2.0

// A document as Markdown, with its charts as SVG files beside it.
#ifndef MILLRACE_TOOLS_REPORT_PAGE_MARKDOWN_H_
#define MILLRACE_TOOLS_REPORT_PAGE_MARKDOWN_H_

#include <millrace/tools/report/page/document.h>

#include <functional>
#include <ostream>
#include <string>

namespace millrace::tools {

// Takes the name and the contents of a file beside the text.
using PictureWriter = std::function<void(const std::string& name, const std::string& svg)>;

// Pictures are "STEM-1.svg", "STEM-2.svg", ... `out` shows what could not be written, in its own
// way.
void write_markdown(std::ostream& out, const Document& document, const std::string& stem,
                    const PictureWriter& write_picture);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PAGE_MARKDOWN_H_
