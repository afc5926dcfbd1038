// SPDX-License-Identifier: Apache-2.0

// Energy and zeros of the coefficients of a picture by their frequency.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_COEFFICIENT_STATISTICS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_COEFFICIENT_STATISTICS_H_

#include <millrace/algorithms/h264/features/picture_sums.h>

#include <array>
#include <cstdint>

namespace millrace::h264 {

// Sums over the blocks of one transform. The frequency of coefficient c_ij is i + j: 0 is the DC.
template <int frequencies>
struct FrequencySums {
  std::int64_t blocks = 0;
  std::array<std::int64_t, frequencies> energy = {};  // Sum of squares of dequantised coefficients.
  std::array<std::int64_t, frequencies> zeros = {};   // Coefficients that are 0.

  // Number of coefficients of a frequency in one block.
  static constexpr int coefficients_of(int frequency) {
    constexpr int kWidth = (frequencies + 1) / 2;
    return frequency < kWidth ? frequency + 1 : frequencies - frequency;
  }
  // Mean square of the frequency's coefficients; 0 where there are no blocks.
  double mean_energy(int frequency) const {
    return mean(energy[static_cast<std::size_t>(frequency)], frequency);
  }
  // Fraction of the frequency's coefficients that are 0; 0 where there are no blocks.
  double zero_fraction(int frequency) const {
    return mean(zeros[static_cast<std::size_t>(frequency)], frequency);
  }

 private:
  double mean(std::int64_t sum, int frequency) const {
    const std::int64_t count = blocks * coefficients_of(frequency);
    return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
  }
};

// Luma counts in macroblocks whose luma may have coefficients: those of Intra16x16, and others with
// a coded 8x8 block of luma. Chroma counts where its pattern is not 0. PCM never counts.
struct CoefficientStatistics {
  FrequencySums<kFrequencies4x4> luma_4x4;
  FrequencySums<kFrequencies8x8> luma_8x8;
  FrequencySums<kFrequencies4x4> chroma;  // Cb and Cr.
};

// Returns zeros where the picture has no coefficients.
CoefficientStatistics measure_coefficients(const PictureSums& sums);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_COEFFICIENT_STATISTICS_H_
