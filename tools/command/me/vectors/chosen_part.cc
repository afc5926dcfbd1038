// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/mode_partitions.h>
#include <millrace/tools/command/me/vectors/chosen_part.h>

namespace millrace::tools {
namespace {

struct Place {
  int kind = 0;
  int quarter = 0;  // The quarter that it is in, or begins in.
};

constexpr auto kPlaces = [] {
  std::array<Place, motion::kPartitions> positions{};
  for (int i = 0; i < motion::kPartitions; ++i) {
    const motion::Partition partition = motion::partition_at(i);
    positions[i] = {static_cast<int>(motion::partition_size(i)),
                    partition.y / 8 * 2 + partition.x / 8};
  }
  return positions;
}();

}  // namespace

void choose_parts(const motion::MacroblockMode& mode, std::vector<ChosenPart>& parts) {
  parts.clear();
  const bool is_skip = mode.shape == motion::MacroblockShape::kSkip;
  for (const int partition : motion::partitions_of(mode)) {
    const auto [kind, quarter] = kPlaces[partition];
    parts.push_back({is_skip ? kSkipKind : kind, partition, mode.references[quarter]});
  }
}

}  // namespace millrace::tools
