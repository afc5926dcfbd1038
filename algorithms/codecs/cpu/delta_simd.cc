// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/cpu/delta_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/codecs/cpu/delta_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/codecs/cpu/prefix_sum_inl.h>
#include <millrace/runtime/core/check.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <string>

HWY_BEFORE_NAMESPACE();
namespace millrace::codecs {
namespace HWY_NAMESPACE {
namespace {

template <bool kStream, class T>
bool decode(const std::byte* HWY_RESTRICT tile, std::size_t bytes, T* HWY_RESTRICT values,
            int count) {
  const WideTag<T> d;
  if (bytes < sizeof(TileHead)) return false;
  TileHead head;
  std::memcpy(&head, tile, sizeof head);
  if (!has_good_widths<T>(head, count, bytes)) return false;
  PrefixSum<WideTag<T>> sum(d, static_cast<T>(head.first));
  const std::byte* block = tile + sizeof head;
  const std::byte* const end = tile + bytes;
  BlockCopy<T> copy;
  for (int first = 0; first < count; first += kBlockValues) {
    const int width = head.widths[first / kBlockValues];
    const std::size_t block_bytes = packed_block_bytes(width);
    const T* const words =
        copy.with_slack(block, block_bytes, static_cast<std::size_t>(end - block));
    block += block_bytes;
    T* const to = values + first;
    if (count - first >= kBlockValues) {
      sum.add_block(d, words, width, [&](int i, auto v) HWY_ATTR {
        if constexpr (kStream) {
          hn::Stream(v, d, to + i);
        } else {
          hn::StoreU(v, d, to + i);
        }
      });
    } else {
      alignas(64) T tail[kBlockValues];
      sum.add_block(d, words, width, [&](int i, auto v) HWY_ATTR { hn::Store(v, d, tail + i); });
      std::memcpy(to, tail, static_cast<std::size_t>(count - first) * sizeof(T));
    }
  }
  if constexpr (kStream) hwy::FlushStream();
  return sum.last(d) == head.last;
}

// A block of a tile's integers, each preceded by the one that it is subtracted from.
template <class T>
class SourceBlock {
 public:
  // Returns a pointer for which integers i and i - 1 are *at(i) and *(at(i) - 1).
  HWY_INLINE const T* take(const T* values, int count, int first) {
    if (first > 0 && count - first >= kBlockValues) return values + first;
    const int present = std::min(count - first, kBlockValues);
    std::memcpy(copy_ + 1, values + first, static_cast<std::size_t>(present) * sizeof(T));
    copy_[0] = first > 0 ? values[first - 1] : values[0];
    std::fill(copy_ + 1 + present, copy_ + 1 + kBlockValues, copy_[present]);
    return copy_ + 1;
  }

 private:
  T copy_[kBlockValues + 1];
};

template <class T>
std::size_t encode(const T* HWY_RESTRICT values, int count, std::byte* HWY_RESTRICT tile) {
  const WideTag<T> d;
  TileHead head{};
  SourceBlock<T> source;
  T* out = reinterpret_cast<T*>(tile + sizeof head);
  for (int first = 0; first < count; first += kBlockValues) {
    const T* const block = source.take(values, count, first);
    alignas(64) T deltas[kBlockValues];
    auto bits = hn::Zero(d);
    for (int i = 0; i < kBlockValues; i += static_cast<int>(hn::Lanes(d))) {
      const auto delta = hn::Sub(hn::LoadU(d, block + i), hn::LoadU(d, block + i - 1));
      bits = hn::Or(bits, delta);
      hn::Store(delta, d, deltas + i);
    }
    const int width = bits_of(bits_in(d, bits));
    head.widths[first / kBlockValues] = static_cast<std::uint8_t>(width);
    out = pack_block(deltas, width, out);
  }
  if (count > 0) {
    head.first = values[0];
    head.last = values[count - 1];
  }
  std::memcpy(tile, &head, sizeof head);
  return static_cast<std::size_t>(reinterpret_cast<std::byte*>(out) - tile);
}

}  // namespace

bool decode_32(const std::byte* tile, std::size_t bytes, std::uint32_t* values, int count,
               bool stream) {
  return stream ? decode<true>(tile, bytes, values, count)
                : decode<false>(tile, bytes, values, count);
}
bool decode_64(const std::byte* tile, std::size_t bytes, std::uint64_t* values, int count,
               bool stream) {
  return stream ? decode<true>(tile, bytes, values, count)
                : decode<false>(tile, bytes, values, count);
}
std::size_t encode_32(const std::uint32_t* values, int count, std::byte* tile) {
  return encode(values, count, tile);
}
std::size_t encode_64(const std::uint64_t* values, int count, std::byte* tile) {
  return encode(values, count, tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace millrace::codecs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::codecs {

HWY_EXPORT(decode_32);
HWY_EXPORT(decode_64);
HWY_EXPORT(encode_32);
HWY_EXPORT(encode_64);

template <class T>
std::size_t encode_tile(std::span<const T> values, std::byte* tile) {
  const int count = static_cast<int>(values.size());
  if constexpr (sizeof(T) == 4) {
    return HWY_DYNAMIC_DISPATCH(encode_32)(values.data(), count, tile);
  } else {
    return HWY_DYNAMIC_DISPATCH(encode_64)(values.data(), count, tile);
  }
}

template <class T>
bool decode_tile(std::span<const std::byte> tile, std::span<T> values, Stores stores) {
  const bool stream =
      stores == Stores::kStreaming && reinterpret_cast<std::uintptr_t>(values.data()) % 64 == 0;
  const int count = static_cast<int>(values.size());
  if constexpr (sizeof(T) == 4) {
    return HWY_DYNAMIC_DISPATCH(decode_32)(tile.data(), tile.size(), values.data(), count, stream);
  } else {
    return HWY_DYNAMIC_DISPATCH(decode_64)(tile.data(), tile.size(), values.data(), count, stream);
  }
}

template <class T>
DeltaChunk<T>::DeltaChunk(std::span<const std::byte> coded, std::size_t count)
    : coded_(coded), count_(count) {
  if (reinterpret_cast<std::uintptr_t>(coded.data()) % kCodedUnit != 0) {
    reject("the coded chunk is not aligned; its address must be a multiple of 16");
  }
  if (!has_delta_header<T>(coded.data(), coded.size(), count)) {
    reject("the " + std::to_string(coded.size()) +
           " bytes are not a chunk of the delta codec with " + std::to_string(count) +
           " integers; give all that encode() wrote, and its count");
  }
}

template class DeltaChunk<std::uint32_t>;
template class DeltaChunk<std::uint64_t>;
template std::size_t encode_tile(std::span<const std::uint32_t>, std::byte*);
template std::size_t encode_tile(std::span<const std::uint64_t>, std::byte*);
template bool decode_tile(std::span<const std::byte>, std::span<std::uint32_t>, Stores);
template bool decode_tile(std::span<const std::byte>, std::span<std::uint64_t>, Stores);

}  // namespace millrace::codecs
#endif  // HWY_ONCE
