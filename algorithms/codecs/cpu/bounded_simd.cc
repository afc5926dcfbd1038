// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/cpu/bounded_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/codecs/cpu/bounded_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/codecs/cpu/bit_packing_inl.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace millrace::codecs {
namespace HWY_NAMESPACE {
namespace {

using Tag = WideTag<std::uint32_t>;

std::uint32_t largest(hn::Vec<Tag> vector) {
  alignas(64) std::uint32_t lanes[kMostLanes<std::uint32_t>] = {};
  hn::Store(vector, Tag(), lanes);
  return *std::max_element(std::begin(lanes), std::end(lanes));
}

template <bool kStream>
std::uint32_t decode(const std::byte* HWY_RESTRICT blocks, std::size_t bytes, int width,
                     std::uint32_t* HWY_RESTRICT values, std::size_t count) {
  const Tag d;
  BlockCopy<std::uint32_t> copy;
  auto most = hn::Zero(d);
  const std::size_t block_bytes = packed_block_bytes(width);
  for (std::size_t first = 0; first < count; first += kBlockValues) {
    const auto* const words = copy.with_slack(blocks, block_bytes, bytes);
    blocks += block_bytes;
    bytes -= block_bytes;
    std::uint32_t* const to = values + first;
    if (count - first >= kBlockValues) {
      unpack_block(d, words, width, [&](int i, auto v) HWY_ATTR {
        most = hn::Max(most, v);
        if constexpr (kStream) {
          hn::Stream(v, d, to + i);
        } else {
          hn::StoreU(v, d, to + i);
        }
      });
    } else {
      alignas(64) std::uint32_t tail[kBlockValues];
      unpack_block(d, words, width, [&](int i, auto v) HWY_ATTR { hn::Store(v, d, tail + i); });
      std::memcpy(to, tail, (count - first) * sizeof(std::uint32_t));
      most = hn::Max(most, hn::Set(d, *std::max_element(tail, tail + (count - first))));
    }
  }
  if constexpr (kStream) hwy::FlushStream();
  return largest(most);
}

}  // namespace

// Both functions return the largest integer.
std::uint32_t encode_blocks(const std::uint32_t* HWY_RESTRICT values, std::size_t count, int width,
                            std::byte* HWY_RESTRICT blocks) {
  const Tag d;
  auto* out = reinterpret_cast<std::uint32_t*>(blocks);
  auto most = hn::Zero(d);
  alignas(64) std::uint32_t tail[kBlockValues] = {};
  for (std::size_t first = 0; first < count; first += kBlockValues) {
    const std::uint32_t* block = values + first;
    if (count - first < kBlockValues) {
      std::memcpy(tail, block, (count - first) * sizeof(std::uint32_t));
      block = tail;
    }
    for (std::size_t i = 0; i < kBlockValues; i += hn::Lanes(d)) {
      most = hn::Max(most, hn::LoadU(d, block + i));
    }
    out = pack_block(block, width, out);
  }
  return largest(most);
}

std::uint32_t decode_blocks(const std::byte* blocks, std::size_t bytes, int width,
                            std::uint32_t* values, std::size_t count, bool stream) {
  return stream ? decode<true>(blocks, bytes, width, values, count)
                : decode<false>(blocks, bytes, width, values, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace millrace::codecs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::codecs {

HWY_EXPORT(encode_blocks);
HWY_EXPORT(decode_blocks);

bool encode_bounded(const BoundedFormat& format, std::span<const std::uint32_t> values,
                    std::byte* blocks) {
  return HWY_DYNAMIC_DISPATCH(encode_blocks)(values.data(), values.size(), format.width(),
                                             blocks) <= format.most();
}

bool decode_bounded(const BoundedFormat& format, std::span<const std::byte> blocks,
                    std::span<std::uint32_t> values, Stores stores) {
  const bool stream =
      stores == Stores::kStreaming && reinterpret_cast<std::uintptr_t>(values.data()) % 64 == 0;
  return HWY_DYNAMIC_DISPATCH(decode_blocks)(blocks.data(), blocks.size(), format.width(),
                                             values.data(), values.size(), stream) <= format.most();
}

}  // namespace millrace::codecs
#endif  // HWY_ONCE
