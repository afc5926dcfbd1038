// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/wavefront/alignment_memory.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <span>
#include <string>

namespace millrace::examples {
namespace {

// Returns the number of pieces of at most `side` that make `length`.
std::size_t pieces(std::size_t length, int side) {
  return (length + static_cast<std::size_t>(side) - 1) / static_cast<std::size_t>(side);
}

std::size_t count_tiles(std::string_view first, std::string_view second, int tile) {
  const std::size_t tiles = pieces(first.size(), tile) * pieces(second.size(), tile);
  if (tiles <= kMaxAlignmentTiles) return tiles;
  reject("tile is " + std::to_string(tile) + ", which makes " + std::to_string(tiles) +
         " tiles; it must be large enough for " + std::to_string(kMaxAlignmentTiles) + " at most");
}

template <class T>
Buffer<T> make(Queue& queue, std::size_t count) {
  return Buffer<T>(queue.device().shared_from_this(), MemorySpace::kDevice, count);
}

template <class Range, class T>
void upload(Queue& queue, const Range& host, Buffer<T>& buffer) {
  copy(queue, buffer.span(), BufferSpan<const T>(std::span<const T>(host)));
  queue.wait();
}

std::vector<std::uint32_t> count_neighbours(std::size_t tiles, std::size_t columns) {
  std::vector<std::uint32_t> numbers(tiles);
  for (std::size_t i = 0; i < tiles; ++i) {
    numbers[i] = (i < columns ? 0 : 1) + (i % columns == 0 ? 0 : 1);
  }
  return numbers;
}

}  // namespace

AlignmentMemory::AlignmentMemory(Queue& queue, std::string_view first, std::string_view second,
                                 const AlignmentOptions& options)
    : queue_(queue),
      tiles_(count_tiles(first, second, options.tile)),
      first_(make<char>(queue, first.size())),
      second_(make<char>(queue, second.size())),
      right_(make<std::int32_t>(queue, first.size())),
      bottom_(make<std::int32_t>(queue, second.size())),
      corners_(make<std::int32_t>(queue, tiles_)),
      missing_(make<std::uint32_t>(queue, tiles_)),
      bests_(make<Alignment>(queue, pieces(first.size(), options.tile) *
                                        pieces(options.tile, AlignmentStrip::kColumns))),
      table_{.first = first_.data(),
             .second = second_.data(),
             .first_length = static_cast<std::uint32_t>(first.size()),
             .second_length = static_cast<std::uint32_t>(second.size()),
             .tile_side = static_cast<std::uint32_t>(options.tile),
             .tile_columns = static_cast<std::uint32_t>(pieces(second.size(), options.tile)),
             .scores = options.scores(),
             .right = right_.data(),
             .bottom = bottom_.data(),
             .corners = corners_.data(),
             .missing = missing_.data(),
             .bests = bests_.data()},
      neighbours_(count_neighbours(tiles_, table_.tile_columns)) {
  upload(queue, first, first_);
  upload(queue, second, second_);
  clear();
}

void AlignmentMemory::clear() {
  upload(queue_, neighbours_, missing_);
  fill_bytes(queue_, right_.span(), std::byte{0});
  fill_bytes(queue_, bottom_.span(), std::byte{0});
  fill_bytes(queue_, corners_.span(), std::byte{0});
  fill_bytes(queue_, bests_.span(), std::byte{0});
  queue_.wait();
}

Alignment AlignmentMemory::best() {
  std::vector<Alignment> bests(bests_.size());
  copy(queue_, BufferSpan<Alignment>(std::span(bests)), bests_.span());
  queue_.wait();
  return *std::ranges::min_element(
      bests, [](const Alignment& a, const Alignment& b) { return a.is_better_than(b); });
}

}  // namespace millrace::examples
