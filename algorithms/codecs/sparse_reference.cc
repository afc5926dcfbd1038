// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/sparse_reference.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace millrace::codecs {
namespace {

using Bytes = std::vector<std::byte>;

template <class V>
void append(Bytes& bytes, V value) {
  const auto* const begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

bool is_zero(int value) { return value == 0; }

int shift_of(const CoefficientBlock& block) {
  if (std::ranges::all_of(block.values, is_zero)) return 0;
  int shift = 0;
  while (std::ranges::all_of(block.values, [&](int value) { return value % (2 << shift) == 0; })) {
    ++shift;
  }
  return shift;
}

Bytes encode_block(const CoefficientBlock& block) {
  if (std::ranges::all_of(block.values, is_zero)) return {};
  const int shift = shift_of(block);
  std::uint16_t rows = 0;
  std::vector<std::uint16_t> masks;
  std::vector<std::int8_t> small;
  std::vector<std::int16_t> escapes;
  for (int row = 0; row < kSparseRow; ++row) {
    std::uint16_t mask = 0;
    for (int i = 0; i < kSparseRow; ++i) {
      const int value = block.values[kSparseRow * row + i];
      if (value == 0) continue;
      mask = static_cast<std::uint16_t>(mask | 1U << i);
      small.push_back(
          static_cast<std::int8_t>(is_escaped(value, shift) ? kEscape : value >> shift));
      if (is_escaped(value, shift)) escapes.push_back(static_cast<std::int16_t>(value));
    }
    if (mask == 0) continue;
    rows = static_cast<std::uint16_t>(rows | 1U << row);
    masks.push_back(mask);
  }
  if (small.size() % 2 != 0) small.push_back(0);
  Bytes bytes;
  append(bytes, rows);
  for (const std::uint16_t mask : masks) append(bytes, mask);
  for (const std::int8_t value : small) append(bytes, value);
  for (const std::int16_t value : escapes) append(bytes, value);
  return bytes;
}

Bytes encode_tile(std::span<const CoefficientBlock> blocks) {
  SparseTileHead head{};
  Bytes bytes(sizeof head);
  for (std::size_t i = 0; i < kSparseTileBlocks; ++i) {
    if (i < blocks.size()) {
      const Bytes block = encode_block(blocks[i]);
      bytes.insert(bytes.end(), block.begin(), block.end());
      head.shifts[i] = static_cast<std::uint8_t>(shift_of(blocks[i]));
    }
    head.ends[i] = static_cast<std::uint16_t>(bytes.size() / 2);
  }
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes.resize(round_up_to_unit(bytes.size()));
  return bytes;
}

// Reads the fields of a block's bytes; `missing` becomes true when they run out.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class V>
  V take() {
    V value{};
    if (at_ + sizeof value > bytes_.size()) {
      missing_ = true;
    } else {
      std::memcpy(&value, bytes_.data() + at_, sizeof value);
    }
    at_ += sizeof value;
    return value;
  }

  bool is_used_up() const { return !missing_ && at_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool missing_ = false;
};

// Returns true if the block is intact.
bool decode_block(std::span<const std::byte> bytes, int shift, CoefficientBlock& block) {
  block = {};
  if (bytes.empty()) return true;
  Reader reader(bytes);
  const auto rows = reader.take<std::uint16_t>();
  std::vector<int> positions;
  for (int row = 0; row < kSparseRow; ++row) {
    if ((rows >> row & 1) == 0) continue;
    const auto mask = reader.take<std::uint16_t>();
    for (int i = 0; i < kSparseRow; ++i) {
      if ((mask >> i & 1) != 0) positions.push_back(kSparseRow * row + i);
    }
  }
  std::vector<std::int8_t> small;
  for (std::size_t i = 0; i < positions.size(); ++i) small.push_back(reader.take<std::int8_t>());
  if (positions.size() % 2 != 0) reader.take<std::int8_t>();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    block.values[positions[i]] = small[i] == kEscape
                                     ? reader.take<std::int16_t>()
                                     : static_cast<std::int16_t>(small[i] * (1 << shift));
  }
  return reader.is_used_up();
}

bool decode_tile(std::span<const std::byte> tile, std::span<CoefficientBlock> blocks) {
  SparseTileHead head;
  std::memcpy(&head, tile.data(), sizeof head);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const SparsePosition position = sparse_position(head, static_cast<int>(i), tile.size());
    if (!position.is_good ||
        !decode_block(tile.subspan(position.begin, position.bytes), head.shifts[i], blocks[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::byte> reference_encode_sparse(std::span<const CoefficientBlock> blocks) {
  const std::size_t tiles = SparseFormat::tiles(blocks.size());
  Bytes coded(directory_end(tiles));
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const Bytes bytes = encode_tile(
        blocks.subspan(tile * kSparseTileBlocks,
                       static_cast<std::size_t>(SparseFormat::tile_blocks(blocks.size(), tile))));
    tile_directory(coded.data())[tile] = static_cast<std::uint32_t>(coded.size() / kCodedUnit);
    coded.insert(coded.end(), bytes.begin(), bytes.end());
  }
  tile_directory(coded.data())[tiles] = static_cast<std::uint32_t>(coded.size() / kCodedUnit);
  const CodedHeader header = make_header(SparseFormat::kKind, blocks.size(), coded.size());
  std::memcpy(coded.data(), &header, sizeof header);
  return coded;
}

std::optional<std::vector<CoefficientBlock>> reference_decode_sparse(
    std::span<const std::byte> coded, std::size_t count) {
  if (!SparseFormat::has_header(coded.data(), coded.size(), count)) return std::nullopt;
  std::vector<CoefficientBlock> blocks(count);
  for (std::size_t tile = 0; tile < SparseFormat::tiles(count); ++tile) {
    const TileRange range = SparseFormat::tile_range(coded.data(), coded.size(), count, tile);
    const auto tile_blocks = std::span(blocks).subspan(
        tile * kSparseTileBlocks, static_cast<std::size_t>(SparseFormat::tile_blocks(count, tile)));
    if (range.bytes == 0 || !decode_tile(coded.subspan(range.begin, range.bytes), tile_blocks)) {
      return std::nullopt;
    }
  }
  return blocks;
}

}  // namespace millrace::codecs
