// SPDX-License-Identifier: Apache-2.0

// Adds the residual of a block to its prediction (ITU-T H.264 clauses 8.5.12, 8.5.13 and 8.5.14).
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RESIDUAL_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RESIDUAL_H_

#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

inline constexpr int kLumaPitch = 16;   // Rows of MacroblockCoefficients::luma,
inline constexpr int kChromaPitch = 8;  // and of chroma.

// Transforms the n x n block whose first coefficient is given and adds it to the samples at
// `block`.
template <int n, int pitch>
MILLRACE_FUNCTION inline void add_block_residual(const std::int16_t* coefficients,
                                                 std::uint8_t* block, std::ptrdiff_t stride) {
  idct::inverse_transform_block<n, pitch>(coefficients, [=](int i, int j, std::int16_t residual) {
    std::uint8_t& sample = block[i * stride + j];
    sample = idct::reconstruct_sample(sample, residual);
  });
}

// The same where samples are aligned to 4 bytes: reads and writes four at a time.
template <int n, int pitch>
MILLRACE_FUNCTION inline void add_block_residual_by_words(const std::int16_t* coefficients,
                                                          std::uint8_t* block,
                                                          std::ptrdiff_t stride) {
  constexpr int kWords = n / 4;
  std::uint32_t samples[n][kWords];
  const auto word_of = [=](int i, int k) {
    return reinterpret_cast<std::uint32_t*>(block + i * stride) + k;
  };
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < kWords; ++k) samples[i][k] = *word_of(i, k);
  }
  idct::inverse_transform_block<n, pitch>(
      coefficients, [&samples](int i, int j, std::int16_t residual) {
        std::uint32_t& word = samples[i][j / 4];
        const int shift = 8 * (j % 4);
        const auto sample = static_cast<std::uint8_t>(word >> shift);
        word &= ~(std::uint32_t{0xff} << shift);
        word |= std::uint32_t{idct::reconstruct_sample(sample, residual)} << shift;
      });
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < kWords; ++k) *word_of(i, k) = samples[i][k];
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RESIDUAL_H_
