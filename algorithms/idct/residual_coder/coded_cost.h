// SPDX-License-Identifier: Apache-2.0

// An estimate of the bits that a macroblock's levels would take, for choosing a transform size.
#ifndef MILLRACE_ALGORITHMS_IDCT_RESIDUAL_CODER_CODED_COST_H_
#define MILLRACE_ALGORITHMS_IDCT_RESIDUAL_CODER_CODED_COST_H_

#include <millrace/algorithms/idct/macroblock.h>

#include <cstdint>

namespace millrace::idct {

struct CodedCost {
  int bits = 0;
  int zero_levels = 0;
};

// Returns the length of this decodable code: in each block, every level that is not zero, in
// zig-zag order (clause 8.5.6), is written as se(level) ue(zeros before it), and se(0) ends the
// block; se and ue are the signed and unsigned Exp-Golomb codes of clause 9.1. Levels are in the
// layout of macroblock.h.
CodedCost coded_cost(TransformSize size, const std::int16_t (&levels)[kMacroblockSamples]);

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_RESIDUAL_CODER_CODED_COST_H_
