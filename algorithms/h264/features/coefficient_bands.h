// SPDX-License-Identifier: Apache-2.0

// Energy and zeros of the coefficients of a picture by their frequency.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_COEFFICIENT_BANDS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_COEFFICIENT_BANDS_H_

#include <millrace/algorithms/h264/features/picture_sums.h>

#include <array>
#include <cstdint>

namespace millrace::h264 {

// Sums over the blocks of one transform. The band of coefficient c_ij is i + j: 0 is the DC.
template <int bands>
struct BandSums {
  std::int64_t blocks = 0;
  std::array<std::int64_t, bands> energy = {};  // Sum of squares of dequantised coefficients.
  std::array<std::int64_t, bands> zeros = {};   // Coefficients that are 0.

  // Number of coefficients of a band in one block.
  static constexpr int band_size(int band) {
    constexpr int kWidth = (bands + 1) / 2;
    return band < kWidth ? band + 1 : bands - band;
  }
  // Mean square of the band's coefficients; 0 where there are no blocks.
  double mean_energy(int band) const { return mean(energy[static_cast<std::size_t>(band)], band); }
  // Fraction of the band's coefficients that are 0; 0 where there are no blocks.
  double zero_share(int band) const { return mean(zeros[static_cast<std::size_t>(band)], band); }

 private:
  double mean(std::int64_t sum, int band) const {
    const std::int64_t count = blocks * band_size(band);
    return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
  }
};

// Luma counts in macroblocks whose luma may have coefficients: those of Intra16x16, and others with
// a coded 8x8 block of luma. Chroma counts where its pattern is not 0. PCM never counts.
struct CoefficientBands {
  BandSums<kBands4x4> luma_4x4;
  BandSums<kBands8x8> luma_8x8;
  BandSums<kBands4x4> chroma;  // Cb and Cr.
};

// Returns zeros where the picture has no coefficients.
CoefficientBands measure_bands(const PictureSums& sums);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_COEFFICIENT_BANDS_H_
