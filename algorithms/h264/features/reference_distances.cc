// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/reference_distances.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace millrace::h264 {

ReferenceDistances measure_references(const PictureSums& sums) {
  ReferenceDistances distances;
  std::copy(std::begin(sums.distances), std::end(sums.distances), distances.counts.begin());
  const std::int64_t found =
      std::accumulate(distances.counts.begin(), distances.counts.end(), std::int64_t{0});
  distances.missing = static_cast<std::int64_t>(sums.missing_references);
  distances.references = found + distances.missing;
  if (found == 0) return distances;
  const auto count = static_cast<double>(found);
  distances.mean_decoding_distance = static_cast<double>(sums.decoding_distance) / count;
  distances.mean_output_distance = 0.5 * static_cast<double>(sums.twice_output_distance) / count;
  return distances;
}

}  // namespace millrace::h264
