// SPDX-License-Identifier: Apache-2.0

// A picture of a timeline: what ran when, in a lane for each track.
#ifndef MILLRACE_TOOLS_COMMAND_REPORT_TIMELINE_PICTURE_H_
#define MILLRACE_TOOLS_COMMAND_REPORT_TIMELINE_PICTURE_H_

#include <string>

namespace millrace::tools {

// Draws the timeline in the file `trace`, which an option `--trace` wrote, and writes it to `path`
// as SVG. The title is the name of the file if `title` is empty. Prints how much ran at once,
// unless standard output takes the picture. Throws kInvalidArgument for a file that is no timeline
// or has no spans, and what OutputFile throws.
void draw_timeline(const std::string& trace, const std::string& title, const std::string& path,
                   bool force);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_REPORT_TIMELINE_PICTURE_H_
