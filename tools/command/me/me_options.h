// SPDX-License-Identifier: Apache-2.0

// The options of `millrace me`.
#ifndef MILLRACE_TOOLS_COMMAND_ME_ME_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_ME_ME_OPTIONS_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/command/common/common_options.h>

#include <string>

namespace millrace::tools {

struct MeOptions {
  CommonOptions common;
  ClipOptions clip;
  std::string device;  // Empty: default_device().
  int range = motion::SearchOptions().range;
  int qp = 28;
  std::string precision = "quarter";
  std::string predictor = "previous";  // Or zero, or a file's name.
  int references = 1;
  std::string reconstructed;  // Empty: pictures refer to those of the clip.
  std::string out;            // Empty: none.
  std::string overlay;        // Empty: none.

  // Throws Error(kInvalidArgument) for an unknown precision.
  motion::SearchOptions search() const;

  motion::PredictorRule predictor_rule() const;

  // Returns the path of the file with given predictors; empty where there is none.
  std::string predictor_file() const;
};

// Adds the options to the subcommand. `options` must outlive it.
void add_me_options(Command& command, MeOptions& options);

// Returns "integer", "half" or "quarter".
const char* to_string(motion::Precision precision);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_ME_OPTIONS_H_
