// SPDX-License-Identifier: Apache-2.0

// Reproductions as a document, which becomes a page and Markdown (tools/report).
#ifndef MILLRACE_TOOLS_REPRODUCE_OUTPUT_REPRODUCTION_DOCUMENT_H_
#define MILLRACE_TOOLS_REPRODUCE_OUTPUT_REPRODUCTION_DOCUMENT_H_

#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/results/results.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

#include <string>
#include <vector>

namespace millrace::tools {

// Returns a document with a table of all findings, then a section per paper. Each table or figure
// has a section in it, with its findings, its figures beside ours, and its drawing. `how` is a
// sentence on sizes and times.
Document document_of(const std::vector<Reproduction>& reproductions, const DeviceRecord& device,
                     const std::string& how);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_OUTPUT_REPRODUCTION_DOCUMENT_H_
