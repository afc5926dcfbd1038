// SPDX-License-Identifier: Apache-2.0

// Decodes arbitrary bytes with every decoder of the CPU. codecs_fuzz_test.cc passes damaged chunks,
// and `tools/fuzz codecs` runs libFuzzer.
//
// Byte 0 selects the decoder, bytes 1 and 2 are the count, bytes 3 to 6 the bound minus one; the
// chunk follows.
#include <millrace/algorithms/codecs/cpu/bounded_simd.h>
#include <millrace/algorithms/codecs/cpu/delta_simd.h>
#include <millrace/algorithms/codecs/cpu/sparse_simd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace millrace::codecs {
namespace {

// Tiles and output are copies of their exact size, so that AddressSanitizer detects any access
// outside.
using Bytes = std::vector<std::byte>;

Bytes exactly(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

template <class T>
void decode_deltas(std::span<const std::byte> coded, std::size_t count) {
  if (!has_delta_header<T>(coded.data(), coded.size(), count)) return;
  const DeltaChunk<T> chunk(coded, count);
  for (std::size_t i = 0; i < chunk.tiles(); ++i) {
    std::vector<T> values(chunk.values_in(i));
    decode_tile(std::span<const std::byte>(exactly(chunk.tile(i))), std::span<T>(values),
                i % 2 == 0 ? Stores::kCached : Stores::kStreaming);
  }
}

void decode_bounded_integers(std::span<const std::byte> coded, std::size_t count,
                             std::uint64_t bound) {
  const BoundedFormat format{bound};
  if (!format.has_header(coded.data(), coded.size(), count)) return;
  std::vector<std::uint32_t> values(count);
  decode_bounded(format, exactly(coded.subspan(sizeof(CodedHeader))), values, Stores::kCached);
}

void decode_sparse_blocks(std::span<const std::byte> coded, std::size_t count) {
  if (!SparseFormat::has_header(coded.data(), coded.size(), count)) return;
  for (std::size_t i = 0; i < SparseFormat::tiles(count); ++i) {
    const TileRange range = SparseFormat::tile_range(coded.data(), coded.size(), count, i);
    std::vector<CoefficientBlock> blocks(
        static_cast<std::size_t>(SparseFormat::tile_blocks(count, i)));
    decode_sparse_tile(exactly(coded.subspan(range.begin, range.bytes)), blocks);
  }
}

}  // namespace
}  // namespace millrace::codecs

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::codecs;
  constexpr std::size_t kOptions = 7;
  if (size < kOptions) return 0;
  const std::size_t count = data[1] + 256U * data[2];
  std::uint32_t most = 0;
  std::memcpy(&most, data + 3, sizeof most);
  const Bytes coded = exactly(std::as_bytes(std::span(data + kOptions, size - kOptions)));
  switch (data[0] % 4) {
    case 0: decode_deltas<std::uint32_t>(coded, count); break;
    case 1: decode_deltas<std::uint64_t>(coded, count); break;
    case 2: decode_bounded_integers(coded, count, std::uint64_t{most} + 1); break;
    default: decode_sparse_blocks(coded, count); break;
  }
  return 0;
}
