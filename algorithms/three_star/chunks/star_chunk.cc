// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/check_chunk.h>
#include <millrace/algorithms/three_star/chunks/chunk_simd.h>
#include <millrace/algorithms/three_star/chunks/record_simd.h>
#include <millrace/algorithms/three_star/chunks/sensor_counts.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace millrace::three_star {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

StarRecord::StarRecord(const CellGrid& grid, std::span<const std::byte> bytes) : grid_(&grid) {
  check_chunk(bytes.size() >= sizeof header_, "a record is cut short");
  header_ = load<RecordHeader>(bytes.data());
  check_chunk(header_.corner < grid.points(), "a corner is not one of them");
  near_ = grid.neighbours(grid.cell_of(header_.corner));
  const std::size_t count = header_.neighbours;
  check_chunk(count <= near_.size(), "a corner has more neighbours than it has points around it");
  check_chunk(header_.begin <= header_.end && header_.end <= count,
              "a record's range is not within its neighbours");
  const std::size_t bytes_of_ids = padded(count * id_bytes(near_.size()));
  const std::size_t used = sizeof header_ + bytes_of_ids + padded(count);
  check_chunk(bytes.size() >= used, "a record is cut short");
  ids_ = bytes.data() + sizeof header_;
  buckets_ = reinterpret_cast<const std::uint8_t*>(ids_ + bytes_of_ids);
  bits_ = bytes.data() + used;
  end_ = bytes.data() + bytes.size();
  check_chunk(are_ids_below(ids_, id_bytes(near_.size()), count, near_.size()),
              "a neighbour is not among the points around its corner");
  check_chunk(find_bucket_begins({buckets_, count}, begins_), "neighbours are out of order");
}

void StarRecord::reject_window() { reject_chunk("a record is cut short"); }

StarChunk::StarChunk(const CellGrid& grid, std::span<const std::byte> bytes)
    : grid_(&grid), bytes_(bytes), header_(chunk_header_of<ChunkHeader>(bytes)) {
  const std::uint64_t directory_bytes = std::uint64_t{4} * header_.records;
  check_chunk(header_.directory >= sizeof header_ && header_.directory <= bytes.size() &&
                  bytes.size() - header_.directory >= directory_bytes,
              "its directory is cut short");
  check_chunk(header_.directory + directory_bytes == bytes.size(),
              "it goes on after its directory");
}

std::uint32_t StarChunk::offset_of(std::size_t index) const {
  return load<std::uint32_t>(bytes_.data() + header_.directory + 4 * index);
}

StarRecord StarChunk::record(std::size_t index) const {
  const std::uint32_t offset = offset_of(index);
  const std::uint64_t end = index + 1 < records() ? offset_of(index + 1) : header_.directory;
  check_chunk(offset <= end && end <= header_.directory, "a record reaches past the end");
  return {*grid_, bytes_.subspan(offset, end - offset)};
}

void StarChunk::visit(const StarVisitor& visitor) const {
  check_star_count(visit(0, records(), visitor), header_.three_stars);
}

std::uint64_t StarChunk::visit(std::size_t first_record, std::size_t end_record,
                               const StarVisitor& visitor) const {
  return visit_records(*this, first_record, end_record, visitor);
}

void StarChunk::visit_lowest(const IndexRange& lowest, const StarVisitor& visitor) const {
  visit_records_of(*this, lowest, visitor);
}

void StarChunk::count_sensors(std::span<std::uint64_t> stars_of) const {
  check_star_count(count_sensors(0, records(), stars_of), header_.three_stars);
}

std::uint64_t StarChunk::count_sensors(std::size_t first, std::size_t end,
                                       std::span<std::uint64_t> stars_of) const {
  return count_sensors_of_records(*this, first, end, stars_of);
}

void for_all_records(const StarChunk& chunk,
                     const std::function<void(std::size_t, std::size_t)>& work) {
  constexpr std::size_t kSome = 32;
  const std::size_t groups = (chunk.records() + kSome - 1) / kSome;
  HostThreads::shared().for_each(
      groups, [&](std::size_t i) { work(i * kSome, std::min((i + 1) * kSome, chunk.records())); });
}

StarChunk::Iterator::Iterator(const StarChunk& chunk) : chunk_(&chunk) { find_bit(); }

ThreeStar StarChunk::Iterator::operator*() const {
  const auto third = static_cast<std::uint32_t>(std::countr_zero(word_));
  return star_of(record_->corner(), record_->id(window_.second),
                 record_->id(window_.thirds.begin + first_bit_ + third));
}

StarChunk::Iterator& StarChunk::Iterator::operator++() {
  word_ &= word_ - 1;
  find_bit();
  return *this;
}

// Advances to the next word, window and record until there is a bit, or to the end.
void StarChunk::Iterator::find_bit() {
  while (word_ == 0) {
    if (record_ != nullptr && first_bit_ + 64 < window_.thirds.size()) {
      first_bit_ += 64;
    } else {
      first_bit_ = 0;
      if (record_ != nullptr && !record_->is_end(window_)) window_ = record_->next(window_);
      while (record_ == nullptr || record_->is_end(window_)) {
        if (next_ == chunk_->records()) {
          record_ = nullptr;
          return;
        }
        record_ = std::make_shared<const StarRecord>(chunk_->record(next_++));
        window_ = record_->first();
      }
    }
    word_ = window_.thirds.size() == 0 ? 0 : window_.word(first_bit_);
  }
}

}  // namespace millrace::three_star
