// SPDX-License-Identifier: Apache-2.0

// The outputs of `millrace idct`: files, the table and JSON of runs.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_IDCT_OUTPUTS_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_IDCT_OUTPUTS_H_

#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/idct/idct_contest.h>
#include <millrace/tools/command/idct/idct_options.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace millrace::tools {

// The output files of a run: all of them complete, or none.
class IdctOutputs {
 public:
  // Throws Error (kIo) if a file could not be written. `options` must outlive this object.
  explicit IdctOutputs(const IdctCommandOptions& options);

  // Returns the stream to which lines of features are written.
  std::ostream& features() { return features_file_.stream(); }

  // Writes a picture; all have the format of the first one.
  void write(const Picture& picture, const Y4mFormat& format);

  void commit(const nlohmann::json& json);

 private:
  OutputFile features_file_;
  OutputFile pictures_file_;
  ReportFiles reports_;
  std::optional<Y4mWriter> pictures_;
};

// Throws Error (kInvalidArgument) if two outputs have the same path or one replaces the clip.
void check_idct_outputs(const IdctCommandOptions& options);

// Prints a line for each device and policy, and the files that were written. Prints nothing to a
// standard output that has the report.
void print_idct_runs(const IdctCommandOptions& options, const std::vector<IdctRun>& runs);

// Returns true if standard output has the JSON or the timeline.
bool is_report_on_stdout(const IdctCommandOptions& options);

// Returns the members that reports of all queues have: the clip, the files and the runs.
nlohmann::json idct_runs_json(const IdctCommandOptions& options, const std::vector<IdctRun>& runs);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_IDCT_OUTPUTS_H_
