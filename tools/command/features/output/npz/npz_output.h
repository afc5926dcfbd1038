// SPDX-License-Identifier: Apache-2.0

// Features as columns of a .npz file.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_NPZ_NPZ_OUTPUT_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_NPZ_NPZ_OUTPUT_H_

#include <millrace/tools/command/features/output/feature_output.h>

#include <memory>
#include <string>

namespace millrace::tools {

// An array for each column, of one row a frame: int64 or float64. Array "stream" has the index of
// the frame's stream in array "streams", which has their names. Rows of a stream are in order,
// those of different streams may alternate. Throws Error(kIo).
std::unique_ptr<FeatureOutput> open_npz(const std::string& path, bool force, FeatureSet features);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_NPZ_NPZ_OUTPUT_H_
