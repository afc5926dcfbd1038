// SPDX-License-Identifier: Apache-2.0

// The mode of a macroblock: its partitions and their references.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MACROBLOCK_MODE_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MACROBLOCK_MODE_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::motion {

// Partitioning of a macroblock, and of each quarter of it if that is k8x8.
enum class MacroblockShape : std::uint8_t { k16x16, k16x8, k8x16, k8x8, kSkip };
enum class QuarterShape : std::uint8_t { k8x8, k8x4, k4x8, k4x4 };

struct MacroblockMode {
  std::uint32_t cost = 0;
  MacroblockShape shape = MacroblockShape::k16x16;
  QuarterShape quarters[4] = {};    // k8x8 if the shape is not.
  std::uint8_t references[4] = {};  // Index of the field that predicts each quarter.
  std::uint8_t unused[3] = {};

  friend bool operator==(const MacroblockMode&, const MacroblockMode&) = default;
};

inline constexpr int kMostReferences = 4;

// Returns the bits of a reference's index if there are `references`: te(v), H.264 clause 9.1.
MILLRACE_FUNCTION constexpr int reference_bits(int reference, int references) {
  if (references <= 2) return references - 1;
  return reference == 0 ? 1 : (reference < 3 ? 3 : 5);
}

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MACROBLOCK_MODE_H_
