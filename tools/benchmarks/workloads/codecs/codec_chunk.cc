// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/codecs/sparse_format.h>
#include <millrace/runtime/host/splitmix64.h>
#include <millrace/tools/benchmarks/workloads/codecs/codec_chunk.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace millrace::tools {
namespace {

// Returns a number in (0, 1].
double unit(SplitMix64& random) { return static_cast<double>((random.next() >> 11) + 1) * 0x1p-53; }

// Uniform integers below 2^bits in order: the steps between them are exponential.
template <class T>
void fill_sorted(T* values, std::size_t count, int bits) {
  SplitMix64 random(1);
  const double step = std::ldexp(1.0, bits) / static_cast<double>(count + 1);
  const double most = std::ldexp(1.0, bits) * (1 - 0x1p-53);
  double at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    at = std::min(at - std::log(unit(random)) * step, most);
    values[i] = static_cast<T>(at);
  }
}

// Like those of a decoded picture: a third of the blocks empty, others with some coefficients of
// low frequency in 8x8 blocks, multiples of 16.
void fill_coefficients(codecs::CoefficientBlock* blocks, std::size_t count) {
  SplitMix64 random(1);
  for (std::size_t b = 0; b < count; ++b) {
    blocks[b] = {};
    if (random.next() % 3 == 0) continue;
    for (std::uint64_t n = 1 + random.next() % 24; n > 0; --n) {
      const std::uint64_t x =
          8 * (random.next() % 2) + (random.next() % 8) * (random.next() % 8) / 8;
      const std::uint64_t y =
          8 * (random.next() % 2) + (random.next() % 8) * (random.next() % 8) / 8;
      const int level = static_cast<int>(random.next() % 12) - 6;
      blocks[b].values[16 * y + x] = static_cast<std::int16_t>(256 * level);
    }
  }
}

template <class T>
CodecChunk sorted_chunk(const std::string& name, std::size_t count, int bits) {
  return {
      name, &codecs::delta_codec<T>(), count, static_cast<double>(count),
      [count, bits](std::byte* items) { fill_sorted(reinterpret_cast<T*>(items), count, bits); }};
}

}  // namespace

std::vector<CodecChunk> codec_chunks(std::size_t integers,
                                     std::vector<std::unique_ptr<const Codec>>& codecs) {
  codecs.push_back(codecs::make_bounded_codec(integers));
  const std::size_t blocks = integers / codecs::kSparseValues + 1;
  return {
      sorted_chunk<std::uint32_t>("sorted-u32", integers, 32),
      sorted_chunk<std::uint64_t>("sorted-u64", integers / 2, 48),
      {"indices", codecs.back().get(), integers, static_cast<double>(integers),
       [integers](std::byte* items) {
         SplitMix64 random(1);
         auto* const values = reinterpret_cast<std::uint32_t*>(items);
         for (std::size_t i = 0; i < integers; ++i) {
           values[i] = static_cast<std::uint32_t>(random.next() % integers);
         }
       }},
      {"coefficients", &codecs::sparse_codec(), blocks,
       static_cast<double>(blocks * codecs::kSparseValues),
       [blocks](std::byte* items) {
         fill_coefficients(reinterpret_cast<codecs::CoefficientBlock*>(items), blocks);
       }},
  };
}

}  // namespace millrace::tools
