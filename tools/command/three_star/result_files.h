// SPDX-License-Identifier: Apache-2.0

// The files that `millrace three-star` writes.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_RESULT_FILES_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_RESULT_FILES_H_

#include <millrace/tools/command/three_star/three_star_options.h>
#include <millrace/tools/files/output/output_file.h>

#include <optional>
#include <vector>

namespace millrace::tools {

// The files of a run other than its reports; none for an empty name.
struct ResultFiles {
  // Throws what OutputFile throws.
  explicit ResultFiles(const ThreeStarOptions& options);

  std::vector<OutputFile*> all();

  std::optional<OutputFile> stars;
  std::optional<OutputFile> relays;
  std::optional<OutputFile> svg;
  std::optional<OutputFile> png;
  std::optional<OutputFile> map;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_RESULT_FILES_H_
