// SPDX-License-Identifier: Apache-2.0

// The inverse transform of one macroblock by the lanes of a warp. Memory accesses are 16 bytes
// wide, one lane transforms eight samples at a time, and lanes exchange values through scratch
// memory without bank conflicts.
//
//   inverse_transform_cooperative<8>(
//       context, *context.template scratch<TransformScratch>(1),
//       [=](int octet, std::int16_t* to) { copy_eight<true>(coefficients + 8 * octet, to); },
//       [=](const std::int16_t* from, int octet) { copy_eight<true>(from, residual + 8 * octet);
//       });
//
// A macroblock is 32 octets of eight samples in raster order: octet k is the left (k even) or right
// half of row k / 2. Written for warps of 32 or 64 lanes; any other number gives the same bits.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_COOPERATIVE_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_COOPERATIVE_H_

#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

inline constexpr int kOctets = kMacroblockSamples / 8;

// An array of 16-bit samples, two to a word, the first in the low half. May alias an array of
// samples.
template <int n>
struct alignas(2 * n) [[gnu::may_alias]] PackedSamples {
  std::uint32_t words[n / 2];

  MILLRACE_FUNCTION constexpr std::int16_t get(int index) const {
    return static_cast<std::int16_t>(words[index / 2] >> index % 2 * 16);
  }

  // Stores the lower 16 bits of both values.
  MILLRACE_FUNCTION constexpr void set_pair(int pair, std::int32_t even, std::int32_t odd) {
    words[pair] = static_cast<std::uint16_t>(even) | static_cast<std::uint32_t>(odd) << 16;
  }
};

// The widest access of a GPU lane.
using EightSamples = PackedSamples<8>;

// Eight 8-bit samples, the first in the lowest bits. May alias an array of bytes.
struct alignas(8) [[gnu::may_alias]] EightBytes {
  std::uint32_t words[2];

  MILLRACE_FUNCTION constexpr std::uint8_t get(int index) const {
    return static_cast<std::uint8_t>(words[index / 4] >> index % 4 * 8);
  }
};

// Arithmetic modulo 2^16 in the lower half of a 32-bit register. Only a shift has to extend the
// sign, so additions cost one instruction.
struct RegisterInt16 {
  std::int32_t value = 0;

  MILLRACE_FUNCTION friend constexpr RegisterInt16 operator+(RegisterInt16 a, RegisterInt16 b) {
    return {a.value + b.value};
  }
  MILLRACE_FUNCTION friend constexpr RegisterInt16 operator-(RegisterInt16 a, RegisterInt16 b) {
    return {a.value - b.value};
  }
  MILLRACE_FUNCTION friend constexpr RegisterInt16 operator>>(RegisterInt16 a, int bits) {
    return {static_cast<std::int16_t>(a.value) >> bits};
  }
};

// Returns the offset, in samples, of the row that is `rows` below a row that is a multiple of 4.
// After every four rows (128 bytes, all banks once) rows are shifted by the banks of one row, so
// that no access below has a bank conflict; idct_cooperative_test.cc counts them. Functions that
// read eight samples of scratch take them by value: given a reference, nvcc loads them as four
// words, each of which has conflicts.
MILLRACE_FUNCTION constexpr int row_offset(int rows) {
  return kMacroblockWidth * (rows + rows / 4);
}

// A macroblock in scratch memory, uninitialised.
class ScratchMacroblock {
 public:
  MILLRACE_FUNCTION std::int16_t* at(int y, int x) { return &samples_[row_offset(y) + x]; }
  MILLRACE_FUNCTION const std::int16_t* at(int y, int x) const {
    return &samples_[row_offset(y) + x];
  }

  // Returns the first of eight samples, aligned to 16 bytes.
  MILLRACE_FUNCTION std::int16_t* at_octet(int octet) { return at(octet / 2, octet % 2 * 8); }
  MILLRACE_FUNCTION const std::int16_t* at_octet(int octet) const {
    return at(octet / 2, octet % 2 * 8);
  }

 private:
  alignas(16) std::int16_t samples_[kMacroblockWidth * (kMacroblockWidth + 3)];
};

// Views an array, aligned to 16 bytes, as eight samples.
MILLRACE_FUNCTION inline EightSamples& eight_samples(std::int16_t* samples) {
  return *reinterpret_cast<EightSamples*>(samples);
}
MILLRACE_FUNCTION inline const EightSamples& eight_samples(const std::int16_t* samples) {
  return *reinterpret_cast<const EightSamples*>(samples);
}

// Copies eight samples. kIsAligned: both addresses are multiples of 16, and the copy is one access.
template <bool kIsAligned>
MILLRACE_FUNCTION inline void copy_eight(const std::int16_t* from, std::int16_t* to) {
  if constexpr (kIsAligned) {
    eight_samples(to) = eight_samples(from);
  } else {
    for (int k = 0; k < 8; ++k) to[k] = from[k];
  }
}

// Writes clip255(prediction + residual) for eight samples of a picture. kIsAligned: both addresses
// are multiples of 8, and each side is one access. `output` may be `prediction`.
template <bool kIsAligned>
MILLRACE_FUNCTION inline void reconstruct_eight(EightSamples residual,
                                                const std::uint8_t* prediction,
                                                std::uint8_t* output) {
  if constexpr (kIsAligned) {
    const EightBytes given = *reinterpret_cast<const EightBytes*>(prediction);
    EightBytes sum = {};
    for (int k = 0; k < 8; ++k) {
      sum.words[k / 4] |= std::uint32_t{reconstruct_sample(given.get(k), residual.get(k))}
                          << k % 4 * 8;
    }
    *reinterpret_cast<EightBytes*>(output) = sum;
  } else {
    for (int k = 0; k < 8; ++k) output[k] = reconstruct_sample(prediction[k], residual.get(k));
  }
}

// Scratch memory through which the lanes of one macroblock exchange values; uninitialised.
struct TransformScratch {
  ScratchMacroblock coefficients;
  ScratchMacroblock residual;
};

// Transforms one column of memory, of the upper (octet < 16) or the lower eight rows, n samples at
// a time. Blocks are transposed in memory (macroblock.h), so these columns are rows of blocks, and
// this is the standard's first step, the transform of rows (clauses 8.5.12.2 and 8.5.13).
template <int n>
MILLRACE_FUNCTION inline void transform_memory_columns(ScratchMacroblock& macroblock, int octet) {
  std::int16_t* const column =
      macroblock.at(octet / kMacroblockWidth * 8, octet % kMacroblockWidth);
  for (int first = 0; first < 8; first += n) {
    RegisterInt16 samples[n];
    for (int j = 0; j < n; ++j) samples[j].value = column[row_offset(first + j)];
    inverse_transform_1d(samples);
    for (int j = 0; j < n; ++j) {
      column[row_offset(first + j)] = static_cast<std::int16_t>(samples[j].value);
    }
  }
}

// Transforms one octet, a row of memory and so a column of each of 8 / n blocks, and rounds: the
// standard's second step. Writes the result transposed, that is, in raster order.
template <int n>
MILLRACE_FUNCTION inline void transform_memory_row(EightSamples row, int octet,
                                                   ScratchMacroblock& residual) {
  const int j = octet / 2 % n;
  std::int16_t* const column = residual.at(octet / 2 / n * n, octet % 2 * 8 + j);
  for (int first = 0; first < 8; first += n) {
    RegisterInt16 samples[n];
    for (int i = 0; i < n; ++i) samples[i].value = row.get(first + i);
    samples[0].value += 32;  // A term of every sum that is never shifted.
    inverse_transform_1d(samples);
    for (int i = 0; i < n; ++i) {
      column[row_offset(i) + first] = static_cast<std::int16_t>((samples[i] >> 6).value);
    }
  }
}

// Transforms one macroblock. `context` provides lane(), lanes() and sync() as a task's context does
// (runtime/tasks/task.h). load(octet, to) writes the octet's eight coefficients, in the layout of
// macroblock.h, to scratch memory; store(from, octet) reads its residual from there. Each is called
// once per octet, by one lane; the addresses in scratch memory are multiples of 16. The scratch
// memory may be reused for another macroblock of the same lanes without a sync().
template <int n, class Context, class Load, class Store>
MILLRACE_FUNCTION inline void inverse_transform_cooperative(Context& context,
                                                            TransformScratch& scratch,
                                                            const Load& load, const Store& store) {
  const int lanes = context.lanes();
  for (int octet = context.lane(); octet < kOctets; octet += lanes) {
    load(octet, scratch.coefficients.at_octet(octet));
  }
  context.sync();
  for (int octet = context.lane(); octet < kOctets; octet += lanes) {
    transform_memory_columns<n>(scratch.coefficients, octet);
  }
  context.sync();
  for (int octet = context.lane(); octet < kOctets; octet += lanes) {
    transform_memory_row<n>(eight_samples(scratch.coefficients.at_octet(octet)), octet,
                            scratch.residual);
  }
  context.sync();
  for (int octet = context.lane(); octet < kOctets; octet += lanes) {
    store(scratch.residual.at_octet(octet), octet);
  }
}

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_COOPERATIVE_H_
