// SPDX-License-Identifier: Apache-2.0

// The inverse transform of one macroblock shared by the lanes of a warp: 16-byte memory accesses, a
// lane for each eight samples, and what lanes exchange goes through scratch without bank conflicts.
//
//   inverse_transform_cooperative<8>(
//       context, *context.template scratch<TransformScratch>(1),
//       [=](int place, std::int16_t* to) { copy_eight<true>(coefficients + 8 * place, to); },
//       [=](const std::int16_t* from, int place) { copy_eight<true>(from, residual + 8 * place);
//       });
//
// A macroblock is 32 places of eight samples in raster order: place p is the left (p even) or right
// half of row p / 2. Written for warps of 32 or 64 lanes; any other number gives the same bits.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_COOPERATIVE_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_COOPERATIVE_H_

#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

inline constexpr int kPlaces = kMacroblockSamples / 8;

// 16-bit samples, two to a word, the first in the low half. It may view an array of samples.
template <int n>
struct alignas(2 * n) [[gnu::may_alias]] PackedSamples {
  std::uint32_t words[n / 2];

  MILLRACE_FUNCTION constexpr std::int16_t get(int index) const {
    return static_cast<std::int16_t>(words[index / 2] >> index % 2 * 16);
  }

  // Of each value the lower 16 bits count.
  MILLRACE_FUNCTION constexpr void set_pair(int pair, std::int32_t even, std::int32_t odd) {
    words[pair] = static_cast<std::uint16_t>(even) | static_cast<std::uint32_t>(odd) << 16;
  }
};

// The widest access of a GPU lane.
using EightSamples = PackedSamples<8>;

// Eight 8-bit samples, the first in the lowest bits. It may view an array of bytes.
struct alignas(8) [[gnu::may_alias]] EightBytes {
  std::uint32_t words[2];

  MILLRACE_FUNCTION constexpr std::uint8_t get(int index) const {
    return static_cast<std::uint8_t>(words[index / 4] >> index % 4 * 8);
  }
};

// Arithmetic modulo 2^16 in a register of 32 bits, of which the lower half counts: only a shift
// has to look at the sign, so that additions cost one instruction.
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

// How far below a row that is a multiple of 4 the row `rows` below it begins, in samples. After
// every four rows (128 bytes, all banks once) rows move on by the banks of one row, so that no
// access below has a bank conflict; idct_cooperative_test.cc counts them. Functions that read eight
// samples of scratch take them by value: given a reference, nvcc loads them by four words, each of
// which has conflicts.
MILLRACE_FUNCTION constexpr int row_offset(int rows) {
  return kMacroblockWidth * (rows + rows / 4);
}

// A macroblock in scratch. Uninitialised.
class ScratchMacroblock {
 public:
  MILLRACE_FUNCTION std::int16_t* at(int y, int x) { return &samples_[row_offset(y) + x]; }
  MILLRACE_FUNCTION const std::int16_t* at(int y, int x) const {
    return &samples_[row_offset(y) + x];
  }

  // The first of eight samples, aligned to 16 bytes.
  MILLRACE_FUNCTION std::int16_t* at_place(int place) { return at(place / 2, place % 2 * 8); }
  MILLRACE_FUNCTION const std::int16_t* at_place(int place) const {
    return at(place / 2, place % 2 * 8);
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

// Copies eight samples; kIsAligned: both addresses are multiples of 16, and one access does.
template <bool kIsAligned>
MILLRACE_FUNCTION inline void copy_eight(const std::int16_t* from, std::int16_t* to) {
  if constexpr (kIsAligned) {
    eight_samples(to) = eight_samples(from);
  } else {
    for (int k = 0; k < 8; ++k) to[k] = from[k];
  }
}

// Writes clip255(prediction + residual) for eight samples of a picture; kIsAligned: both addresses
// are multiples of 8, and one access does. `output` may be `prediction`.
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

// What the lanes of one macroblock exchange. Uninitialised.
struct TransformScratch {
  ScratchMacroblock coefficients;
  ScratchMacroblock residual;
};

// The standard's row transforms (clauses 8.5.12.2 and 8.5.13, first step), in place: the layout of
// macroblock.h makes of each a column of n rows of memory. Those of one column of the upper
// (place < 16) or lower eight rows.
template <int n>
MILLRACE_FUNCTION inline void transform_memory_columns(ScratchMacroblock& macroblock, int place) {
  std::int16_t* const column =
      macroblock.at(place / kMacroblockWidth * 8, place % kMacroblockWidth);
  for (int first = 0; first < 8; first += n) {
    RegisterInt16 samples[n];
    for (int j = 0; j < n; ++j) samples[j].value = column[row_offset(first + j)];
    inverse_transform_1d(samples);
    for (int j = 0; j < n; ++j) {
      column[row_offset(first + j)] = static_cast<std::int16_t>(samples[j].value);
    }
  }
}

// The standard's column transforms and the rounding for the 8 / n blocks that have samples in one
// place; writes them transposed, which is in raster order.
template <int n>
MILLRACE_FUNCTION inline void transform_memory_row(EightSamples row, int place,
                                                   ScratchMacroblock& residual) {
  const int j = place / 2 % n;
  std::int16_t* const column = residual.at(place / 2 / n * n, place % 2 * 8 + j);
  for (int first = 0; first < 8; first += n) {
    RegisterInt16 samples[n];
    for (int i = 0; i < n; ++i) samples[i].value = row.get(first + i);
    samples[0].value += 32;  // A term of every sum, and never shifted.
    inverse_transform_1d(samples);
    for (int i = 0; i < n; ++i) {
      column[row_offset(i) + first] = static_cast<std::int16_t>((samples[i] >> 6).value);
    }
  }
}

// Context is what a task is given (runtime/tasks/task.h), or has its lane(), lanes() and sync().
// load(place, to) writes a place's eight coefficients, in the layout of macroblock.h, to scratch;
// store(from, place) takes its residual from there. Each is called once for each place, by one
// lane; the addresses in scratch are multiples of 16.
// The scratch may be used again for another macroblock of the same lanes without a sync().
template <int n, class Context, class Load, class Store>
MILLRACE_FUNCTION inline void inverse_transform_cooperative(Context& context,
                                                            TransformScratch& scratch,
                                                            const Load& load, const Store& store) {
  const int lanes = context.lanes();
  for (int place = context.lane(); place < kPlaces; place += lanes) {
    load(place, scratch.coefficients.at_place(place));
  }
  context.sync();
  for (int place = context.lane(); place < kPlaces; place += lanes) {
    transform_memory_columns<n>(scratch.coefficients, place);
  }
  context.sync();
  for (int place = context.lane(); place < kPlaces; place += lanes) {
    transform_memory_row<n>(eight_samples(scratch.coefficients.at_place(place)), place,
                            scratch.residual);
  }
  context.sync();
  for (int place = context.lane(); place < kPlaces; place += lanes) {
    store(scratch.residual.at_place(place), place);
  }
}

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_COOPERATIVE_H_
