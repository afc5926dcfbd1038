// SPDX-License-Identifier: Apache-2.0

// The partitions of a macroblock's mode, and their names.
#ifndef MILLRACE_TOOLS_COMMAND_ME_VECTORS_CHOSEN_PARTITION_H_
#define MILLRACE_TOOLS_COMMAND_ME_VECTORS_CHOSEN_PARTITION_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <array>
#include <vector>

namespace millrace::tools {

// Names of the kinds of partitions: as motion::PartitionSize, and the whole macroblock of P_Skip.
inline constexpr std::array<const char*, motion::kPartitionSizes + 1> kPartitionNames = {
    "16x16", "16x8", "8x16", "8x8", "8x4", "4x8", "4x4", "skip"};
inline constexpr int kPartitionKinds = static_cast<int>(kPartitionNames.size());
inline constexpr int kSkipKind = kPartitionKinds - 1;

struct ChosenPartition {
  int kind = 0;  // Index in kPartitionNames.
  int partition = 0;
  int reference = 0;
};

// Replaces `partitions` by those of `mode`, which cover the macroblock.
void choose_partitions(const motion::MacroblockMode& mode,
                       std::vector<ChosenPartition>& partitions);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_VECTORS_CHOSEN_PARTITION_H_
