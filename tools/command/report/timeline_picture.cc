// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/report/timeline_picture.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/report/analysis/trace_lanes.h>
#include <millrace/tools/report/chart/chart.h>
#include <millrace/tools/report/chart/number_text.h>

#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

namespace millrace::tools {

void draw_timeline(const std::string& trace, const std::string& title, const std::string& path,
                   bool force) {
  std::vector<ChartLane> lanes = read_trace_lanes(trace);
  if (lanes.empty()) {
    reject(trace + ": the timeline has no spans; give one of a run that did something");
  }
  const Overlap overlap = overlap_of(lanes);
  const std::size_t count = lanes.size();
  const std::string name = std::filesystem::path(trace).filename().string();
  OutputFile file(path, force);
  file.stream() << charts_file(
      {LaneChart{title.empty() ? name : title, "time", joined(std::move(lanes), overlap.whole)}});
  file.commit();
  if (is_standard_output(path)) return;
  std::printf("%s: %zu lanes, two or more at work in %s of %s\n", path.c_str(), count,
              quantity_text(overlap.overlap, "s").c_str(),
              quantity_text(overlap.whole, "s").c_str());
}

}  // namespace millrace::tools
