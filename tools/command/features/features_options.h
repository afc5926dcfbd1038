// SPDX-License-Identifier: Apache-2.0

// The options of `millrace features`.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_FEATURES_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_FEATURES_OPTIONS_H_

#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/features/output/feature_columns.h>
#include <millrace/tools/command/features/pool_choice.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

struct FeaturesOptions {
  std::vector<std::string> streams = {};
  std::string format = {};  // Value of --format; empty: chosen by the ending of `out`.
  std::string out = {};     // Empty: standard output.
  std::string macroblocks = {};
  std::string heat = {};
  std::string sdp = {};
  std::string reference = {};
  std::string device = {};    // See PoolChoice.
  std::int64_t frames = 0;    // Most in each stream; 0: all.
  int jobs = 0;               // 0: as many as the host has cores.
  CommonOptions common = {};  // Only --force and --trace are used.
  bool resumes = false;
  bool follows = false;
  bool decodes = false;

  // The format that is meant.
  std::string chosen_format() const;
  // The fields that are wanted; a reference is for decoded pictures.
  FeatureSet chosen_features() const;
};

// Adds the options to a subcommand. `options` must outlive it.
void add_features_options(Command& command, FeaturesOptions& options);

// Throws Error (kInvalidArgument) for options that do not go together, or that only a process by
// itself has; `ranks` is the number of processes of the run.
void check_features_options(const FeaturesOptions& options, int ranks);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_FEATURES_OPTIONS_H_
