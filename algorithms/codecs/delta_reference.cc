// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/delta_format.h>
#include <millrace/algorithms/codecs/delta_reference.h>

#include <algorithm>
#include <cstring>

namespace millrace::codecs {
namespace {

template <class V>
void append(std::vector<std::byte>& bytes, const V& value) {
  const auto* const begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

template <class T>
void append_tile(std::vector<std::byte>& coded, std::span<const T> values) {
  std::vector<T> deltas(kTileValues);
  for (std::size_t i = 1; i < values.size(); ++i) deltas[i] = values[i] - values[i - 1];
  TileHead head{};
  if (!values.empty()) head = {values.front(), values.back(), {}};
  for (int block = 0; block < kTileBlocks; ++block) {
    T bits = 0;
    for (int i = 0; i < kBlockValues; ++i) bits |= deltas[block * kBlockValues + i];
    head.widths[block] = static_cast<std::uint8_t>(bits_of(bits));
  }
  append(coded, head);
  for (int block = 0; block < kTileBlocks; ++block) {
    for (int word = 0; word < head.widths[block] * kStreams<T>; ++word) {
      append(coded, packed_word<T>([&](int i) { return deltas[block * kBlockValues + i]; },
                                   head.widths[block], word));
    }
  }
}

// Returns true if the tile is intact.
template <class T>
bool decode_tile(std::span<const std::byte> tile, std::span<T> values) {
  TileHead head;
  std::memcpy(&head, tile.data(), sizeof head);
  if (!has_good_widths<T>(head, static_cast<int>(values.size()), tile.size())) return false;
  T value = static_cast<T>(head.first);
  std::size_t at = sizeof head;
  for (int block = 0; block < kTileBlocks; ++block) {
    const int width = head.widths[block];
    std::vector<T> words(static_cast<std::size_t>(width) * kStreams<T>);
    if (width > 0) std::memcpy(words.data(), tile.data() + at, packed_block_bytes(width));
    at += packed_block_bytes(width);
    for (int i = 0; i < kBlockValues; ++i) {
      value += unpacked_value(words.data(), width, i);
      const std::size_t index = static_cast<std::size_t>(block) * kBlockValues + i;
      if (index < values.size()) values[index] = value;
    }
  }
  return value == head.last;
}

}  // namespace

template <class T>
std::vector<std::byte> reference_encode_deltas(std::span<const T> values) {
  using Format = DeltaFormat<T>;
  const std::size_t tiles = Format::tiles(values.size());
  std::vector<std::byte> coded(Format::first_tile(values.size()));
  std::vector<std::uint32_t> directory;
  const auto enter_tile = [&] {
    directory.push_back(static_cast<std::uint32_t>(coded.size() / kCodedUnit));
  };
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    enter_tile();
    append_tile(coded,
                values.subspan(tile * kTileValues,
                               static_cast<std::size_t>(Format::tile_values(values.size(), tile))));
  }
  enter_tile();
  const CodedHeader header = make_header(Format::kKind, values.size(), coded.size());
  std::memcpy(coded.data(), &header, sizeof header);
  std::memcpy(tile_directory(coded.data()), directory.data(), 4 * directory.size());
  return coded;
}

template <class T>
std::optional<std::vector<T>> reference_decode_deltas(std::span<const std::byte> coded,
                                                      std::size_t count) {
  if (!has_delta_header<T>(coded.data(), coded.size(), count)) return std::nullopt;
  std::vector<T> values(count);
  for (std::size_t tile = 0; tile < DeltaFormat<T>::tiles(count); ++tile) {
    const TileRange range = delta_tile_range<T>(coded.data(), coded.size(), count, tile);
    const auto tile_values = std::span(values).subspan(
        tile * kTileValues, static_cast<std::size_t>(DeltaFormat<T>::tile_values(count, tile)));
    if (range.bytes == 0 || !decode_tile(coded.subspan(range.begin, range.bytes), tile_values)) {
      return std::nullopt;
    }
  }
  return values;
}

template std::vector<std::byte> reference_encode_deltas(std::span<const std::uint32_t>);
template std::vector<std::byte> reference_encode_deltas(std::span<const std::uint64_t>);
template std::optional<std::vector<std::uint32_t>> reference_decode_deltas(
    std::span<const std::byte>, std::size_t);
template std::optional<std::vector<std::uint64_t>> reference_decode_deltas(
    std::span<const std::byte>, std::size_t);

}  // namespace millrace::codecs
