// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/me/me_scene_cut.h>
#include <millrace/tools/command/me/motion_summary.h>

#include <algorithm>
#include <numeric>

namespace millrace::tools {

void MotionSummary::add(const MotionView& picture) {
  ++pictures_;
  for (const motion::MacroblockMode& mode : picture.motion.modes) {
    total_cost_ += mode.cost;
    choose_partitions(mode, chosen_);
    for (const ChosenPartition& chosen : chosen_) {
      const motion::Partition area = motion::partition_at(chosen.partition);
      samples_[chosen.kind] += static_cast<std::uint64_t>(area.width) * area.height;
    }
  }
  const bool is_cut = is_scene_cut(picture, options_);
  if (is_cut && !was_cut_) scene_cuts_.push_back(picture.motion.index);
  was_cut_ = is_cut;
}

double MotionSummary::fraction(int kind) const {
  const auto all = std::accumulate(samples_.begin(), samples_.end(), std::uint64_t{0});
  return static_cast<double>(samples_[kind]) / static_cast<double>(std::max<std::uint64_t>(all, 1));
}

nlohmann::json MotionSummary::fraction_json() const {
  nlohmann::json fractions;
  for (int kind = 0; kind < kPartitionKinds; ++kind) {
    fractions[kPartitionNames[kind]] = fraction(kind);
  }
  return fractions;
}

}  // namespace millrace::tools
