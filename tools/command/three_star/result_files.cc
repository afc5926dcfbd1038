// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/result_files.h>

#include <optional>
#include <vector>

namespace millrace::tools {

ResultFiles::ResultFiles(const ThreeStarOptions& options) {
  const bool force = options.common.force;
  if (!options.out.empty()) stars.emplace(options.out, force);
  if (!options.relays.empty()) relays.emplace(options.relays, force);
  if (!options.svg.empty()) svg.emplace(options.svg, force);
  if (!options.png.empty()) png.emplace(options.png, force);
  if (!options.map.empty()) map.emplace(options.map, force);
}

std::vector<OutputFile*> ResultFiles::all() {
  std::vector<OutputFile*> files;
  for (auto* const file : {&stars, &relays, &svg, &png, &map}) {
    if (*file) files.push_back(&**file);
  }
  return files;
}

}  // namespace millrace::tools
