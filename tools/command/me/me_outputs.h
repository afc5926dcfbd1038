// SPDX-License-Identifier: Apache-2.0

// The output files of `millrace me`: all of them complete, or none.
#ifndef MILLRACE_TOOLS_COMMAND_ME_ME_OUTPUTS_H_
#define MILLRACE_TOOLS_COMMAND_ME_ME_OUTPUTS_H_

#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/me/me_options.h>
#include <millrace/tools/command/me/vectors/motion_csv.h>
#include <millrace/tools/command/me/vectors/motion_file.h>
#include <millrace/tools/command/me/vectors/motion_overlay.h>
#include <millrace/tools/command/me/vectors/motion_view.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/video/video_reader.h>

#include <nlohmann/json.hpp>

#include <optional>

namespace millrace::tools {

class MeOutputs {
 public:
  // Throws Error(kInvalidArgument) for a file name of an unknown kind, Error(kIo) for a file that
  // could not be written. `options` must outlive this object.
  MeOutputs(const MeOptions& options, const VideoReader& clip);

  // Adds the next picture of the clip. Throws Error(kIo).
  void add(const MotionView& picture);

  // Puts the files in place. Throws Error(kIo).
  void commit(const nlohmann::json& json);

 private:
  std::optional<OutputFile> vectors_file_;
  std::optional<MotionCsv> csv_;
  std::optional<MotionFileWriter> binary_;
  std::optional<MotionOverlay> overlay_;
  ReportFiles reports_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_ME_OUTPUTS_H_
