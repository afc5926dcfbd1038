// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/check_chunk.h>
#include <millrace/algorithms/three_star/paper/paper_chunk.h>
#include <millrace/algorithms/three_star/paper/paper_chunk_simd.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace millrace::three_star {
namespace {

template <class T>
T load(std::span<const std::byte> from) {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  return value;
}

// Returns the ids of one corner's points.
std::span<const std::uint32_t> corner_of(const PaperView& grid, const PaperCell& cell,
                                         std::uint32_t range, std::uint32_t segment) {
  const std::uint64_t first = std::uint64_t{kSegmentPoints} * segment;
  check_chunk(first < cell.ranges[range].size(), "a segment is not in its cell");
  const IndexRange points = segment_of(cell.ranges[range], segment);
  return std::span(grid.ids + points.begin, points.size());
}

// Reads segments from the bytes of a chunk, and checks each.
class SegmentReader {
 public:
  SegmentReader(const PaperView& grid, std::span<const std::byte> bytes)
      : grid_(grid), left_(bytes) {}

  bool is_end() const { return left_.empty(); }
  std::span<const std::byte> left() const { return left_; }

  PaperSegment next() {
    check_chunk(left_.size() >= sizeof(PaperSegment), "a segment is cut short");
    const auto segment = load<PaperSegment>(left_);
    check_chunk(segment.cell < grid_.cell_count, "a cell is not in their grid");
    check_chunk(segment.combination() < kPaperCombinations, "a combination is unknown");
    const std::uint64_t bytes = chunk_bytes(true, segment.count());
    check_chunk(bytes <= left_.size(), "a segment is cut short");
    ids_ = left_.subspan(sizeof segment, std::size_t{3} * segment.count());
    left_ = left_.subspan(bytes);
    return segment;
  }

  // Returns the local ids of the last segment, three a 3-star.
  std::span<const std::byte> ids() const { return ids_; }

 private:
  const PaperView& grid_;
  std::span<const std::byte> left_;
  std::span<const std::byte> ids_;
};

void decode_segments(const PaperView& grid, std::span<const std::byte> bytes,
                     const StarVisitor& visitor) {
  constexpr std::size_t kMost = 4096;
  std::vector<ThreeStar> stars(kMost);
  std::size_t count = 0;
  const auto hand_on = [&] {
    if (count > 0) visitor(std::span(stars).first(count));
    count = 0;
  };
  SegmentReader reader(grid, bytes);
  while (!reader.is_end()) {
    const PaperSegment segment = reader.next();
    const PaperCell& cell = grid.cells[segment.cell];
    const std::uint32_t combination = segment.combination();
    const PaperCorners corners = {
        {corner_of(grid, cell, 0, segment.segments[0]),
         corner_of(grid, cell, second_range(combination), segment.segments[1]),
         corner_of(grid, cell, third_range(combination), segment.segments[2])}};
    std::span<const std::byte> left = reader.ids();
    check_chunk(are_in_segments(corners, left), "a point is not in its segment");
    while (!left.empty()) {
      if (count == kMost) hand_on();
      const std::size_t some = std::min(kMost - count, left.size() / 3);
      write_out(corners, left.first(3 * some), stars.data() + count);
      left = left.subspan(3 * some);
      count += some;
    }
  }
  hand_on();
}

// Cuts the bytes into pieces for the host's threads, of whole segments. Throws unless there are
// `three_stars`.
std::vector<std::span<const std::byte>> pieces_of(const PaperView& grid,
                                                  std::span<const std::byte> bytes,
                                                  std::uint64_t three_stars) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
  std::vector<std::span<const std::byte>> pieces;
  SegmentReader reader(grid, bytes);
  std::span<const std::byte> rest = bytes;
  std::uint64_t found = 0;
  while (!reader.is_end()) {
    found += reader.next().count();
    const std::size_t piece = rest.size() - reader.left().size();
    if (piece < kPieceBytes && !reader.is_end()) continue;
    pieces.push_back(rest.first(piece));
    rest = rest.subspan(piece);
  }
  check_star_count(found, three_stars);
  return pieces;
}

// Visits 3-stars stored as ids.
void visit_ids(std::span<const std::byte> bytes, const StarVisitor& visitor) {
  constexpr std::size_t kPiece = std::size_t{1} << 13;
  const std::span stars(reinterpret_cast<const ThreeStar*>(bytes.data()),
                        bytes.size() / sizeof(ThreeStar));
  HostThreads::shared().for_each((stars.size() + kPiece - 1) / kPiece, [&](std::size_t i) {
    visitor(stars.subspan(i * kPiece, std::min(kPiece, stars.size() - i * kPiece)));
  });
}

}  // namespace

PaperChunkHeader decode(const PaperView& grid, std::span<const std::byte> chunk,
                        const StarVisitor& visitor) {
  const auto header = chunk_header_of<PaperChunkHeader>(chunk);
  const std::span<const std::byte> bytes = chunk.subspan(sizeof header);
  if (header.is_compressed != 0) {
    const auto pieces = pieces_of(grid, bytes, header.three_stars);
    HostThreads::shared().for_each(
        pieces.size(), [&](std::size_t i) { decode_segments(grid, pieces[i], visitor); });
  } else {
    check_chunk(bytes.size() % sizeof(ThreeStar) == 0, "its last 3-star is cut short");
    check_star_count(bytes.size() / sizeof(ThreeStar), header.three_stars);
    visit_ids(bytes, visitor);
  }
  return header;
}

}  // namespace millrace::three_star
