// Device side: arithmetic on words of several numbers.
#ifndef MILLRACE_BACKENDS_SIMT_PACKED_SAMPLES_H_
#define MILLRACE_BACKENDS_SIMT_PACKED_SAMPLES_H_

#include <algorithm>
#include <cstdint>

namespace millrace::simt_backend {

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
