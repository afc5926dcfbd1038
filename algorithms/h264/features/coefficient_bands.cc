// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/coefficient_bands.h>

#include <cstddef>

namespace millrace::h264 {
namespace {

template <int bands>
BandSums<bands> band_sums(const BandCounters<bands>& counters) {
  BandSums<bands> sums;
  sums.blocks = static_cast<std::int64_t>(counters.blocks);
  for (int band = 0; band < bands; ++band) {
    const auto i = static_cast<std::size_t>(band);
    sums.energy[i] = static_cast<std::int64_t>(counters.energy[i]);
    sums.zeros[i] = sums.blocks * BandSums<bands>::band_size(band) -
                    static_cast<std::int64_t>(counters.nonzeros[i]);
  }
  return sums;
}

}  // namespace

CoefficientBands measure_bands(const PictureSums& sums) {
  return {.luma_4x4 = band_sums(sums.luma_4x4),
          .luma_8x8 = band_sums(sums.luma_8x8),
          .chroma = band_sums(sums.chroma)};
}

}  // namespace millrace::h264
