// SPDX-License-Identifier: Apache-2.0

// Multiplies small matrices by a warp of 32 lanes, in half precision, two numbers a word.
//
// NVIDIA's GPUs have hardware for them (mma.sync of PTX, m16n8k8). Elsewhere lanes exchange words
// by shuffles, which is slow, and sufficient for tests: kHasMatrixProducts is true if products are
// profitable.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_MATRIX_PRODUCTS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_MATRIX_PRODUCTS_GPU_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/core/target_function.h>

#include <bit>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

#if defined(__HIP_PLATFORM_AMD__)
inline constexpr bool kHasMatrixProducts = false;
#else
inline constexpr bool kHasMatrixProducts = true;
#endif
inline constexpr int kMatrixLanes = 32;

namespace internal {

// Returns the nearest half, ties to even, of a number of a magnitude below 65520.
MILLRACE_FUNCTION inline std::uint32_t half_of(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  constexpr std::uint32_t kLeastNormal = 113U << 23;
  if (magnitude < kLeastNormal) {  // Adding 1/2 rounds to multiples of the least half, 2^-24.
    const float rounded = std::bit_cast<float>(magnitude) + 0.5F;
    return sign | (std::bit_cast<std::uint32_t>(rounded) - std::bit_cast<std::uint32_t>(0.5F));
  }
  const std::uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return sign | (rounded - (112U << 23)) >> 13;
}

MILLRACE_FUNCTION inline float number_of(std::uint32_t half) {
  const std::uint32_t magnitude = half & 0x7fff;
  const float number = magnitude < 0x400 ? static_cast<float>(magnitude) * 0x1p-24F
                                         : std::bit_cast<float>((magnitude << 13) + (112U << 23));
  return (half & 0x8000) != 0 ? -number : number;
}

}  // namespace internal

// Returns two halves, rounded to the nearest. Both numbers are of a magnitude below 65520.
MILLRACE_FUNCTION inline std::uint32_t halves_of(float low, float high) {
#if defined(__CUDA_ARCH__)
  std::uint32_t halves;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(high), "f"(low));
  return halves;
#else
  return internal::half_of(low) | internal::half_of(high) << 16;
#endif
}

MILLRACE_FUNCTION inline float low_half(std::uint32_t halves) {
#if defined(__CUDA_ARCH__)
  float number;
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, low; }"
      : "=f"(number)
      : "r"(halves));
  return number;
#else
  return internal::number_of(halves & 0xffff);
#endif
}

MILLRACE_FUNCTION inline float high_half(std::uint32_t halves) {
#if defined(__CUDA_ARCH__)
  float number;
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, high; }"
      : "=f"(number)
      : "r"(halves));
  return number;
#else
  return internal::number_of(halves >> 16);
#endif
}

// Adds to the 16 x 8 sums the product of a 16 x 8 and an 8 x 8 matrix. With g = lane / 4 and
// t = lane % 4, a lane has the sums (g, 2t), (g, 2t+1), (g+8, 2t) and (g+8, 2t+1); `first` is
// (g, 2t) and (g, 2t+1) of the one factor, `second` the same of row g+8, and `column` is (2t, g)
// and (2t+1, g) of the other. Products are exact; what is added is cut off at 2^-23 of the largest,
// or below. All lanes of a warp of kMatrixLanes call.
MILLRACE_FUNCTION inline void add_products(float (&sums)[4], std::uint32_t first,
                                           std::uint32_t second, std::uint32_t column) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(first), "r"(second), "r"(column));
#else
  const int row = lane_index() / 4;
  const int pair = lane_index() % 4;
  // Two words at a time: shuffles take long on simulated GPUs.
  const auto both = [](std::uint32_t low, std::uint32_t high) {
    return low | static_cast<std::uint64_t>(high) << 32;
  };
  const std::uint64_t own_rows = both(first, second);
  const std::uint64_t own_columns = both(column, shuffle(column, (lane_index() + 4) % 32));
  for (int from = 0; from < 4; ++from) {
    const std::uint64_t rows = shuffle(own_rows, 4 * row + from);
    const std::uint64_t columns = shuffle(own_columns, 8 * pair + from);
    for (int i = 0; i < 4; ++i) {
      const auto in_row = static_cast<std::uint32_t>(rows >> (32 * (i / 2)));
      const auto in_column = static_cast<std::uint32_t>(columns >> (32 * (i % 2)));
      sums[i] += low_half(in_row) * low_half(in_column) + high_half(in_row) * high_half(in_column);
    }
  }
#endif
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_MATRIX_PRODUCTS_GPU_H_
