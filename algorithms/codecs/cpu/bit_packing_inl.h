// SPDX-License-Identifier: Apache-2.0

// Blocks of bit_packing.h in the vectors of the target being compiled. A part of the .cc files that
// are compiled once per target.

#include <millrace/algorithms/codecs/bit_packing.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_CODECS_CPU_BIT_PACKING_INL_H_)
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_BIT_PACKING_INL_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_BIT_PACKING_INL_H_
#else
#undef MILLRACE_ALGORITHMS_CODECS_CPU_BIT_PACKING_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::codecs {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A vector with several rows of a block.
template <class T>
using WideTag = hn::CappedTag<T, 64 / sizeof(T)>;

template <class T>
inline constexpr int kMostLanes = 64 / static_cast<int>(sizeof(T));

template <class D>
inline constexpr bool kHoldsOneRow = hn::MaxLanes(D()) == kStreams<hn::TFromD<D>>;

// Number of bytes past a block's end that unpack_block() reads.
constexpr std::size_t kUnpackSlack = 64;

#if HWY_TARGET == HWY_SCALAR

template <class D, class T = hn::TFromD<D>, class Emit>
HWY_INLINE void unpack_block(D d, const T* words, int width, const Emit& emit) {
  for (int i = 0; i < kBlockValues; ++i) emit(i, hn::Set(d, unpacked_value(words, width, i)));
}

template <class T>
HWY_INLINE T* pack_block(const T* values, int width, T* out) {
  const int words = width * kStreams<T>;
  for (int word = 0; word < words; ++word) {
    out[word] = packed_word<T>([&](int i) { return values[i]; }, width, word);
  }
  return out + words;
}

#else

// Largest width, in bits, at which a lane's integer spans no more bytes than the lane has, all
// among the 64 from the vector's first word on: 25 of 32 bits, 49 of 64.
template <class T>
inline constexpr int kMostGatheredBits = (3 * kWordBits<T> + 4) / 4;

// True if one instruction gathers bytes from a whole vector.
inline constexpr bool kGathersBytes = HWY_TARGET <= HWY_AVX3_DL;

// Returns the positions, lowest first, of `count` consecutive bytes of a stream, from byte `byte`
// on, in a block of T.
template <class T>
std::uint64_t byte_positions(int byte, int stream, std::size_t count) {
  constexpr int kBytes = static_cast<int>(sizeof(T));
  std::uint64_t positions = 0;
  for (std::size_t i = 0; i < count; ++i, ++byte) {
    const int position = (byte / kBytes * kStreams<T> + stream) * kBytes + byte % kBytes;
    positions |= static_cast<std::uint64_t>(position % 64) << (8 * i);
  }
  return positions;
}

// Describes how to extract each vector of a block from its words: the word to load from, the loaded
// word of each lane, and each lane's shift. With kGathersBytes and at most kMostGatheredBits bits:
// the bytes of each lane.
template <class T>
struct UnpackTable {
  struct Vector {
    alignas(64) T index[kMostLanes<T>];
    alignas(64) T shift[kMostLanes<T>];
    std::size_t first_word;
  };

  UnpackTable() {
    const int lanes = static_cast<int>(hn::Lanes(WideTag<T>()));
    for (int width = 1; width <= kWordBits<T>; ++width) {
      for (int vector = 0; vector * lanes < kBlockValues; ++vector) {
        fill(vectors[width][vector], width, vector * lanes, lanes);
      }
    }
  }

  static void fill(Vector& vector, int width, int first, int lanes) {
    const int first_row = first / kStreams<T> * width / kWordBits<T>;
    vector.first_word = static_cast<std::size_t>(first_row * kStreams<T>);
    for (int lane = 0; lane < lanes; ++lane) {
      const int bit = (first + lane) / kStreams<T> * width - first_row * kWordBits<T>;
      if (kGathersBytes && width <= kMostGatheredBits<T>) {
        vector.index[lane] =
            static_cast<T>(byte_positions<T>(bit / 8, lane % kStreams<T>, sizeof(T)));
        vector.shift[lane] = static_cast<T>(bit % 8);
      } else {
        vector.index[lane] = static_cast<T>(bit / kWordBits<T> * kStreams<T> + lane % kStreams<T>);
        vector.shift[lane] = static_cast<T>(bit % kWordBits<T>);
      }
    }
  }

  Vector vectors[kWordBits<T> + 1][kBlockValues / kStreams<T>];
};

template <class T>
const UnpackTable<T>& unpack_table() {
  static const UnpackTable<T> table;
  return table;
}

#if HWY_TARGET <= HWY_AVX3_DL
// Selects, lane by lane, those of 64 bytes whose positions are in `index`.
template <class D>
HWY_INLINE hn::Vec<D> gather_bytes(hn::Vec<D> bytes, hn::Vec<D> index, D) {
  return hn::Vec<D>{_mm512_permutexvar_epi8(index.raw, bytes.raw)};
}
#endif

// Calls emit(i, v) with vector v of the integers from i on, for all 128 of a block.
template <class D, class T = hn::TFromD<D>, class Emit>
HWY_INLINE void unpack_block(D d, const T* HWY_RESTRICT words, int width, const Emit& emit) {
  constexpr int kBits = kWordBits<T>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  if (width == 0) {
    for (int i = 0; i < kBlockValues; i += lanes) emit(i, hn::Zero(d));
    return;
  }
  const auto mask = hn::Set(d, low_bits<T>(width));
  if constexpr (kHoldsOneRow<D>) {
    for (int i = 0, bit = 0; i < kBlockValues; i += lanes, bit += width) {
      const int shift = bit % kBits;
      const T* const word = words + bit / kBits * kStreams<T>;
      auto value = hn::ShiftRightSame(hn::LoadU(d, word), shift);
      if (shift + width > kBits) {
        value = hn::Or(value, hn::ShiftLeftSame(hn::LoadU(d, word + kStreams<T>), kBits - shift));
      }
      emit(i, hn::And(value, mask));
    }
  } else {
    const auto* vector = unpack_table<T>().vectors[width];
#if HWY_TARGET <= HWY_AVX3_DL
    if (width <= kMostGatheredBits<T>) {
      for (int i = 0; i < kBlockValues; i += lanes, ++vector) {
        const auto bytes =
            gather_bytes(hn::LoadU(d, words + vector->first_word), hn::Load(d, vector->index), d);
        emit(i, hn::And(hn::Shr(bytes, hn::Load(d, vector->shift)), mask));
      }
      return;
    }
#endif
    const auto most = hn::Set(d, static_cast<T>(kBits - 1));
    for (int i = 0; i < kBlockValues; i += lanes, ++vector) {
      const T* const word = words + vector->first_word;
      const auto index = hn::IndicesFromVec(d, hn::Load(d, vector->index));
      const auto shift = hn::Load(d, vector->shift);
      const auto low = hn::TableLookupLanes(hn::LoadU(d, word), index);
      const auto high = hn::TableLookupLanes(hn::LoadU(d, word + kStreams<T>), index);
      const auto value =
          hn::Or(hn::Shr(low, shift), hn::Shl(hn::ShiftLeft<1>(high), hn::Sub(most, shift)));
      emit(i, hn::And(value, mask));
    }
  }
}

// Packs 128 integers below 2 to the `width`. Returns the end of the output.
template <class T>
HWY_INLINE T* pack_block(const T* HWY_RESTRICT values, int width, T* HWY_RESTRICT out) {
  const hn::FixedTag<T, kStreams<T>> d;
  constexpr int kBits = kWordBits<T>;
  auto word = hn::Zero(d);
  int used = 0;
  for (int i = 0; width > 0 && i < kBlockValues; i += kStreams<T>) {
    const auto row = hn::LoadU(d, values + i);
    word = hn::Or(word, hn::ShiftLeftSame(row, used));
    used += width;
    if (used < kBits) continue;
    hn::StoreU(word, d, out);
    out += kStreams<T>;
    used -= kBits;
    word = used > 0 ? hn::ShiftRightSame(row, width - used) : hn::Zero(d);
  }
  return out;
}

#endif  // HWY_TARGET == HWY_SCALAR

// The words of a block whose last byte is the last readable one: the words themselves, or a copy in
// `copy` with enough slack behind it.
template <class T>
struct BlockCopy {
  alignas(64) T words[(packed_block_bytes(kWordBits<T>) + kUnpackSlack) / sizeof(T)];

  HWY_INLINE const T* with_slack(const std::byte* block, std::size_t block_bytes,
                                 std::size_t readable) {
    if (block_bytes + kUnpackSlack <= readable) return reinterpret_cast<const T*>(block);
    if (block_bytes > 0) std::memcpy(words, block, block_bytes);
    return words;
  }
};

// Returns the union of the bits of a vector's integers.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE T bits_in(D d, hn::Vec<D> vector) {
  alignas(64) T lanes[hn::MaxLanes(d)];
  hn::Store(vector, d, lanes);
  T bits = 0;
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) bits |= lanes[lane];
  return bits;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::codecs
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_BIT_PACKING_INL_H_
