// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/wavefront/alignment.h>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/check.h>

namespace millrace::examples {
namespace {

void check(std::string_view first, std::string_view second, const AlignmentOptions& options) {
  check_range("first.size()", first.size(), 1, kMaxAlignmentLength);
  check_range("second.size()", second.size(), 1, kMaxAlignmentLength);
  check_range("match", options.match, 0, kMaxAlignmentScore);
  check_range("mismatch", options.mismatch, -kMaxAlignmentScore, 0);
  check_range("gap", options.gap, -kMaxAlignmentScore, 0);
  check_range("tile", options.tile, 1, kMaxAlignmentTile);
}

AlignmentScores scores_of(const AlignmentOptions& options) {
  return {.match = options.match, .mismatch = options.mismatch, .gap = options.gap};
}

std::size_t count_tiles(std::string_view first, std::string_view second, int tile) {
  const auto side = static_cast<std::size_t>(tile);
  const std::size_t tiles =
      ((first.size() + side - 1) / side) * ((second.size() + side - 1) / side);
  if (tiles <= kMaxAlignmentTiles) return tiles;
  reject("tile is " + std::to_string(tile) + ", which makes " + std::to_string(tiles) +
         " tiles; it must be large enough for " + std::to_string(kMaxAlignmentTiles) + " at most");
}

// The table in memory of a device.
class DeviceTable {
 public:
  DeviceTable(Queue& queue, std::string_view first, std::string_view second,
              const AlignmentOptions& options)
      : queue_(queue),
        tiles_(count_tiles(first, second, options.tile)),
        first_(make<char>(first.size())),
        second_(make<char>(second.size())),
        right_(make<std::int32_t>(first.size())),
        bottom_(make<std::int32_t>(second.size())),
        corners_(make<std::int32_t>(tiles_)),
        missing_(make<std::uint32_t>(tiles_)),
        bests_(make<Alignment>(tiles_)),
        table_{.first = first_.data(),
               .second = second_.data(),
               .first_length = static_cast<std::uint32_t>(first.size()),
               .second_length = static_cast<std::uint32_t>(second.size()),
               .tile_side = static_cast<std::uint32_t>(options.tile),
               .scores = scores_of(options),
               .right = right_.data(),
               .bottom = bottom_.data(),
               .corners = corners_.data(),
               .missing = missing_.data(),
               .bests = bests_.data()} {
    upload(first, first_);
    upload(second, second_);
    upload(neighbours(), missing_);
    fill_bytes(queue, right_.span(), std::byte{0});
    fill_bytes(queue, bottom_.span(), std::byte{0});
    fill_bytes(queue, corners_.span(), std::byte{0});
  }

  const AlignmentTable& table() const { return table_; }

  // Returns the best alignment of all tiles.
  Alignment best() {
    std::vector<Alignment> bests(tiles_);
    copy(queue_, BufferSpan<Alignment>(std::span(bests)), bests_.span());
    queue_.wait();
    return *std::ranges::min_element(bests, &is_better);
  }

 private:
  static bool is_better(const Alignment& a, const Alignment& b) { return a.is_better_than(b); }

  template <class T>
  Buffer<T> make(std::size_t count) const {
    return Buffer<T>(queue_.device().shared_from_this(), MemorySpace::kDevice, count);
  }

  template <class Range, class T>
  void upload(const Range& host, Buffer<T>& buffer) {
    copy(queue_, buffer.span(), BufferSpan<const T>(std::span<const T>(host)));
    queue_.wait();
  }

  // The number of neighbours for which each tile waits.
  std::vector<std::uint32_t> neighbours() const {
    std::vector<std::uint32_t> numbers(tiles_);
    const std::size_t columns = table_.tile_columns();
    for (std::size_t i = 0; i < tiles_; ++i) {
      numbers[i] = (i < columns ? 0 : 1) + (i % columns == 0 ? 0 : 1);
    }
    return numbers;
  }

  Queue& queue_;
  std::size_t tiles_;
  Buffer<char> first_;
  Buffer<char> second_;
  Buffer<std::int32_t> right_;
  Buffer<std::int32_t> bottom_;
  Buffer<std::int32_t> corners_;
  Buffer<std::uint32_t> missing_;
  Buffer<Alignment> bests_;
  AlignmentTable table_;
};

}  // namespace

AlignmentResult align(Queue& queue, std::string_view first, std::string_view second,
                      const AlignmentOptions& options) {
  check(first, second, options);
  DeviceTable table(queue, first, second, options);
  const TaskList<AlignmentTasks> roots(AlignmentTile{table.table(), 0, 0});

  AlignmentResult result;
  result.report = run_tasks(queue, roots, options.run);
  result.best = table.best();
  return result;
}

Alignment align_directly(std::string_view first, std::string_view second,
                         const AlignmentOptions& options) {
  check(first, second, options);
  const AlignmentScores scores = scores_of(options);
  Alignment best;
  std::vector<std::int32_t> row(second.size() + 1);
  for (std::uint32_t i = 1; i <= first.size(); ++i) {
    std::int32_t diagonal = 0;
    for (std::uint32_t j = 1; j <= second.size(); ++j) {
      const std::int32_t above = row[j];
      row[j] = scores.cell(diagonal, above, row[j - 1], first[i - 1] == second[j - 1]);
      diagonal = above;
      if (row[j] > best.score) best = {row[j], i, j};
    }
  }
  return best;
}

std::string random_sequence(std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string sequence(length, 'A');
  for (char& letter : sequence) letter = "ACGT"[random() % 4];
  return sequence;
}

}  // namespace millrace::examples
