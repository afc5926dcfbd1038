// SPDX-License-Identifier: Apache-2.0

// An output that drops the features of a stream, for tests of what is written beside them.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_TESTING_NULL_OUTPUT_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_TESTING_NULL_OUTPUT_H_

#include <millrace/tools/command/features/output/feature_output.h>

namespace millrace::tools {

class NullOutput final : public StreamOutput {
 public:
  void add(const FeatureRow& row) override { static_cast<void>(row); }
  void end(const StreamEnd& end) override { static_cast<void>(end); }
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_TESTING_NULL_OUTPUT_H_
