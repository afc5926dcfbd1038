// SPDX-License-Identifier: Apache-2.0

// Device side: arithmetic on words of several numbers.
#ifndef MILLRACE_BACKENDS_SIMT_PACKED_SAMPLES_H_
#define MILLRACE_BACKENDS_SIMT_PACKED_SAMPLES_H_

#include <algorithm>
#include <cstdint>

namespace millrace::simt_backend {

template <unsigned kSelector>
std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const unsigned from = kSelector >> (4 * byte) & 7;
    result |= static_cast<std::uint32_t>(both >> (8 * from) & 0xff) << (8 * byte);
  }
  return result;
}

inline std::uint32_t min_halves(std::uint32_t a, std::uint32_t b) {
  return std::min(a >> 16, b >> 16) << 16 | std::min(a & 0xffff, b & 0xffff);
}

inline std::uint32_t max_halves(std::uint32_t a, std::uint32_t b) {
  return std::max(a >> 16, b >> 16) << 16 | std::max(a & 0xffff, b & 0xffff);
}

template <class Sample>
std::uint32_t sum_absolute_differences(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(Sample)) {
    const auto of_a = static_cast<Sample>(a >> shift);
    const auto of_b = static_cast<Sample>(b >> shift);
    sum += static_cast<std::uint32_t>(of_a < of_b ? of_b - of_a : of_a - of_b);
  }
  return sum;
}

}  // namespace millrace::simt_backend

#endif  // MILLRACE_BACKENDS_SIMT_PACKED_SAMPLES_H_
