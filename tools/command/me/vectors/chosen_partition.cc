// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/mode_partitions.h>
#include <millrace/tools/command/me/vectors/chosen_partition.h>

namespace millrace::tools {
namespace {

struct KindAndQuarter {
  int kind = 0;
  int quarter = 0;  // The quarter that it is in, or begins in.
};

constexpr auto kKindsAndQuarters = [] {
  std::array<KindAndQuarter, motion::kPartitions> result{};
  for (int i = 0; i < motion::kPartitions; ++i) {
    const motion::Partition partition = motion::partition_at(i);
    result[i] = {static_cast<int>(motion::partition_size(i)),
                 partition.y / 8 * 2 + partition.x / 8};
  }
  return result;
}();

}  // namespace

void choose_partitions(const motion::MacroblockMode& mode,
                       std::vector<ChosenPartition>& partitions) {
  partitions.clear();
  const bool is_skip = mode.shape == motion::MacroblockShape::kSkip;
  for (const int partition : motion::partitions_of(mode)) {
    const auto [kind, quarter] = kKindsAndQuarters[partition];
    partitions.push_back({is_skip ? kSkipKind : kind, partition, mode.references[quarter]});
  }
}

}  // namespace millrace::tools
