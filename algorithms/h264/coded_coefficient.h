// SPDX-License-Identifier: Apache-2.0

// A macroblock's coefficients as a list of those that are not 0, and its expansion to an array.
#ifndef MILLRACE_ALGORITHMS_H264_CODED_COEFFICIENT_H_
#define MILLRACE_ALGORITHMS_H264_CODED_COEFFICIENT_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

inline constexpr int kMacroblockCoefficients = 384;
static_assert(sizeof(MacroblockCoefficients) == kMacroblockCoefficients * sizeof(std::int16_t));

// Indices count MacroblockCoefficients as one array: luma from 0 on, chroma behind it.
inline constexpr int kFirstOfChroma = 256;
MILLRACE_FUNCTION constexpr int first_of_chroma(int component) {
  return kFirstOfChroma + 64 * component;
}

// A list has each index at most once, in any order.
struct CodedCoefficient {
  std::uint16_t index;
  std::int16_t value;  // Never 0, for PCM samples too.

  friend bool operator==(const CodedCoefficient&, const CodedCoefficient&) = default;
};

// The range of a picture's list that belongs to one macroblock.
struct CoefficientRange {
  std::uint32_t first;
  std::uint16_t count;
};

// The list of one macroblock. Not owned.
struct CoefficientView {
  const CodedCoefficient* first = nullptr;
  int count = 0;

  MILLRACE_FUNCTION const CodedCoefficient* begin() const { return first; }
  MILLRACE_FUNCTION const CodedCoefficient* end() const { return first + count; }
};

// Writes the coefficients of the list to `dense`; the others stay as they are.
MILLRACE_FUNCTION inline void expand(CoefficientView coded, MacroblockCoefficients& dense) {
  auto* const values = reinterpret_cast<std::int16_t*>(&dense);
  for (const CodedCoefficient coefficient : coded) values[coefficient.index] = coefficient.value;
}

// Writes 0 to their elements.
MILLRACE_FUNCTION inline void erase(CoefficientView coded, MacroblockCoefficients& dense) {
  auto* const values = reinterpret_cast<std::int16_t*>(&dense);
  for (const CodedCoefficient coefficient : coded) values[coefficient.index] = 0;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_CODED_COEFFICIENT_H_
