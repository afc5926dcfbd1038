// SPDX-License-Identifier: Apache-2.0

// Bits of a bin by the state of its context (ITU-T H.264 clause 9.3.1.1 has the model).
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CABAC_COSTS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CABAC_COSTS_H_

#include <cstdint>

namespace millrace::h264 {

struct CabacCosts {
  static constexpr std::uint32_t kOneBit = 1024;
  // A terminating bin takes 2 of a range of 256 to 510: 0.008 bits where it is 0, 7.5 bits where it
  // is 1, which includes the stop bit.
  static constexpr std::uint32_t kNotEnd = kOneBit / 128;
  static constexpr std::uint32_t kEnd = 15 * kOneBit / 2;

  // Indexed by 2 * pStateIdx + 1 where the bin is the least probable symbol.
  std::uint16_t bins[128];
};

// Returns -log2(p) for p in (0, 1], by repeated squaring.
constexpr double bits_of_probability(double p) {
  double bits = 0;
  for (; p < 0.5; p *= 2) {
    bits += 1;
  }
  for (double weight = 1; weight > 1e-9; weight /= 2) {
    if (p <= 0.5) {
      bits += weight;
      p *= 2;
    }
    p *= p;
  }
  return bits;
}

constexpr std::uint16_t rounded(double value) {
  return static_cast<std::uint16_t>((static_cast<int>(2 * value) + 1) / 2);
}

// The least probable symbol of state s has the probability 0.5 * (0.01875 / 0.5)^(s / 63).
constexpr CabacCosts cabac_costs() {
  constexpr double kRatio = 0.9492171487710531;  // 0.0375^(1 / 63)
  CabacCosts costs = {};
  double p = 0.5;
  for (int state = 0; state < 64; ++state) {
    costs.bins[2 * state] = rounded(CabacCosts::kOneBit * bits_of_probability(1 - p));
    costs.bins[2 * state + 1] = rounded(CabacCosts::kOneBit * bits_of_probability(p));
    p *= kRatio;
  }
  return costs;
}

inline constexpr CabacCosts kCabacCosts = cabac_costs();

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CABAC_COSTS_H_
