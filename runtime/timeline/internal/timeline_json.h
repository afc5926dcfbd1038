// SPDX-License-Identifier: Apache-2.0

// Writes a timeline in Chrome's Trace Event Format, which Perfetto and chrome://tracing open.
//
//   std::ofstream file("trace.json");
//   write_chrome_trace(timeline, file);
#ifndef MILLRACE_RUNTIME_TIMELINE_INTERNAL_TIMELINE_JSON_H_
#define MILLRACE_RUNTIME_TIMELINE_INTERNAL_TIMELINE_JSON_H_

#include <millrace/runtime/timeline/timeline.h>

#include <ostream>

namespace millrace {

// Each track has a row of its name; overlapping spans of one track get further rows of that name.
// Times are in microseconds from the begin of the first span. Spans with bytes have these and GB/s
// among their arguments. Errors of writing are reported by the state of `out`.
void write_chrome_trace(const Timeline& timeline, std::ostream& out);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TIMELINE_INTERNAL_TIMELINE_JSON_H_
