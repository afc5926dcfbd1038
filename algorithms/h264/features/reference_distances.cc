// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/reference_distances.h>

#include <algorithm>
#include <cstddef>

#include <millrace/algorithms/h264/features/motion_statistics.h>

namespace millrace::h264 {

ReferenceDistances measure_references(const ParsedPicture& picture, int picture_order_step) {
  ReferenceDistances distances;
  std::int64_t decoding_sum = 0;
  double output_sum = 0;
  const auto add = [&](const std::vector<Reference>& list, int index) {
    if (index < 0) return;
    ++distances.references;
    if (static_cast<std::size_t>(index) >= list.size() ||
        list[static_cast<std::size_t>(index)].picture < 0) {
      ++distances.missing;
      return;
    }
    const Reference& reference = list[static_cast<std::size_t>(index)];
    const std::int64_t distance = std::max<std::int64_t>(1, picture.id - reference.picture);
    decoding_sum += distance;
    output_sum +=
        output_distance(picture.picture_order, reference.picture_order, picture_order_step);
    ++distances.counts[static_cast<std::size_t>(
        std::min<std::int64_t>(distance, ReferenceDistances::kDistances) - 1)];
  };
  for (const Macroblock& macroblock : picture.macroblocks) {
    if (is_intra(macroblock.type) || macroblock.type == MacroblockType::kLost ||
        macroblock.slice >= picture.slices.size()) {
      continue;
    }
    const Slice& slice = picture.slices[macroblock.slice];
    for (int list = 0; list < 2; ++list) {
      for (const std::int8_t index : macroblock.references[list]) {
        add(slice.references[list], index);
      }
    }
  }
  const std::int64_t found = distances.references - distances.missing;
  if (found > 0) {
    distances.mean_decoding_distance =
        static_cast<double>(decoding_sum) / static_cast<double>(found);
    distances.mean_output_distance = output_sum / static_cast<double>(found);
  }
  return distances;
}

}  // namespace millrace::h264
