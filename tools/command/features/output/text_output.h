// SPDX-License-Identifier: Apache-2.0

// Lines of text from several streams side by side: JSON or CSV.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_TEXT_OUTPUT_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_TEXT_OUTPUT_H_

#include <millrace/tools/command/features/output/feature_output.h>

#include <memory>
#include <string>

namespace millrace::tools {

struct TextOutputOptions {
  std::string path = "-";
  bool force = false;
  bool resumes = false;   // Continues what an earlier run wrote to the file.
  bool is_eager = false;  // Each line is written at once.
  FeatureSet features = FeatureSet::kParsed;
};

// Lines of one stream follow each other, unless they are many or the output is eager. Without
// `resumes`, a file appears under its name when it is complete.
//
// With `resumes`, lines are appended to the file, from which those of streams without an end line
// are removed first; is_done() is true for streams that ended well. Only one run may write a file.
//
// Throw Error(kIo) as OutputFile does.
std::unique_ptr<FeatureOutput> open_json_lines(const TextOutputOptions& options);
std::unique_ptr<FeatureOutput> open_csv(const TextOutputOptions& options);

// Appends a frame's line of JSON without the line's end: {"stream":...,"frame":0,...}. `stream` is
// in quotes. A value that is not there, or infinite, is null.
void append_json_line(std::string& text, const std::string& stream, const FeatureRow& row,
                      FeatureSet set);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_TEXT_OUTPUT_H_
