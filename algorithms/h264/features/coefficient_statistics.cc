// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/coefficient_statistics.h>

#include <cstddef>

namespace millrace::h264 {
namespace {

template <int frequencies>
FrequencySums<frequencies> frequency_sums(const FrequencyCounters<frequencies>& counters) {
  FrequencySums<frequencies> sums;
  sums.blocks = static_cast<std::int64_t>(counters.blocks);
  for (int frequency = 0; frequency < frequencies; ++frequency) {
    const auto i = static_cast<std::size_t>(frequency);
    sums.energy[i] = static_cast<std::int64_t>(counters.energy[i]);
    sums.zeros[i] = sums.blocks * FrequencySums<frequencies>::coefficients_of(frequency) -
                    static_cast<std::int64_t>(counters.nonzeros[i]);
  }
  return sums;
}

}  // namespace

CoefficientStatistics measure_coefficients(const PictureSums& sums) {
  return {.luma_4x4 = frequency_sums(sums.luma_4x4),
          .luma_8x8 = frequency_sums(sums.luma_8x8),
          .chroma = frequency_sums(sums.chroma)};
}

}  // namespace millrace::h264
