// SPDX-License-Identifier: Apache-2.0

// The fields of a frame, from which all formats are made.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_FEATURE_COLUMNS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_FEATURE_COLUMNS_H_

#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/tools/command/features/output/decoded_features.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {

// The features of a frame, which is number `frame` of its stream in decoding order.
struct FeatureRow {
  std::int64_t frame = 0;
  h264::FrameFeatures features = {};
  DecodedFeatures decoded = {};
};

// Each set has the columns of those before it.
enum class FeatureSet {
  kParsed,    // Read from the syntax.
  kDecoded,   // Computed from the decoded picture.
  kCompared,  // Computed from the difference to a reference.
};
inline constexpr int kFeatureSets = 3;

struct FeatureColumn {
  std::string name;
  bool is_whole = true;   // Its values are whole numbers.
  std::size_t count = 1;  // Values of a frame.
  // One for each of several values; empty: they are numbered.
  std::vector<std::string> labels = {};
  // Writes the values of a row. NaN: there is none.
  std::function<void(const FeatureRow& row, double* values)> read = {};

  bool is_array() const { return count > 1; }
  // The name of one value of several: "types.I4x4", "qp_histogram.26".
  std::string name_of(std::size_t value) const;
};

// Returns the columns of a set, in the order of output.
const std::vector<FeatureColumn>& feature_columns(FeatureSet set);

// Greatest count of a column.
inline constexpr std::size_t kMostColumnValues = 64;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_FEATURE_COLUMNS_H_
