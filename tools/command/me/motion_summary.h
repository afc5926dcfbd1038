// SPDX-License-Identifier: Apache-2.0

// Sums over the searched pictures of a clip.
#ifndef MILLRACE_TOOLS_COMMAND_ME_MOTION_SUMMARY_H_
#define MILLRACE_TOOLS_COMMAND_ME_MOTION_SUMMARY_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/tools/command/me/vectors/chosen_partition.h>
#include <millrace/tools/command/me/vectors/motion_view.h>

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace millrace::tools {

class MotionSummary {
 public:
  explicit MotionSummary(const motion::SearchOptions& options) : options_(options) {}

  void add(const MotionView& picture);

  std::int64_t pictures() const { return pictures_; }

  // Returns the cost of the chosen modes.
  std::uint64_t total_cost() const { return total_cost_; }

  // Returns the fraction of the pictures' area in partitions of a kind; 0 if there are no pictures.
  double fraction(int kind) const;

  // Returns the indices of the pictures after a cut. Of several in a row only the first counts:
  // predictors from before a cut can mislead the searches after it, too.
  const std::vector<std::uint64_t>& scene_cuts() const { return scene_cuts_; }

  // {"16x16": 0.5, ...}, all kinds of kPartitionNames.
  nlohmann::json fraction_json() const;

 private:
  const motion::SearchOptions options_;
  std::int64_t pictures_ = 0;
  std::uint64_t total_cost_ = 0;
  std::array<std::uint64_t, kPartitionKinds> samples_{};
  std::vector<std::uint64_t> scene_cuts_;
  bool was_cut_ = false;
  std::vector<ChosenPartition> chosen_;  // Partitions of one macroblock.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_MOTION_SUMMARY_H_
