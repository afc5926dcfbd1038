// SPDX-License-Identifier: Apache-2.0

// Workloads in plain words, for pages whose readers do not know their names.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_WORK_TITLES_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_WORK_TITLES_H_

#include <string>

namespace millrace::tools {

// Returns what the workload does: "Sort of u32 keys" for "sort-keys"; its name if it has no title.
std::string title_of_workload(const std::string& workload);

// The same with the name that `millrace bench` takes: "Sort of u32 keys (sort-keys)".
std::string named_title_of_workload(const std::string& workload);

// Returns title, input and strategy: "Sort of u32 keys, uniform, in device memory". `input` and
// `strategy` may be empty.
std::string work_text(const std::string& title, const std::string& input,
                      const std::string& strategy);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_WORK_TITLES_H_
