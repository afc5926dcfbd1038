// SPDX-License-Identifier: Apache-2.0

// Input for the tests of this folder.
#ifndef MILLRACE_ALGORITHMS_IDCT_RANDOM_MACROBLOCKS_H_
#define MILLRACE_ALGORITHMS_IDCT_RANDOM_MACROBLOCKS_H_

#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/tests/random/seeded_random.h>

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::idct {

struct Macroblocks {
  std::vector<TransformSize> sizes;
  std::vector<std::int16_t> coefficients;

  std::size_t count() const { return sizes.size(); }
};

// Returns macroblocks of random type. Each is filled in one of five ways: any 16-bit values; only
// the extremes -32768 and 32767; one extreme everywhere; values of the size a decoder sees; one
// coefficient of 16 that is not zero, on average.
inline Macroblocks random_macroblocks(std::size_t count, SeededRandom& random) {
  Macroblocks result{std::vector<TransformSize>(count),
                     std::vector<std::int16_t>(kMacroblockSamples * count)};
  for (std::size_t m = 0; m < count; ++m) {
    result.sizes[m] = random.integer(0, 1) == 0 ? TransformSize::k4x4 : TransformSize::k8x8;
    const int way = random.integer(0, 4);
    const int extreme = random.integer(0, 1) == 0 ? -32768 : 32767;
    for (int k = 0; k < kMacroblockSamples; ++k) {
      const int value = way == 0   ? random.integer(-32768, 32767)
                        : way == 1 ? (random.integer(0, 1) == 0 ? -32768 : 32767)
                        : way == 2 ? extreme
                        : way == 3 ? random.integer(-2048, 2047)
                                   : (random.integer(0, 15) == 0 ? random.integer(-512, 511) : 0);
      result.coefficients[kMacroblockSamples * m + k] = static_cast<std::int16_t>(value);
    }
  }
  return result;
}

// Returns the residuals of the macroblocks by the reference, 256 samples each.
inline std::vector<std::int16_t> reference_residuals(const Macroblocks& input) {
  std::vector<std::int16_t> residual(256 * input.count());
  for (std::size_t m = 0; m < input.count(); ++m) {
    reference_residual(input.sizes[m],
                       std::span<const std::int16_t, 256>(input.coefficients.data() + 256 * m, 256),
                       std::span<std::int16_t, 256>(residual.data() + 256 * m, 256));
  }
  return residual;
}

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_RANDOM_MACROBLOCKS_H_
