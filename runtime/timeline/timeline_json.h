// SPDX-License-Identifier: Apache-2.0

// A timeline in the Trace Event Format of Chrome, which Perfetto and chrome://tracing open.
#ifndef MILLRACE_RUNTIME_TIMELINE_TIMELINE_JSON_H_
#define MILLRACE_RUNTIME_TIMELINE_TIMELINE_JSON_H_

#include <ostream>

#include <millrace/runtime/timeline/timeline.h>

namespace millrace {

// A row for each track, by name; spans of one track that overlap get further rows of that name.
// Times are microseconds from the first span's begin. A span that moved bytes has them and GB/s
// among its arguments. `out` shows what could not be written, in its own way.
void write_chrome_trace(const Timeline& timeline, std::ostream& out);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TIMELINE_TIMELINE_JSON_H_
